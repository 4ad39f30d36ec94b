/** What happens in a channel, for whoever follows that one alone. */
import type { ChannelEvent, channelsRoutes } from '@atrium/contract/channels'
import type { Frame, Handlers } from '../../platform/http/area.ts'
import type { Entry } from '../../platform/events/types.ts'
import type { ChannelContext } from './context.ts'
import { ownerOf, streamOf } from './rules.ts'
import type { HistoryFloor } from './stores/history.ts'

const reset: ChannelEvent = { type: 'reset', data: {} }

/** Whether somebody may hear of an event who may not read what was said before they came. */
export const admitAfter =
  (floor: HistoryFloor) =>
  ({ seq, event }: Entry): boolean => {
    const { type, data } = event as ChannelEvent
    if (type === 'reset' || type === 'error') return true
    if (seq <= floor.event) return false
    const about = 'message' in data ? data.message.seq : 'seq' in data ? data.seq : undefined
    return about === undefined || about > floor.seq
  }

export const eventHandlers = ({ events, store }: ChannelContext): Handlers<Pick<typeof channelsRoutes, 'events'>> => ({
  async events(_input, { resource: { id }, caller: { accountId }, after, signal }) {
    const stream = { id: streamOf(id), accountId: ownerOf(id) }
    const floor = (await store.history.floorsOf(accountId)).get(id)
    const from = Math.max(after, floor?.event ?? 0)
    const frames = events.follow<ChannelEvent>(stream, from, signal, { reset })
    return untilRemoved(floor ? those(frames, admitAfter(floor)) : frames, accountId)
  },
})

async function* those(
  frames: AsyncIterable<Entry<ChannelEvent>>,
  admitted: (entry: Entry) => boolean,
): AsyncGenerator<Entry<ChannelEvent>> {
  for await (const frame of frames) if (admitted(frame)) yield frame
}

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
