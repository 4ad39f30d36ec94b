/** From chat to chat, as they stand in the list beside the page. */
import { queryClient } from '../../../api/query.ts'
import type { Navigate } from '../../../lib/actions.ts'
import { links } from '../../../lib/links.ts'
import { listQuery } from '../list/cache.ts'
import type { ListFilter } from '../list/pages.ts'
import { useListView } from '../list/view.ts'

/** Opens the chat `by` places further down in the list; from elsewhere, the first one. At the ends nothing happens. */
export async function goToNeighbour(by: 1 | -1, go: Navigate): Promise<void> {
  const { words } = useListView.getState()
  const filters: ListFilter[] = words ? [{ q: words }] : [{ pinned: 'true' }, { pinned: 'false' }]
  const lists = await Promise.all(filters.map((filter) => queryClient.ensureInfiniteQueryData(listQuery(filter))))
  const ids = [...new Set(lists.flatMap(({ pages }) => pages.flatMap(({ items }) => items.map(({ id }) => id))))]
  const here = ids.findIndex((id) => location.pathname === links.chat(id))
  const next = here < 0 ? ids[0] : ids[here + by]
  if (next !== undefined) go(links.chat(next))
}
