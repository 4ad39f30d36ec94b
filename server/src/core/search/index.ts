/**
 * One search over everything that an account may read. Each kind finds its own things (`Findable`), all from the same
 * index of words, so that their scores can be put in one order. It holds nothing itself, and finds nothing of anybody else.
 */
import { searchRoutes as routes } from '@atrium/contract/search'
import { bindRoutes } from '../../platform/http/area.ts'
import type { Metrics } from '../../platform/metrics/index.ts'
import type { ResourceRegistry } from '../resources/index.ts'
import { searchMetrics } from './metrics.ts'
import { parseQuery } from './query.ts'

export { type Snippet, snippetOf } from './snippet.ts'
export { emptyQuery, foldText } from './query.ts'

export interface SearchDeps {
  readonly resources: Pick<ResourceRegistry, 'found'>
  /** What accounts are called; absent ones are gone. */
  readonly namesOf: (accountIds: readonly string[]) => Promise<ReadonlyMap<string, string>>
  readonly metrics?: Metrics | null
}

export const createSearch = ({ resources, namesOf, metrics }: SearchDeps) => {
  const figures = metrics?.bind(searchMetrics)
  return bindRoutes({
    name: 'search',
    routes,
    handlers: {
      async everything({ query: { q, limit } }, { caller: { accountId } }) {
        const begun = performance.now()
        const { wanted, unknown } = parseQuery(q)
        const kinds = [...resources.found.values()]
        const searches = new Set(kinds.map(({ search }) => search))
        const indexing = new Set(kinds.flatMap(({ isIndexing }) => isIndexing ?? []))
        const [lists, stillComing] = await Promise.all([
          Promise.all([...searches].map((search) => search(accountId, wanted, limit))),
          Promise.all([...indexing].map((isIndexing) => isIndexing(accountId))),
        ])
        const hits = lists
          .flat()
          .sort((one, other) => other.score - one.score || other.time.localeCompare(one.time))
          .slice(0, limit)
        const names = await namesOf([...new Set(hits.flatMap(({ ownerId }) => ownerId ?? []))])
        const items = hits.map(({ ownerId, ...hit }) => ({ ...hit, ownerName: names.get(ownerId ?? '') ?? null }))
        figures?.search_duration_seconds({}, (performance.now() - begun) / 1000)
        return { items, nextCursor: null, unknown: [...unknown], incomplete: stillComing.includes(true) }
      },
    },
  })
}
