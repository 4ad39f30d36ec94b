import { accessControl } from '@atrium/contract/access-control'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { onAccountEvent } from '../../../../api/account-events.ts'
import { call } from '../../../../api/client.ts'
import { detailsOf, wordsOf } from '../../../../api/errors.ts'
import { keyOf, refresh } from '../../../../api/query.ts'
import { Look } from '../../../../blocks/support-access/look.tsx'
import { useText } from '../../../../blocks/support-access/texts.ts'
import { Button } from '../../../../ui/button.tsx'
import { ErrorCard } from '../../../../ui/error-card.tsx'
import { Skeleton } from '../../../../ui/skeleton.tsx'

/** Every look of an administrator into what the account has, the newest first. */
export function SupportAccess() {
  const t = useText('support-access')
  const looks = useInfiniteQuery({
    queryKey: [...keyOf(accessControl.breakGlass), 'pages'],
    queryFn: ({ pageParam, signal }) =>
      call(accessControl.breakGlass, { query: { limit: 20, cursor: pageParam } }, { signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.nextCursor ?? undefined,
    staleTime: 0,
  })
  useEffect(() => onAccountEvent('support-access-changed', () => void refresh(accessControl.breakGlass)), [])
  if (looks.isPending) return <Skeleton lines={2} className="py-4" />
  if (looks.isError) {
    return (
      <ErrorCard
        title={t('admin.notLoaded')}
        details={detailsOf(looks.error)}
        onRetry={() => void looks.refetch()}
        className="my-3"
      >
        {wordsOf(looks.error)}
      </ErrorCard>
    )
  }
  const items = looks.data.pages.flatMap((page) => page.items)
  if (items.length === 0) return <p className="py-3 text-sm text-muted">{t('none')}</p>
  return (
    <>
      <ul>
        {items.map((look) => (
          <Look key={look.id} look={look} />
        ))}
      </ul>
      {looks.hasNextPage && (
        <Button
          size="small"
          className="mt-2"
          busy={looks.isFetchingNextPage}
          onClick={() => void looks.fetchNextPage()}
        >
          {t('more')}
        </Button>
      )}
    </>
  )
}
