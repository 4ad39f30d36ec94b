import { chatRoutes as routes } from '@atrium/contract/chat'
import { useInfiniteQuery } from '@tanstack/react-query'
import { call } from '../../../api/client.ts'
import { codeOf, detailsOf, wordsOf } from '../../../api/errors.ts'
import { follow } from '../../../api/follow.ts'
import { queryClient } from '../../../api/query.ts'
import { PicturesContext } from '../../../blocks/markdown/picture.tsx'
import { VisitHeader } from '../../../blocks/share-links/visit-header.tsx'
import { useVisitEnd } from '../../../blocks/share-links/use-visit-end.ts'
import type { Visit } from '../../../blocks/share-links/visit-page.tsx'
import { useTitle } from '../../../lib/title.ts'
import { Button } from '../../../ui/button.tsx'
import { ErrorCard } from '../../../ui/error-card.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { LinkedMessageRow } from './linked-message.tsx'
import { useText } from 'virtual:words/chat-links'

/** The messages of a visit, as they are and as they become. */
export function LinkedChat({ visit, ownerName, onOver }: Visit) {
  const t = useText('chat-links')
  const key = ['linked-messages', visit]
  const pages = useInfiniteQuery({
    queryKey: key,
    queryFn: ({ pageParam: cursor, signal }) =>
      call(routes.linkedMessages, { body: { visit, cursor } }, { signal, asGuest: true }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.nextCursor ?? undefined,
    gcTime: 0,
  })
  const isGone = codeOf(pages.error) === 'chat_link_not_found'
  useVisitEnd({
    visit,
    followVisit: (told) =>
      follow(routes.followLink, { body: { visit } }, { ...told, isLast: ({ type }) => type === 'ended' }),
    onChanged: () => void queryClient.invalidateQueries({ queryKey: key }),
    onOver,
    isGone,
  })
  const [latest] = pages.data?.pages ?? []
  const title = latest?.title ?? t('visit.title')
  useTitle(title)
  const messages = (pages.data?.pages ?? []).toReversed().flatMap(({ items }) => items)
  return (
    <div className="flex h-dvh flex-col">
      <VisitHeader title={title} ownerName={ownerName} />
      <main id="main" tabIndex={-1} className="min-h-0 flex-1 overflow-y-auto outline-none">
        <div className="mx-auto flex w-full max-w-text flex-col gap-7 px-4 py-6">
          {pages.isPending && <Skeleton lines={6} />}
          {pages.isError && !isGone && (
            <ErrorCard
              title={t('visit.notLoaded')}
              details={detailsOf(pages.error)}
              onRetry={() => void pages.refetch()}
            >
              {wordsOf(pages.error)}
            </ErrorCard>
          )}
          {pages.hasNextPage && (
            <Button className="self-center" busy={pages.isFetchingNextPage} onClick={() => void pages.fetchNextPage()}>
              {t('visit.earlier')}
            </Button>
          )}
          {pages.isSuccess && messages.length === 0 && !latest?.isAnswering && (
            <p className="text-muted">{t('visit.empty')}</p>
          )}
          <PicturesContext value={false}>
            {messages.map((message) => (
              <LinkedMessageRow key={message.id} message={message} visit={visit} ownerName={ownerName} />
            ))}
          </PicturesContext>
          {latest?.isAnswering && (
            <p role="status" className="text-muted">
              {t('visit.answering')}
            </p>
          )}
        </div>
      </main>
      <footer className="shrink-0 border-t border-line px-4 py-2 text-center text-sm text-muted">
        {t('visit.readOnly')}
      </footer>
    </div>
  )
}
