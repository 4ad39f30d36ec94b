/** The configuration on the page: read once, replaced by what the server answers. */
import type { GivenBody } from '@atrium/contract/route'
import { webSearch } from '@atrium/contract/web-search'
import { call } from '../../../api/client.ts'
import { keyOf, queryClient, refresh } from '../../../api/query.ts'

export type Change = GivenBody<typeof webSearch.updateConfig>

export const saveConfig = async (body: Change): Promise<void> =>
  void queryClient.setQueryData(keyOf(webSearch.config), await call(webSearch.updateConfig, { body }))

export const saveAccess = async (mode: 'admins' | 'all-users'): Promise<void> => {
  await call(webSearch.updateAccess, { body: { mode } })
  await refresh(webSearch.config)
}
