/** Lists that come page by page, each page by the cursor of the one before. */
import type { Answer, Call, Route } from '@atrium/contract/route'
import { infiniteQueryOptions, type QueryKey } from '@tanstack/react-query'
import { call, type CallArguments } from './client.ts'
import { keyOf } from './query.ts'

interface Page<T> {
  readonly items: readonly T[]
  readonly nextCursor: string | null
}
type ItemOf<R extends Route> = Answer<R> extends Page<infer T> ? T : never

/**
 * Options of a list: `useInfiniteQuery(pagesOf(audit.list, { query: { limit: 50 } }))`. Its `data` are the items of all
 * pages that were fetched. Spread it to add `staleTime` and the like.
 */
export function pagesOf<R extends Route>(route: R, input: Call<R>) {
  const { query, ...rest } = input as { query?: object }
  const pageAt = async (cursor: string | undefined, signal: AbortSignal) => {
    const given = [{ ...rest, query: { ...query, cursor } }, { signal }] as unknown as CallArguments<R>
    return (await call(route, ...given)) as Page<ItemOf<R>>
  }
  return infiniteQueryOptions({
    queryKey: [...keyOf(route), 'pages', input] as QueryKey,
    queryFn: ({ pageParam, signal }) => pageAt(pageParam, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.nextCursor ?? undefined,
    select: allItems<ItemOf<R>>,
  })
}

const allItems = <T>({ pages }: { pages: Page<T>[] }): T[] => pages.flatMap((page) => page.items)
