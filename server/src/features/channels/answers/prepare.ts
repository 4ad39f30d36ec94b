/** Between the record of an answer and its first word: the right to the channel, the model, and what it gets to see. */
import type { Selection } from '@atrium/contract/common'
import {
  type PreparedAnswer,
  type UsableModel,
  answerReserve,
  chooseWindow,
  estimateTokens,
  imageTokens,
  isAgent,
  isExcerpts,
  overflowMessage,
  planContext,
  withWindow,
} from '../../../core/generation/index.ts'
import { fail } from '../../../platform/http/refusal.ts'
import type { ChannelContext } from '../context.ts'
import { presentMessages } from '../present.ts'
import type { MessageRow } from '../tables.ts'
import { readFiles } from './files.ts'
import { answerRules, questionPrompt, quoteFile, quoteMessage } from './prompt.ts'

/** So many messages before the question it sees at most. */
const mostEarlier = 30
/** So many letters of its files, whatever room there is. */
const mostFileLetters = 60_000
/** Where nobody says how large it is, in tokens. */
const usualWindow = 8192

/** A model that an account may ask in a channel. Refuses with `model_unavailable` and the reason. */
export const requireModel = async (
  context: ChannelContext,
  accountId: string,
  selection: Selection,
): Promise<UsableModel> => {
  // The one works in folders of whoever asks, the other quotes from their files.
  if (isAgent(selection) || isExcerpts(selection))
    throw fail('model_unavailable', 'Choose a language model: this one can’t answer in channels.')
  const found = await context.resolveModel(accountId, selection)
  if ('unavailable' in found) throw fail('model_unavailable', found.unavailable)
  return found.model
}

/** Makes an answer ready to be opened. Throws what the run then ends with. */
export const prepareAnswer = async (
  context: ChannelContext,
  questionId: string,
  accountId: string,
  selection: Selection,
): Promise<PreparedAnswer> => {
  const { store } = context
  const row = await store.messages.find(questionId)
  if (!row || row.deleted_at !== null) throw fail('channel_message_not_found')
  // Between the record and now they may have been removed: whoever removed them found no run to end.
  if (!(await store.members.find(row.channel_id, accountId))) throw fail('channel_not_found')
  const model = await requireModel(context, accountId, selection)
  const [question, ...others] = await presentMessages(context, row.channel_id, [row, ...(await earlier(context, row))])
  if (!question) throw fail('channel_message_not_found')
  const quotes = others.flatMap((message) => quoteMessage(message) ?? [])
  const asker = question.author?.name ?? ''
  const system = answerRules(model.name)
  const window = chooseWindow(model, {})
  const seen = [question, ...others.toReversed()]
  const { texts, pictures } = await readFiles(context, row.channel_id, seen, {
    // Some third of the window: the rest is for what was said, and for the answer.
    mostLetters: Math.min(mostFileLetters, Math.floor((window.tokens ?? usualWindow) * 1.2)),
    takesPictures: model.vision !== false,
  })
  const nameOf = new Map(seen.flatMap(({ attachments }) => attachments).map(({ id, name }) => [id, name]))
  const shown = {
    files: [...texts].map(([id, text]) => quoteFile(nameOf.get(id) ?? '', text)),
    pictures: pictures.map(({ id }) => nameOf.get(id) ?? ''),
    ids: new Set([...texts.keys(), ...pictures.map(({ id }) => id)]),
  }
  const result = await planContext({
    window,
    reserveTokens: answerReserve(window.tokens, {}),
    systemTokens: estimateTokens(system),
    summary: null,
    needed: [weigh(questionPrompt([], asker, question, shown), pictures.length * imageTokens)],
    earlier: quotes.length,
    history: newestFirst(quotes),
  })
  if (!result.fits) throw fail('context_overflow', overflowMessage(result.neededTokens, window.tokens))
  const fitting = quotes.slice(quotes.length - (result.messages.length - 1))
  return {
    plan: result.plan,
    open: (signal) =>
      model.ask(
        {
          model: model.selection.model,
          system,
          messages: [
            {
              role: 'user',
              text: questionPrompt(fitting, asker, question, shown),
              images: pictures.map(({ mediaType, data }) => ({ mediaType, data })),
            },
          ],
          tools: [],
          options: withWindow(model, {}, result.plan, window),
        },
        signal,
      ),
  }
}

/**
 * The thread up to the question, else the last messages before it, in reading order: what every member may read, as every
 * member reads the answer.
 */
const earlier = async ({ store }: ChannelContext, question: MessageRow): Promise<MessageRow[]> => {
  const { channel_id: channelId, parent_id: parentId, seq } = question
  const floor = await store.history.commonFloor(channelId)
  if (parentId === null) return (await store.messages.before(channelId, seq, mostEarlier, floor)).toReversed()
  const [root, replies] = await Promise.all([
    store.messages.find(parentId),
    store.messages.replies(parentId, seq, mostEarlier - 1),
  ])
  return [...(root ? [root] : []), ...replies.toReversed()].filter((row) => row.seq > floor)
}

const weigh = (text: string, attachmentTokens = 0) => ({
  role: 'user' as const,
  textTokens: estimateTokens(text),
  attachmentTokens,
  droppedImages: 0,
})

/** Quotations as `planContext` takes them. */
export async function* newestFirst(quotes: readonly string[]) {
  for (const quote of quotes.toReversed()) yield weigh(quote)
}
