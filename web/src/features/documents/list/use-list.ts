import type { Document } from '@atrium/contract/documents'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useEffect, useMemo } from 'react'
import { filterOf, listQuery } from '../data/cache.ts'
import type { DocumentsSearch } from '../search.ts'
import { sortDocuments } from './sort.ts'

/** More than these are not put in order here; the page says so. */
const mostSorted = 3000

/** The documents of an address, in its order, as far as they are loaded. */
export function useDocumentList(search: DocumentsSearch) {
  const query = useInfiniteQuery(listQuery(filterOf(search)))
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = query
  const loaded = useMemo<Document[]>(() => {
    const known = new Set<string>()
    // A document that came meanwhile moves others to the next page, which then has them again.
    return (query.data?.pages.flatMap((page) => page.items) ?? []).filter(
      ({ id }) => !known.has(id) && Boolean(known.add(id)),
    )
  }, [query.data])
  const sorting = Boolean(search.sort) && hasNextPage && loaded.length < mostSorted
  useEffect(() => {
    // What is put in order here must be here in whole.
    if (sorting && !isFetchingNextPage) void fetchNextPage()
  }, [sorting, isFetchingNextPage, fetchNextPage])
  const documents = useMemo(() => sortDocuments(loaded, search.sort), [loaded, search.sort])
  const reading = documents.some(({ processingStatus: status }) => status === 'queued' || status === 'processing')
  return { query, documents, sorting, reading }
}

export type DocumentList = ReturnType<typeof useDocumentList>
