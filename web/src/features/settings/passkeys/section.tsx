import { type Passkey, accountsRoutes } from '@atrium/contract/accounts'
import { useQuery } from '@tanstack/react-query'
import { KeyRound, Plus } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { queryOf } from '../../../api/query.ts'
import { passkeyUnavailableReason } from '../../../blocks/passkeys.ts'
import { formatAgo, formatDateTime } from '../../../lib/format.ts'
import { WindowComing } from '../../../ui/early-keys.tsx'
import { Badge } from '../../../ui/badge.tsx'
import { Button } from '../../../ui/button.tsx'
import { QueryView } from '../../../blocks/setting-row/query-view.tsx'
import { useText } from 'virtual:words/settings-passkeys'

const AddDialog = lazy(() => import('./add-dialog.tsx').then((module) => ({ default: module.AddDialog })))
const RenameDialog = lazy(() => import('./rename-dialog.tsx').then((module) => ({ default: module.RenameDialog })))
const RemoveDialog = lazy(() => import('./remove-dialog.tsx').then((module) => ({ default: module.RemoveDialog })))

type Open = { readonly what: 'add' } | { readonly what: 'rename' | 'remove'; readonly passkey: Passkey }

/** The passkeys of the account, and the way to add one on this device. */
export function Passkeys() {
  const t = useText('settings-passkeys')
  const passkeys = useQuery({ ...queryOf(accountsRoutes.passkeys), staleTime: 0 })
  const [open, setOpen] = useState<Open | null>(null)
  const close = () => setOpen(null)
  const unavailable = passkeyUnavailableReason()
  return (
    <QueryView query={passkeys}>
      {({ items }) => (
        <>
          <ul>
            {items.map((passkey) => (
              <PasskeyRow key={passkey.id} passkey={passkey} onOpen={(what) => setOpen({ what, passkey })} />
            ))}
          </ul>
          <div className="mt-3 flex flex-wrap items-center justify-end gap-x-4 gap-y-2">
            {(unavailable || items.length === 0) && (
              <p className="min-w-56 flex-1 text-sm text-muted">{t(unavailable ?? 'none')}</p>
            )}
            <Button
              icon={<Plus className="size-4" />}
              disabled={unavailable !== null}
              onClick={() => setOpen({ what: 'add' })}
            >
              {t('add')}
            </Button>
          </div>
          <Suspense fallback={<WindowComing onClose={close} />}>
            {open?.what === 'add' && <AddDialog onClose={close} />}
            {open?.what === 'rename' && <RenameDialog passkey={open.passkey} onClose={close} />}
            {open?.what === 'remove' && <RemoveDialog passkey={open.passkey} onClose={close} />}
          </Suspense>
        </>
      )}
    </QueryView>
  )
}

function PasskeyRow({ passkey, onOpen }: { passkey: Passkey; onOpen: (what: 'rename' | 'remove') => void }) {
  const t = useText('settings-passkeys')
  const name = passkey.name ?? t('unnamed')
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-2 border-b border-line py-3">
      <KeyRound aria-hidden className="size-5 shrink-0 text-muted" />
      <div className="min-w-44 flex-1">
        <p className="flex flex-wrap items-center gap-2 font-medium">
          <bdi className="break-words">{name}</bdi> {passkey.suspect && <Badge tone="danger">{t('suspect')}</Badge>}
        </p>
        <p className="text-sm text-muted">
          {passkey.suspect && <span className="block">{t('suspectText')}</span>}
          {passkey.lastUsedAt ? (
            <span title={formatDateTime(passkey.lastUsedAt)}>{t('used', { when: formatAgo(passkey.lastUsedAt) })}</span>
          ) : (
            t('unused')
          )}{' '}
          · {t('made', { when: formatDateTime(passkey.createdAt) })}
        </p>
      </div>
      <div className="flex gap-2 max-tab:ms-8">
        <Button size="small" aria-label={t('renameNamed', { name })} onClick={() => onOpen('rename')}>
          {t('rename')}
        </Button>
        <Button size="small" aria-label={t('removeNamed', { name })} onClick={() => onOpen('remove')}>
          {t('remove')}
        </Button>
      </div>
    </li>
  )
}
