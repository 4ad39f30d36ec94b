import { type ListedUser, userAdministrationRoutes } from '@atrium/contract/user-administration'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../../../api/client.ts'
import { wordsOf } from '../../../../api/errors.ts'
import { queryOf, refresh } from '../../../../api/query.ts'
import { formatAgo, formatDay, formatList } from '../../../../lib/format.ts'
import { Button } from '../../../../ui/button.tsx'
import { ConfirmDialog } from '../../../../ui/dialog.tsx'
import { toast } from '../../../../ui/toaster.tsx'
import { QueryView } from '../../../../blocks/setting-row/query-view.tsx'
import { Group } from '../../../../blocks/setting-row/row.tsx'
import { useText } from 'virtual:words/user-administration'

/** The tokens that programs of the person use, never the tokens themselves. */
export function PersonTokens({ user }: { user: ListedUser }) {
  const t = useText('user-administration')
  const [asking, setAsking] = useState<{ id: string; name: string } | null>(null)
  const tokens = useQuery({
    ...queryOf(userAdministrationRoutes.tokens, { params: { id: user.id }, query: { limit: 100 } }),
    staleTime: 0,
  })
  const revoke = useMutation({
    mutationFn: (tokenId: string) => call(userAdministrationRoutes.revokeToken, { params: { id: user.id, tokenId } }),
    onSuccess: () => setAsking(null),
    onError: (error) => toast(wordsOf(error), { tone: 'danger' }),
    onSettled: () => void refresh(userAdministrationRoutes.tokens),
  })
  return (
    <Group title={t('tokens.title')}>
      <QueryView query={tokens}>
        {({ items }) => {
          const live = items.filter(
            ({ revokedAt, expiresAt }) => !revokedAt && (!expiresAt || Date.parse(expiresAt) > Date.now()),
          )
          if (live.length === 0) return <p className="py-2 text-muted">{t('tokens.none')}</p>
          return (
            <ul>
              {live.map(({ id, name, tokenPrefix, scopes, lastUsedAt, createdAt }) => (
                <li key={id} className="flex flex-wrap items-center gap-3 border-b border-line py-2.5">
                  <div className="min-w-40 flex-1">
                    <p className="font-medium wrap-anywhere">
                      <bdi>{name}</bdi>{' '}
                      <code dir="ltr" className="font-mono text-xs text-muted">
                        {tokenPrefix}…
                      </code>
                    </p>
                    <p className="text-sm text-muted">
                      {t('tokens.since', { when: formatDay(createdAt) })} ·{' '}
                      {lastUsedAt ? t('tokens.used', { when: formatAgo(lastUsedAt) }) : t('tokens.neverUsed')} ·{' '}
                      <bdi>{formatList(scopes.slice(0, 3))}</bdi>
                      {scopes.length > 3 && ' …'}
                    </p>
                  </div>
                  <Button
                    size="small"
                    aria-label={t('tokens.revokeNamed', { name })}
                    onClick={() => setAsking({ id, name })}
                  >
                    {t('tokens.revoke')}
                  </Button>
                </li>
              ))}
            </ul>
          )
        }}
      </QueryView>
      <ConfirmDialog
        open={asking !== null}
        onOpenChange={(open) => !open && setAsking(null)}
        title={t('tokens.revokeTitle', { name: asking?.name ?? '' })}
        confirm={t('tokens.revoke')}
        danger
        busy={revoke.isPending}
        onConfirm={() => asking && revoke.mutate(asking.id)}
      >
        {t('tokens.revokeText')}
      </ConfirmDialog>
    </Group>
  )
}
