import { type Connection, connectionsRoutes, type Plugin } from '@atrium/contract/connections'
import { useMutation, useQuery } from '@tanstack/react-query'
import { KeyRound, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { call } from '../../../api/client.ts'
import { wordsOf } from '../../../api/errors.ts'
import { queryOf, refresh } from '../../../api/query.ts'
import { classNames } from '../../../lib/class-names.ts'
import { Button } from '../../../ui/button.tsx'
import { ErrorCard } from '../../../ui/error-card.tsx'
import { QueryView } from '../../../blocks/setting-row/query-view.tsx'
import { KeyForm } from './key-form.tsx'
import { KeyLink } from './set-up.tsx'
import { cacheConnection, type CatalogueCheck } from './state.ts'
import { useText } from 'virtual:words/connections'

/** The own key of a connection: whether there is one, for which route, and the field for another. */
export function KeySection({
  plugin,
  connection,
  onCheck,
}: {
  plugin: Plugin
  connection: Connection
  onCheck: (answer: CatalogueCheck) => void
}) {
  const t = useText('connections')
  const params = { id: plugin.id }
  const forget = useMutation({
    mutationFn: () => call(connectionsRoutes.removeKey, { params }),
    onSuccess: (next) => {
      cacheConnection(next)
      void refresh(connectionsRoutes.models)
      void refresh(connectionsRoutes.plugins)
    },
  })
  const { keyState, keyEnding, keyDetail, endpoint } = connection
  const stored = keyState === 'saved' || keyState === 'other-route'
  const warn = keyState === 'other-route' || keyState === 'missing'
  return (
    <div className="mt-2 flex flex-col gap-3">
      <State warn={warn}>
        <span>
          {keyState === 'none-needed' && t('key.noneText')}
          {keyState === 'missing' && t('key.missingText')}
          {keyState === 'shared' && t('key.sharedText')}
          {keyState === 'environment' && t('key.environmentText')}
          {stored && t(`key.${keyState === 'saved' ? 'savedText' : 'otherRouteText'}`, { ending: keyEnding ?? '' })}
          {keyState === 'saved' && (
            <>
              {' '}
              <bdi dir="ltr" className="font-mono text-xs break-all">
                {endpoint}
              </bdi>
            </>
          )}
        </span>
        {keyDetail?.includes('environment') && <span className="block text-sm">{t('key.environmentUnused')}</span>}
        {keyState === 'saved' && <span className="block text-sm text-muted">{t('key.boundText')}</span>}
      </State>
      <KeyForm id={plugin.id} onDone={onCheck} />
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <p className="min-w-48 flex-1 text-xs text-muted">{t('key.hint')}</p>
        <KeyLink plugin={plugin} />
        {stored && (
          <Button size="small" busy={forget.isPending} onClick={() => forget.mutate()}>
            {t('key.forget')}
          </Button>
        )}
      </div>
      {forget.isError && <ErrorCard title={t('failed')}>{wordsOf(forget.error)}</ErrorCard>}
    </div>
  )
}

/** Whether the server's own sign-in can be used just now. */
export function SignInSection({ id }: { id: string }) {
  const t = useText('connections')
  const check = useQuery(queryOf(connectionsRoutes.checkKey, { params: { id } }))
  return (
    <div className="mt-2">
      <QueryView query={check}>
        {({ usable, detail }) => (
          <State warn={!usable}>
            {usable ? t('signIn.ready') : t('signIn.missing')}
            {detail && (
              <span dir="auto" className="block text-start text-sm">
                {detail}
              </span>
            )}
          </State>
        )}
      </QueryView>
    </div>
  )
}

function State({ warn, children }: { warn: boolean; children: ReactNode }) {
  const Icon = warn ? TriangleAlert : KeyRound
  return (
    <div
      className={classNames('flex items-start gap-2.5 rounded-lg px-3.5 py-2.5', warn ? 'bg-warn-soft' : 'bg-sunken')}
    >
      <Icon aria-hidden className={classNames('mt-0.75 size-4 shrink-0', warn ? 'text-warn-ink' : 'text-muted')} />
      <div className="min-w-0 flex-1">{children}</div>
    </div>
  )
}
