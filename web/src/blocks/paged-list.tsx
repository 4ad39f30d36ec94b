import type { ReactElement } from 'react'
import { detailsOf, wordsOf } from '../api/errors.ts'
import { ErrorCard } from '../ui/error-card.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { MoreButton } from './more-button.tsx'

/** The rows of a list by cursor, and what stands in their place while it loads, when it failed and when there are none. */
export function PagedList({
  pages,
  label,
  failed,
  empty,
  children,
}: {
  pages: Parameters<typeof MoreButton>[0]['pages'] & {
    isPending: boolean
    isSuccess: boolean
    error: Error | null
    refetch: () => Promise<unknown>
  }
  /** The name of the list, where no heading says it. */
  label?: string
  /** The sentence for a list that could not be loaded. */
  failed: string
  empty: ReactElement
  /** A row, an `li`, for each item that was loaded. */
  children: readonly ReactElement[]
}) {
  return (
    <>
      {pages.isPending && <Skeleton lines={5} />}
      {pages.error && (
        <ErrorCard title={failed} details={detailsOf(pages.error)} onRetry={() => void pages.refetch()}>
          {wordsOf(pages.error)}
        </ErrorCard>
      )}
      {pages.isSuccess && children.length === 0 && empty}
      {children.length > 0 && (
        <ul aria-label={label} className="divide-y divide-line overflow-hidden rounded-lg border border-line bg-raised">
          {children}
        </ul>
      )}
      <MoreButton pages={pages} className="self-center" />
    </>
  )
}
