/** The channels that the account is in, in the cache, and how they follow what happens here and elsewhere. */
import { type Channel, channelsRoutes as routes } from '@atrium/contract/channels'
import { queryOptions } from '@tanstack/react-query'
import { onAccountEvent } from '../../../api/account-events.ts'
import { call } from '../../../api/client.ts'
import { changeKnown, keyOf, queryClient, queryOf } from '../../../api/query.ts'

const listKey = [...keyOf(routes.list), 'all']
/** At most so many at once; who is in more gets the rest by further requests. */
const pageSize = 500

/** All of them, newest activity first. */
export const channelsQuery = queryOptions({
  queryKey: listKey,
  queryFn: async ({ signal }): Promise<Channel[]> => {
    const all: Channel[] = []
    for (let cursor: string | undefined; ; ) {
      const page = await call(routes.list, { query: { limit: pageSize, cursor } }, { signal })
      all.push(...page.items)
      if (page.nextCursor === null) return all
      cursor = page.nextCursor
    }
  },
  staleTime: 300_000,
})

/** One that the account is in, or a public one. */
export const channelQuery = (channelId: string) => ({
  ...queryOf(routes.read, { params: { channelId } }),
  staleTime: 300_000,
})

/** Changes what is known of a channel, wherever it is shown. */
export function changeChannel(channelId: string, change: (channel: Channel) => Channel): void {
  const step = (channel: Channel) => (channel.id === channelId ? change(channel) : channel)
  changeKnown<Channel[]>(listKey, (all) => all.map(step))
  changeKnown<Channel>(keyOf(routes.read, { params: { channelId } }), step)
}

/** Shows a channel as the server has it now. */
export function putChannel(channel: Channel): void {
  const key = keyOf(routes.read, { params: { channelId: channel.id } })
  queryClient.setQueryData(key, channel)
  changeKnown<Channel>(key, () => channel)
  changeKnown<Channel[]>(listKey, (all) => {
    const rest = all.filter(({ id }) => id !== channel.id)
    if (!channel.isMember) return rest
    return rest.length === all.length ? [channel, ...all] : all.map((one) => (one.id === channel.id ? channel : one))
  })
}

/** Takes a channel out of the list: it is gone, or the account is not in it any more. */
export function dropChannel(channelId: string): void {
  changeKnown<Channel[]>(listKey, (all) => all.filter(({ id }) => id !== channelId))
  void queryClient.invalidateQueries({ queryKey: keyOf(routes.read, { params: { channelId } }) })
}

/** As the cache has it. */
export const knownChannel = (channelId: string): Channel | undefined =>
  queryClient.getQueryData<Channel[]>(listKey)?.find(({ id }) => id === channelId) ??
  queryClient.getQueryData<Channel>(keyOf(routes.read, { params: { channelId } }))

/** Whether an answer is on its way that may be older than what was just heard. */
export const isReadingChannels = (): boolean => queryClient.isFetching({ queryKey: listKey }) > 0

let waiting: ReturnType<typeof setTimeout> | undefined

/** Reads the list anew; a burst of changes is read once. */
export function refreshChannels(): void {
  clearTimeout(waiting)
  waiting = setTimeout(() => {
    void queryClient.invalidateQueries({ queryKey: listKey })
    void queryClient.invalidateQueries({ queryKey: keyOf(routes.read) })
    void queryClient.invalidateQueries({ queryKey: keyOf(routes.listPublic) })
    void queryClient.invalidateQueries({ queryKey: keyOf(routes.preferences) })
    void queryClient.invalidateQueries({ queryKey: keyOf(routes.threads) })
  }, 150)
}

onAccountEvent('channels-changed', refreshChannels)
onAccountEvent('channel-read-moved', ({ id, readSeq }) => {
  const known = knownChannel(id)
  // What this page said itself is shown already.
  if (known && known.readSeq !== readSeq) refreshChannels()
})
