/** What happens in a channel, for whoever follows that one alone. */
import type { ChannelEvent, channelsRoutes } from '@atrium/contract/channels'
import type { Frame, Handlers } from '../../platform/http/area.ts'
import type { ChannelContext } from './context.ts'
import { ownerOf, streamOf } from './rules.ts'

const reset: ChannelEvent = { type: 'reset', data: {} }

export const eventHandlers = ({ events }: ChannelContext): Handlers<Pick<typeof channelsRoutes, 'events'>> => ({
  async events(_input, { resource: { id }, caller: { accountId }, after, signal }) {
    const stream = { id: streamOf(id), accountId: ownerOf(id) }
    return untilRemoved(events.follow<ChannelEvent>(stream, after, signal, { reset }), accountId)
  },
})

/** Whoever is removed hears of that, and of nothing more. */
async function* untilRemoved(
  frames: AsyncIterable<Frame<ChannelEvent>>,
  accountId: string,
): AsyncGenerator<Frame<ChannelEvent>> {
  for await (const frame of frames) {
    yield frame
    const { type, data } = frame.event
    if (type === 'member-removed' && data.userId === accountId) return
  }
}
