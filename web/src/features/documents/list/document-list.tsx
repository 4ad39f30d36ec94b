import { FileSearch, Files, Users } from 'lucide-react'
import type { ReactNode } from 'react'
import { codeOf, detailsOf, wordsOf } from '../../../api/errors.ts'
import { Button } from '../../../ui/button.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { ErrorCard } from '../../../ui/error-card.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { Spinner } from '../../../ui/spinner.tsx'
import type { DocumentsSearch } from '../search.ts'
import { useText } from 'virtual:words/documents'
import { DocumentCards } from './cards.tsx'
import { DocumentTable, type ListProps } from './table.tsx'

/** The documents, or why there are none to see. */
export function DocumentList({
  search,
  show,
  phone,
  add,
  ownCollection,
  ...rest
}: Omit<ListProps, 'sort' | 'onSort'> & {
  search: DocumentsSearch
  show: (change: Partial<DocumentsSearch>) => void
  phone: boolean
  /** The button that adds some. */
  add: ReactNode
  ownCollection: boolean
}) {
  const t = useText('documents')
  const { query, documents, sorting } = rest.list
  if (query.isPending) return <Skeleton lines={8} className="px-6 py-4" />
  if (query.isError && !query.data) {
    const gone = codeOf(query.error) === 'collection_not_found'
    if (gone) return <EmptyState icon={<Users />} title={t('empty.collectionGone')} />
    return (
      <ErrorCard
        className="mx-6"
        title={t('notLoaded')}
        details={detailsOf(query.error)}
        onRetry={() => void query.refetch()}
      >
        {wordsOf(query.error)}
      </ErrorCard>
    )
  }
  if (documents.length === 0) {
    if (search.q || search.status) {
      return (
        <EmptyState
          icon={<FileSearch />}
          title={t('empty.filtered')}
          action={<Button onClick={() => show({ q: undefined, status: undefined })}>{t('empty.showAll')}</Button>}
        >
          {t('empty.filteredText')}
        </EmptyState>
      )
    }
    const part = search.collection ? (ownCollection ? 'collection' : 'sharedCollection') : (search.in ?? 'all')
    return (
      <EmptyState
        icon={part === 'shared' || part === 'sharedCollection' ? <Users /> : <Files />}
        title={t(`empty.${part}`)}
        action={part === 'all' || part === 'library' || part === 'collection' ? add : undefined}
        className="max-w-md!"
      >
        {t(`empty.${part}Text`)}
      </EmptyState>
    )
  }
  const props = { ...rest, sort: search.sort, onSort: (sort: DocumentsSearch['sort']) => show({ sort }) }
  return (
    <>
      {sorting && (
        <p role="status" className="flex items-center gap-2 px-6 pb-2 text-sm text-muted">
          <Spinner size={14} />
          {t('sort.loading', { count: documents.length })}
        </p>
      )}
      {search.sort && !sorting && query.hasNextPage && (
        <p className="px-6 pb-2 text-sm text-muted">{t('sort.some', { count: documents.length })}</p>
      )}
      {phone ? <DocumentCards {...props} /> : <DocumentTable {...props} />}
    </>
  )
}
