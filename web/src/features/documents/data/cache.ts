/** The lists of documents and collections in the cache, and how they follow what happens here and elsewhere. */
import { type Collection, type Document, documentsRoutes } from '@atrium/contract/documents'
import { infiniteQueryOptions, type QueryKey, queryOptions } from '@tanstack/react-query'
import { onAccountEvent } from '../../../api/account-events.ts'
import { call } from '../../../api/client.ts'
import { changeKnown, keyOf, queryClient } from '../../../api/query.ts'
import type { DocumentsSearch } from '../search.ts'

export interface ListFilter {
  readonly in?: 'library' | 'chats' | 'shared'
  readonly collectionId?: string
  readonly status?: Document['processingStatus']
  readonly q?: string
}

/** What the server is asked for a page of an address. */
export function filterOf({ in: view, collection, status, q }: DocumentsSearch): ListFilter {
  return {
    ...(collection ? { collectionId: collection } : view ? { in: view } : {}),
    ...(status ? { status } : {}),
    ...(q?.trim() ? { q: q.trim() } : {}),
  }
}

const listKey: QueryKey = [...keyOf(documentsRoutes.list), 'list']
const collectionsKey = keyOf(documentsRoutes.collections)

/** One list, page by page, newest first. */
export const listQuery = (filter: ListFilter) =>
  infiniteQueryOptions({
    queryKey: [...listKey, filter],
    queryFn: ({ pageParam, signal }) =>
      call(documentsRoutes.list, { query: { ...filter, limit: 60, cursor: pageParam } }, { signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.nextCursor ?? undefined,
    placeholderData: (before) => before,
    staleTime: 60_000,
  })

/** All collections, the own ones first, by name. */
export const collectionsQuery = queryOptions({
  queryKey: collectionsKey,
  queryFn: async ({ signal }) => {
    const items: Collection[] = []
    for (let cursor: string | undefined | null; cursor !== null; ) {
      const page: { items: Collection[]; nextCursor: string | null } = await call(
        documentsRoutes.collections,
        { query: { limit: 200, cursor } },
        { signal },
      )
      items.push(...page.items)
      cursor = page.nextCursor
    }
    return items.sort((a, b) => Number(a.shared) - Number(b.shared) || a.name.localeCompare(b.name))
  },
  staleTime: 60_000,
})

type Pages = { pages: { items: Document[]; nextCursor: string | null }[]; pageParams: unknown[] }

const eachList = (step: (items: Document[]) => Document[]): void =>
  changeKnown<Pages>(listKey, (data) => ({
    ...data,
    pages: data.pages.map((page) => ({ ...page, items: step(page.items) })),
  }))

/** Puts a changed document in the place of its earlier self, wherever it is shown. */
export const putDocument = (document: Document): void =>
  eachList((items) => items.map((other) => (other.id === document.id ? document : other)))

/** Takes documents out of every loaded list. */
export function dropDocuments(ids: ReadonlySet<string>): void {
  eachList((items) => items.filter((item) => !ids.has(item.id)))
}

/** Loads the lists again that are on screen, and the others when they are next shown. */
export function refreshDocuments(): void {
  void queryClient.invalidateQueries({ queryKey: listKey })
  void queryClient.invalidateQueries({ queryKey: collectionsKey })
}

let timer: ReturnType<typeof setTimeout> | undefined

/** A burst of changes, such as an upload of hundreds, is read about once a second. */
export function refreshSoon(): void {
  timer ??= setTimeout(() => {
    timer = undefined
    refreshDocuments()
  }, 900)
}

onAccountEvent('document-changed', refreshSoon)
onAccountEvent('document-removed', ({ id }) => {
  dropDocuments(new Set([id]))
  refreshSoon()
})
onAccountEvent('collections-changed', refreshSoon)
