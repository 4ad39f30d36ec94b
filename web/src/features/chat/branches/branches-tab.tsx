import { chatRoutes } from '@atrium/contract/chat'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Search, Split } from 'lucide-react'
import { useState } from 'react'
import { detailsOf, wordsOf } from '../../../api/errors.ts'
import { pagesOf } from '../../../api/pages.ts'
import { Button } from '../../../ui/button.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { ErrorCard } from '../../../ui/error-card.tsx'
import { Input } from '../../../ui/input.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import type { OpenChat } from '../open/store.ts'
import { useText } from 'virtual:words/chat-branches'
import { BranchTree } from './branch-tree.tsx'
import { FoundMessages } from './found-messages.tsx'
import { useDelayed } from './use-delayed.ts'
import { useFresh } from './use-fresh.ts'

/** All branches of a chat, and what is said in any of them. `onShown`: a message was gone to. */
export function BranchesTab({ chat, onShown }: { chat: OpenChat; onShown: () => void }) {
  const t = useText('chat-branches')
  const pages = useInfiniteQuery({
    ...pagesOf(chatRoutes.branchMap, { params: { sessionId: chat.id }, query: {} }),
    // The end of a chat comes first.
    select: ({ pages: read }) => read.toReversed().flatMap(({ items }) => items),
    staleTime: 0,
  })
  useFresh(chatRoutes.branchMap, chat.id)
  const [words, setWords] = useState('')
  const typed = words.trim()
  const asked = useDelayed(typed, 200)
  const wanted = typed === '' ? '' : asked
  if (pages.isError && !pages.data) {
    return (
      <ErrorCard title={t('failed')} details={detailsOf(pages.error)} onRetry={() => void pages.refetch()}>
        {wordsOf(pages.error)}
      </ErrorCard>
    )
  }
  if (pages.isPending) return <Skeleton lines={6} />
  if (pages.data.length < 2) {
    return (
      <EmptyState icon={<Split />} title={t('none')}>
        {t('noneText')}
      </EmptyState>
    )
  }
  return (
    <div className="flex flex-col gap-3">
      <Input
        type="search"
        icon={<Search />}
        aria-label={t('find.label')}
        placeholder={t('find.label')}
        maxLength={200}
        value={words}
        onChange={(event) => setWords(event.target.value)}
      />
      {wanted !== '' && <FoundMessages chat={chat} words={wanted} onShown={onShown} />}
      {wanted === '' && pages.hasNextPage && (
        <div className="flex flex-col items-center gap-1">
          <Button size="small" busy={pages.isFetchingNextPage} onClick={() => void pages.fetchNextPage()}>
            {t('earlier')}
          </Button>
          {pages.isFetchNextPageError && (
            <p role="alert" className="text-sm text-danger-ink">
              {wordsOf(pages.error)}
            </p>
          )}
        </div>
      )}
      {wanted === '' && <BranchTree chat={chat} branches={pages.data} onShown={onShown} />}
    </div>
  )
}
