import { FileX2 } from 'lucide-react'
import type { ReactNode } from 'react'
import { detailsOf, isNotFound, wordsOf } from '../../api/errors.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorCard } from '../../ui/error-card.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { useText } from 'virtual:words/setting-row'

/** What a query has, or that it is on its way, or why not. Without `children`, what it has is shown elsewhere. */
export function QueryView<T>({
  query,
  title,
  lines = 4,
  children,
}: {
  query: { data: T | undefined; isPending: boolean; error: Error | null; refetch: () => Promise<unknown> }
  /** What is said where it could not be loaded. */
  title?: string
  /** About how much of the page it will take. */
  lines?: number
  children?: (data: T) => ReactNode
}) {
  const t = useText('setting-row')
  if (query.data !== undefined) return children?.(query.data)
  if (query.isPending) return <Skeleton lines={lines} className="py-4" />
  if (isNotFound(query.error))
    return (
      <EmptyState icon={<FileX2 />} title={wordsOf(query.error).replace(/\.$/, '')}>
        {t('notFound')}
      </EmptyState>
    )
  return (
    <ErrorCard
      title={title ?? t('notLoaded')}
      details={detailsOf(query.error)}
      onRetry={() => void query.refetch()}
      className="my-3"
    >
      {wordsOf(query.error)}
    </ErrorCard>
  )
}
