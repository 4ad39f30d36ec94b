/** Who is in a channel. */
import { type ChannelMember, channelsRoutes as routes } from '@atrium/contract/channels'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../../../api/client.ts'
import { keyOf } from '../../../api/query.ts'

/** So many are offered while one writes; of larger channels the longest-serving. */
const mostListed = 1000

/** Its members, the longest-serving first. */
export const everyMember = (channelId: string) =>
  queryOptions({
    queryKey: [...keyOf(routes.members), 'every', channelId],
    queryFn: async ({ signal }): Promise<ChannelMember[]> => {
      const all: ChannelMember[] = []
      for (let cursor: string | undefined; all.length < mostListed; ) {
        const query = { limit: 200, cursor }
        const page = await call(routes.members, { params: { channelId }, query }, { signal })
        all.push(...page.items)
        if (page.nextCursor === null) break
        cursor = page.nextCursor
      }
      return all
    },
    staleTime: 300_000,
  })
