import { type MfaState, accountsRoutes } from '@atrium/contract/accounts'
import { useMutation, useQuery } from '@tanstack/react-query'
import { TriangleAlert } from 'lucide-react'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import { call } from '../../../api/client.ts'
import { wordsOf } from '../../../api/errors.ts'
import { queryOf, refresh } from '../../../api/query.ts'
import { WindowComing } from '../../../ui/early-keys.tsx'
import { Badge } from '../../../ui/badge.tsx'
import { Button } from '../../../ui/button.tsx'
import { toast } from '../../../ui/toaster.tsx'
import { QueryView } from '../../../blocks/setting-row/query-view.tsx'
import { useText } from 'virtual:words/settings-second-factor'

const EnrolDialog = lazy(() => import('./enrol-dialog.tsx').then((module) => ({ default: module.EnrolDialog })))
const RenewDialog = lazy(() => import('./renew-dialog.tsx').then((module) => ({ default: module.RenewDialog })))
const DisableDialog = lazy(() => import('./disable-dialog.tsx').then((module) => ({ default: module.DisableDialog })))

/** So few recovery codes are worth a warning. */
const fewCodes = 3

/** One-time codes of an authenticator app, and the recovery codes beside them. */
export function SecondFactor() {
  const state = useQuery({ ...queryOf(accountsRoutes.mfa), staleTime: 0 })
  return <QueryView query={state}>{(mfa) => <SecondFactorStatus mfa={mfa} />}</QueryView>
}

function SecondFactorStatus({ mfa }: { mfa: MfaState }) {
  const t = useText('settings-second-factor')
  const [open, setOpen] = useState<'enrol' | 'renew' | 'disable' | null>(null)
  const close = () => setOpen(null)
  const { totpEnabled, totpPending, passkeys } = mfa
  const isMissing = mfa.required && !totpEnabled && passkeys.length === 0
  const isLast = mfa.required && passkeys.length === 0
  return (
    <>
      {isMissing && <Notice>{t('missing')}</Notice>}
      <div className="flex flex-wrap items-center gap-x-6 gap-y-2.5 border-b border-line py-3.5">
        <div className="min-w-44 flex-1">
          <p className="flex flex-wrap items-center gap-2 font-medium">
            {t('app')}
            {totpEnabled ? (
              <Badge tone="ok">{t('on')}</Badge>
            ) : (
              <Badge tone={totpPending ? 'warn' : 'plain'}>{totpPending ? t('pending') : t('off')}</Badge>
            )}
          </p>
          <p className="mt-0.5 text-sm text-muted">{totpEnabled && isLast ? t('lastText') : t('appText')}</p>
        </div>
        <div className="flex flex-wrap gap-2">
          {totpPending && <Discard />}
          {totpEnabled ? (
            <Button size="small" disabled={isLast} onClick={() => setOpen('disable')}>
              {t('turnOff')}
            </Button>
          ) : (
            <Button size="small" onClick={() => setOpen('enrol')}>
              {t('setUp')}
            </Button>
          )}
        </div>
      </div>
      {totpEnabled && <CodesRow count={mfa.recoveryCodesRemaining} onRenew={() => setOpen('renew')} />}
      <Suspense fallback={<WindowComing onClose={close} />}>
        {open === 'enrol' && <EnrolDialog onClose={close} />}
        {open === 'renew' && <RenewDialog onClose={close} />}
        {open === 'disable' && <DisableDialog onClose={close} />}
      </Suspense>
    </>
  )
}

function CodesRow({ count, onRenew }: { count: number; onRenew: () => void }) {
  const t = useText('settings-second-factor')
  return (
    <div className="flex flex-wrap items-center gap-x-6 gap-y-2.5 border-b border-line py-3.5">
      <div className="min-w-44 flex-1">
        <p className="font-medium">{t('codes')}</p>
        {count < fewCodes ? (
          <p className="mt-0.5 flex items-start gap-1.5 text-sm text-warn-ink">
            <TriangleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
            {t('codesFew', { count })}
          </p>
        ) : (
          <p className="mt-0.5 text-sm text-muted">{t('codesLeft', { count })}</p>
        )}
      </div>
      <Button size="small" onClick={onRenew}>
        {t('renew')}
      </Button>
    </div>
  )
}

/** Drops a set-up that was never confirmed. */
function Discard() {
  const t = useText('settings-second-factor')
  const drop = useMutation({
    mutationFn: () => call(accountsRoutes.disableMfa),
    onSettled: () => void refresh(accountsRoutes.mfa),
    onError: (error) => toast(wordsOf(error), { tone: 'danger' }),
  })
  return (
    <Button size="small" tone="quiet" busy={drop.isPending} onClick={() => drop.mutate()}>
      {t('discard')}
    </Button>
  )
}

function Notice({ children }: { children: ReactNode }) {
  return (
    <p className="mt-2 flex items-start gap-2 rounded-lg border border-line-strong bg-warn-soft px-3.5 py-3">
      <TriangleAlert aria-hidden className="mt-0.5 size-4 shrink-0 text-warn-ink" />
      {children}
    </p>
  )
}
