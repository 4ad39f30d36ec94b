import { audit } from '@atrium/contract/audit'
import { useInfiniteQuery } from '@tanstack/react-query'
import { ScrollText } from 'lucide-react'
import { useMemo, useState } from 'react'
import { call } from '../../../api/client.ts'
import { detailsOf, wordsOf } from '../../../api/errors.ts'
import { keyOf } from '../../../api/query.ts'
import { Button } from '../../../ui/button.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { ErrorCard } from '../../../ui/error-card.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { Chain } from './chain.tsx'
import { Entry } from './entry.tsx'
import { Filters } from './filters.tsx'
import { type Choice, toQuery } from './kinds.ts'
import { Retention } from './retention.tsx'
import { useText } from './texts.ts'

const everything: Choice = { kind: 'all', result: 'all', span: 'week', actor: null }

/** What was done that matters for safety. */
export function Audit() {
  const t = useText('audit')
  const [choice, setChoice] = useState<Choice>(everything)
  const query = useMemo(() => toQuery(choice, Date.now()), [choice])
  const pages = useInfiniteQuery({
    queryKey: [...keyOf(audit.list), query],
    queryFn: ({ pageParam, signal }) =>
      call(audit.list, { query: { ...query, limit: 50, cursor: pageParam } }, { signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.nextCursor ?? undefined,
    staleTime: 0,
  })
  const events = pages.data?.pages.flatMap((page) => page.items) ?? []
  return (
    <>
      <p className="text-muted">{t('about')}</p>
      <section id="events" aria-label={t('events')} className="-mx-3 mt-5 rounded-lg px-3">
        <Filters choice={choice} query={query} onChange={setChoice} />
        {pages.isPending ? (
          <Skeleton lines={8} className="py-4" />
        ) : pages.isError ? (
          <ErrorCard
            title={t('notLoaded')}
            details={detailsOf(pages.error)}
            onRetry={() => void pages.refetch()}
            className="my-3"
          >
            {wordsOf(pages.error)}
          </ErrorCard>
        ) : events.length === 0 ? (
          <EmptyState
            icon={<ScrollText />}
            title={t('none')}
            action={<Button onClick={() => setChoice({ ...everything, span: 'all' })}>{t('showAll')}</Button>}
          >
            {t('noneText')}
          </EmptyState>
        ) : (
          <ul className="mt-3">
            {events.map((event) => (
              <Entry key={event.id} event={event} onActor={(actor) => setChoice({ ...choice, actor })} />
            ))}
          </ul>
        )}
        {pages.hasNextPage && (
          <Button className="mt-3" busy={pages.isFetchingNextPage} onClick={() => void pages.fetchNextPage()}>
            {t('more')}
          </Button>
        )}
      </section>
      <div className="mt-8">
        <Chain />
        <Retention />
      </div>
    </>
  )
}
