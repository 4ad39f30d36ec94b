import { type AuthSession, accountsRoutes } from '@atrium/contract/accounts'
import { useMutation, useQuery } from '@tanstack/react-query'
import { LogOut, Monitor, Smartphone } from 'lucide-react'
import { call } from '../../../api/client.ts'
import { wordsOf } from '../../../api/errors.ts'
import { queryOf, refresh } from '../../../api/query.ts'
import { deviceOf } from '../../../lib/device.ts'
import { factSeparator, formatAgo, formatDateTime } from '../../../lib/format.ts'
import { Badge } from '../../../ui/badge.tsx'
import { Button } from '../../../ui/button.tsx'
import { toast } from '../../../ui/toaster.tsx'
import { QueryView } from '../../../blocks/setting-row/query-view.tsx'
import { useText } from 'virtual:words/settings'

/** Every place where the account is signed in. */
export function Sessions() {
  const t = useText('settings')
  const sessions = useQuery({ ...queryOf(accountsRoutes.sessions), staleTime: 0 })
  const others = useMutation({
    mutationFn: () => call(accountsRoutes.revokeOthers),
    onSuccess: ({ revokedCount }) => {
      void refresh(accountsRoutes.sessions)
      toast(t('security.revokedOthers', { count: revokedCount }))
    },
    onError: (error) => toast(wordsOf(error), { tone: 'danger' }),
  })
  return (
    <QueryView query={sessions}>
      {({ items }) => {
        const open = items.filter(isLive)
        return (
          <>
            <ul>
              {open.map((session) => (
                <SessionRow key={session.id} session={session} />
              ))}
            </ul>
            {open.length > 1 && (
              <div className="mt-4 flex justify-end">
                <Button busy={others.isPending} onClick={() => others.mutate()}>
                  {t('security.revokeOthers')}
                </Button>
              </div>
            )}
          </>
        )
      }}
    </QueryView>
  )
}

const isLive = ({ revokedAt, expiresAt }: AuthSession) => !revokedAt && Date.parse(expiresAt) > Date.now()

function SessionRow({ session }: { session: AuthSession }) {
  const t = useText('settings')
  const words = useText('blocks')
  const device = deviceOf(session.userAgent)
  const revoke = useMutation({
    mutationFn: () => call(accountsRoutes.revokeSession, { params: { id: session.id } }),
    onSettled: () => void refresh(accountsRoutes.sessions),
    onError: (error) => toast(wordsOf(error), { tone: 'danger' }),
  })
  const Icon = device.phone ? Smartphone : Monitor
  const name = [device.browser, device.system].filter(Boolean).join(factSeparator()) || t('security.unknownDevice')
  return (
    <li className="flex items-center gap-3 border-b border-line py-3">
      <Icon aria-hidden className="size-5 shrink-0 text-muted" />
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-center gap-2 font-medium">
          <bdi>{name}</bdi> {session.current && <Badge tone="accent">{t('security.current')}</Badge>}
        </p>
        <p className="text-sm text-muted" title={formatDateTime(session.lastSeenAt)}>
          {words(`sessionKind.${session.kind.replace(/[:+]/, '-')}`)} ·{' '}
          {t('security.seen', { when: formatAgo(session.lastSeenAt) })}
          {session.address !== null && (
            <>
              {' · '}
              <bdi dir="ltr">{session.address}</bdi>
            </>
          )}
          {' · '}
          {t('security.since', { when: formatDateTime(session.createdAt) })}
        </p>
      </div>
      {!session.current && (
        <Button
          size="small"
          busy={revoke.isPending}
          icon={<LogOut className="size-3.5" />}
          aria-label={t('security.revokeNamed', { name })}
          onClick={() => revoke.mutate()}
        >
          {t('security.revoke')}
        </Button>
      )}
    </li>
  )
}
