import { type ApiToken, authentication } from '@atrium/contract/authentication'
import { useInfiniteQuery } from '@tanstack/react-query'
import { KeyRound, Plus } from 'lucide-react'
import { useState } from 'react'
import { call } from '../../../api/client.ts'
import { detailsOf, wordsOf } from '../../../api/errors.ts'
import { keyOf } from '../../../api/query.ts'
import { Button } from '../../../ui/button.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { ErrorCard } from '../../../ui/error-card.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { Group } from '../parts/row.tsx'
import { TokenForm } from './form.tsx'
import { RevokeDialog } from './revoke.tsx'
import { EndedRow, TokenRow } from './row.tsx'
import { type Shown, ShownToken } from './shown-token.tsx'
import { useText } from './texts.ts'

/** So many may be live at a time; the server says so too. */
const liveTokens = 25

/** The tokens with which programs work in the name of the account. */
export function ApiTokens() {
  const t = useText('tokens')
  const [form, setForm] = useState<{ token: ApiToken | null } | null>(null)
  const [shown, setShown] = useState<Shown | null>(null)
  const [asking, setAsking] = useState<ApiToken | null>(null)
  const pages = useInfiniteQuery({
    queryKey: [...keyOf(authentication.tokens), 'pages'],
    queryFn: ({ pageParam, signal }) =>
      call(authentication.tokens, { query: { limit: 50, cursor: pageParam } }, { signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.nextCursor ?? undefined,
    staleTime: 0,
  })
  const tokens = pages.data?.pages.flatMap((page) => page.items) ?? []
  const live = tokens.filter((token) => !hasEnded(token))
  const ended = tokens.filter(hasEnded)
  const create = (
    <span id="create" className="rounded-md">
      <Button
        tone="primary"
        icon={<Plus className="size-4" />}
        disabled={live.length >= liveTokens}
        onClick={() => setForm({ token: null })}
      >
        {t('create')}
      </Button>
    </span>
  )
  return (
    <section id="list" className="-mx-3 rounded-lg px-3">
      <p className="text-muted">{t('about')}</p>
      {pages.isPending ? (
        <Skeleton lines={4} className="py-4" />
      ) : pages.isError ? (
        <ErrorCard
          title={t('notLoaded')}
          details={detailsOf(pages.error)}
          onRetry={() => void pages.refetch()}
          className="my-3"
        >
          {wordsOf(pages.error)}
        </ErrorCard>
      ) : live.length === 0 ? (
        <EmptyState icon={<KeyRound />} title={t('none')} action={create}>
          {t('noneText')}
        </EmptyState>
      ) : (
        <>
          <div className="mt-4 flex flex-wrap items-center justify-between gap-3">
            <p className="text-sm text-muted">{t('count', { count: live.length, limit: liveTokens })}</p>
            {create}
          </div>
          <ul className="mt-2">
            {live.map((token) => (
              <TokenRow
                key={token.id}
                token={token}
                onEdit={() => setForm({ token })}
                onRevoke={() => setAsking(token)}
              />
            ))}
          </ul>
        </>
      )}
      {ended.length > 0 && (
        <Group title={t('ended')} text={t('endedText')}>
          <ul>
            {ended.map((token) => (
              <EndedRow key={token.id} token={token} />
            ))}
          </ul>
        </Group>
      )}
      {pages.hasNextPage && (
        <Button className="mt-3" busy={pages.isFetchingNextPage} onClick={() => void pages.fetchNextPage()}>
          {t('more')}
        </Button>
      )}
      {form && <TokenForm token={form.token} onClose={() => setForm(null)} onMade={setShown} />}
      {shown && <ShownToken shown={shown} onClose={() => setShown(null)} />}
      <RevokeDialog token={asking} onClose={() => setAsking(null)} />
    </section>
  )
}

const hasEnded = ({ revokedAt, expiresAt }: ApiToken): boolean =>
  revokedAt !== null || (expiresAt !== null && Date.parse(expiresAt) <= Date.now())
