/**
 * One search over everything that an account may read. Areas find their own things (`Find`), all from the same index of
 * words, so that their scores can be put in one order. It holds nothing itself, and finds nothing of anybody else.
 */
import { searchRoutes as routes } from '@atrium/contract/search'
import { bindRoutes } from '../../platform/http/area.ts'
import type { FindHits } from './types.ts'
import { parseQuery } from './query.ts'

export type { FindHits, SearchHit, SearchQuery } from './types.ts'
export { type Snippet, snippetOf } from './snippet.ts'
export { foldText } from './query.ts'

export interface SearchDeps {
  readonly finders: readonly FindHits[]
  /** What accounts are called; absent ones are gone. */
  readonly namesOf: (accountIds: readonly string[]) => Promise<ReadonlyMap<string, string>>
  /** Whether something of the account is still to be taken into the index. */
  readonly incomplete: (accountId: string) => Promise<boolean>
}

export const createSearch = ({ finders, namesOf, incomplete }: SearchDeps) =>
  bindRoutes({
    name: 'search',
    routes,
    handlers: {
      async everything({ query: { q, limit } }, { caller: { accountId } }) {
        const { wanted, unknown } = parseQuery(q)
        const [lists, stillComing] = await Promise.all([
          Promise.all(finders.map((find) => find(accountId, wanted, limit))),
          incomplete(accountId),
        ])
        const hits = lists
          .flat()
          .sort((one, other) => other.score - one.score || other.time.localeCompare(one.time))
          .slice(0, limit)
        const names = await namesOf([...new Set(hits.flatMap(({ ownerId }) => ownerId ?? []))])
        const items = hits.map(({ ownerId, ...hit }) => ({ ...hit, ownerName: names.get(ownerId ?? '') ?? null }))
        return { items, nextCursor: null, unknown: [...unknown], incomplete: stillComing }
      },
    },
  })
