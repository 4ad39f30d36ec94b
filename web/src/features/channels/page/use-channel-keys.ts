import type { Channel } from '@atrium/contract/channels'
import { useNavigate } from '@tanstack/react-router'
import { queryClient } from '../../../api/query.ts'
import { useAction } from '../../../lib/actions.ts'
import { links } from '../../../lib/links.ts'
import { channelsQuery } from '../data/list.ts'
import { groupChannels, inOrder, neighbourOf, nextUnread } from '../list/order.ts'

/** From channel to channel, as they stand in the list. */
export function useChannelKeys(hereId: string | undefined): void {
  const navigate = useNavigate()
  const go = (choose: (all: readonly Channel[]) => Channel | undefined) => {
    const all = inOrder(groupChannels(queryClient.getQueryData(channelsQuery.queryKey) ?? [], '', ''))
    const next = choose(all)
    if (next) void navigate({ to: links.channel(next.id) })
  }
  const up = () => go((all) => neighbourOf(all, hereId, -1))
  const down = () => go((all) => neighbourOf(all, hereId, 1))
  useAction('channels.previous', up)
  useAction('channels.next', down)
  // The keys that go from chat to chat.
  useAction('chat.previous', up)
  useAction('chat.next', down)
  useAction('channels.next-unread', () => go((all) => nextUnread(all, hereId)))
}
