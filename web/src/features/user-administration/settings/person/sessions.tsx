import { type ListedUser, userAdministrationRoutes } from '@atrium/contract/user-administration'
import { useMutation, useQuery } from '@tanstack/react-query'
import { call } from '../../../../api/client.ts'
import { wordsOf } from '../../../../api/errors.ts'
import { queryOf, refresh } from '../../../../api/query.ts'
import { factSeparator, formatAgo, formatDateTime } from '../../../../lib/format.ts'
import { deviceOf } from '../../../../lib/device.ts'
import { Badge } from '../../../../ui/badge.tsx'
import { Button } from '../../../../ui/button.tsx'
import { toast } from '../../../../ui/toaster.tsx'
import { QueryView } from '../../../../blocks/setting-row/query-view.tsx'
import { Group } from '../../../../blocks/setting-row/row.tsx'
import { useText } from 'virtual:words/user-administration'

/** Where the person is signed in, each to be ended. */
export function PersonSessions({ user }: { user: ListedUser }) {
  const t = useText('user-administration')
  const words = useText('blocks')
  const params = { id: user.id }
  const sessions = useQuery({ ...queryOf(userAdministrationRoutes.sessions, { params }), staleTime: 0 })
  const end = useMutation({
    mutationFn: (sessionId: string) => call(userAdministrationRoutes.endSession, { params: { ...params, sessionId } }),
    onError: (error) => toast(wordsOf(error), { tone: 'danger' }),
    onSettled: () => void refresh(userAdministrationRoutes.sessions),
  })
  return (
    <Group title={t('sessions.title')}>
      <QueryView query={sessions}>
        {({ items }) => {
          const open = items.filter(({ revokedAt, expiresAt }) => !revokedAt && Date.parse(expiresAt) > Date.now())
          if (open.length === 0) return <p className="py-2 text-muted">{t('sessions.none')}</p>
          return (
            <ul>
              {open.map(({ id, userAgent, kind, lastSeenAt, address, current }) => {
                const device = deviceOf(userAgent)
                const name =
                  [device.browser, device.system].filter(Boolean).join(factSeparator()) || t('sessions.unknown')
                return (
                  <li key={id} className="flex flex-wrap items-center gap-3 border-b border-line py-2.5">
                    <div className="min-w-40 flex-1">
                      <p className="font-medium">
                        <bdi>{name}</bdi>
                      </p>
                      <p className="text-sm text-muted" title={formatDateTime(lastSeenAt)}>
                        {t('sessions.seen', { when: formatAgo(lastSeenAt) })}
                        {address !== null && (
                          <>
                            {' · '}
                            <bdi dir="ltr">{address}</bdi>
                          </>
                        )}
                      </p>
                    </div>
                    <Badge>{words(`sessionKind.${kind.replace(/[:+]/, '-')}`)}</Badge>
                    {!current && (
                      <Button
                        size="small"
                        busy={end.isPending && end.variables === id}
                        aria-label={t('sessions.endNamed', { name })}
                        onClick={() => end.mutate(id)}
                      >
                        {t('sessions.end')}
                      </Button>
                    )}
                  </li>
                )
              })}
            </ul>
          )
        }}
      </QueryView>
    </Group>
  )
}
