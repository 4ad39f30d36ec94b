import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { detailsOf, wordsOf } from '../../../api/errors.ts'
import { ErrorCard } from '../../../ui/error-card.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { useText } from '../texts.ts'

/** What a query has, or that it is on its way, or why not. */
export function QueryView<T>({
  query,
  children,
}: {
  query: UseQueryResult<T, Error>
  children: (data: T) => ReactNode
}) {
  const t = useText('settings')
  if (query.data !== undefined) return children(query.data)
  if (query.isPending) return <Skeleton lines={4} className="py-4" />
  return (
    <ErrorCard
      title={t('notLoaded')}
      details={detailsOf(query.error)}
      onRetry={() => void query.refetch()}
      className="my-3"
    >
      {wordsOf(query.error)}
    </ErrorCard>
  )
}
