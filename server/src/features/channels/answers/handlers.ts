/** Handlers for answers of models: follow and stop. */
import type { ChannelAnswerEvent, channelsRoutes } from '@atrium/contract/channels'
import type { Frame, Handlers } from '../../../platform/http/area.ts'
import { fail } from '../../../platform/http/refusal.ts'
import { type ChannelContext, openMessage, requireChannel } from '../context.ts'
import { presentMessage } from '../present.ts'
import { isDirect } from '../rules.ts'
import { stopAnswer } from './ask.ts'
import { answerFrames, lastFrame } from './run-kind.ts'

type Routes = Pick<typeof channelsRoutes, 'answerEvents' | 'cancelAnswer'>

/** The right to the channel is shown again at least so often while words come. */
const lookMs = 1000

export const answerHandlers = (context: ChannelContext): Handlers<Routes> => {
  const { generations, store } = context
  const requireAnswer = async (messageId: string) => {
    const answer = await store.answers.find(messageId)
    if (!answer) throw fail('channel_message_not_found')
    return answer
  }

  /** Whoever is no member any more hears nothing more. */
  async function* whileMember(
    frames: AsyncIterable<Frame<ChannelAnswerEvent>>,
    channelId: string,
    accountId: string,
  ): AsyncGenerator<Frame<ChannelAnswerEvent>> {
    let lookedAt = performance.now()
    for await (const frame of frames) {
      const isWords = frame.event.type === 'text'
      if (!isWords || performance.now() - lookedAt > lookMs) {
        if (!(await store.members.find(channelId, accountId))) return
        lookedAt = performance.now()
      }
      yield frame
    }
  }

  return {
    async answerEvents({ params: { messageId } }, { caller, after, signal }) {
      const { row } = await openMessage(context, caller, messageId)
      const answer = await requireAnswer(messageId)
      const run = answer.asked_by === null ? null : await generations.read(answer.run_id, answer.asked_by)
      const frames =
        run?.state === 'running'
          ? answerFrames(context, messageId, generations.follow(run, after, signal))
          : lastFrame(context, messageId, after + 1)
      return whileMember(frames, row.channel_id, caller.accountId)
    },

    async cancelAnswer({ params: { messageId } }, { caller }) {
      const { row, resource } = await openMessage(context, caller, messageId, 'write')
      const answer = await requireAnswer(messageId)
      const channel = await requireChannel(context, row.channel_id)
      const moderates = resource.right !== 'write' && !isDirect(channel.type)
      if (answer.asked_by !== caller.accountId && !moderates) throw fail('right_missing')
      await stopAnswer(context, answer)
      return await presentMessage(context, (await store.messages.find(messageId)) ?? row)
    },
  }
}
