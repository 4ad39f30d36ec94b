/** Server state on the page: the cache, and how a route becomes an entry of it. */
import type { Answer, Call, Route } from '@atrium/contract/route'
import {
  type InvalidateOptions,
  type InvalidateQueryFilters,
  notifyManager,
  QueryClient,
  type QueryKey,
  queryOptions,
} from '@tanstack/react-query'
import { call, type CallArguments } from './client.ts'
import { Problem } from './errors.ts'

// Told in the same turn as the change: a control whose value lives in the cache never jumps back for a frame.
notifyManager.setScheduler(queueMicrotask)

/**
 * What loads for the first time may have been read before the change that marks it stale. TanStack Query lets such a load
 * go on and takes its answer for fresh, so it is marked again once it has ended.
 */
class PageCache extends QueryClient {
  override async invalidateQueries<K extends QueryKey = QueryKey>(
    filters?: InvalidateQueryFilters<K>,
    options?: InvalidateOptions,
  ): Promise<void> {
    const loading = this.getQueryCache()
      .findAll({ ...filters, fetchStatus: 'fetching' } as InvalidateQueryFilters)
      .filter(({ state }) => state.data === undefined)
    const again = loading.map(async ({ promise, queryKey }) => {
      // How it ended is told to who asked for it.
      await promise?.catch(() => undefined)
      await super.invalidateQueries({ ...filters, queryKey, exact: true } as InvalidateQueryFilters, options)
    })
    await Promise.all([super.invalidateQueries(filters, options), ...again])
  }
}

/** The page's only cache. What changes elsewhere is marked stale by account events, not by the clock. */
export const queryClient = new PageCache({
  defaultOptions: {
    queries: {
      staleTime: 60_000,
      gcTime: 10 * 60_000,
      // A server on the same machine answers while the browser believes to be offline.
      networkMode: 'always',
      retry: (failures, error) => failures < 2 && isTemporary(error),
      retryDelay: (failures, error) => (error instanceof Problem && error.retryAfterMs) || 400 * 2 ** failures,
      refetchOnReconnect: true,
    },
    mutations: { networkMode: 'always', retry: false },
  },
})

/**
 * Query options of a route: `useQuery(queryOf(chat.read, { params: { sessionId } }))`. Spread it to add `staleTime`
 * and the like.
 */
export function queryOf<R extends Route>(route: R, ...rest: CallArguments<R>) {
  const [input, options] = rest
  return queryOptions<Answer<R>, Error, Answer<R>, QueryKey>({
    queryKey: keyOf(route, input as Call<R> | undefined),
    queryFn: ({ signal }) => call(route, ...([input ?? {}, { ...options, signal }] as unknown as CallArguments<R>)),
  })
}

/** The key of a route's entries; without `input` it stands for all of them, to mark them stale together. */
export function keyOf<R extends Route>(route: R, input?: Call<R>): QueryKey {
  return input === undefined || Object.keys(input as object).length === 0 ? [route.path] : [route.path, input]
}

/** Marks every entry of a route, or the one of `input`, stale; those on screen load again. */
export function refresh<R extends Route>(route: R, input?: Call<R>): Promise<void> {
  return queryClient.invalidateQueries({ queryKey: keyOf(route, input) })
}

/**
 * Changes what is known below a key, and once more what a load brings that is on its way: it may have been read before the
 * change. So a step that is taken twice has to come to the same.
 */
export function changeKnown<T>(queryKey: QueryKey, step: (data: T, key: QueryKey) => T): void {
  for (const query of queryClient.getQueryCache().findAll({ queryKey })) {
    const change = () => {
      const data = query.state.data as T | undefined
      const next = data && step(data, query.queryKey)
      if (next !== data) queryClient.setQueryData(query.queryKey, next)
    }
    change()
    if (query.state.fetchStatus === 'fetching') void query.promise?.then(change, change)
  }
}

/** Whether an error may pass by itself: no connection, or a server that starts, stops or is full. */
export const isTemporary = (error: unknown): boolean =>
  error instanceof Problem && (error.code === 'offline' || error.code === 'unavailable' || error.status === 429)
