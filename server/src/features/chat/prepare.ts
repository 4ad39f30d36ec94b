/** What happens between the record of a run and the first word: summary, plan, turn. */
import {
  type Prepared,
  answerReserve,
  chooseWindow,
  estimateTokens,
  isExcerpts,
  messageTokens,
  overflowWords,
  prepareExcerpts,
} from '../../core/generation/index.ts'
import { fail } from '../../platform/http/refusal.ts'
import type { Keyring } from '../../platform/vault/types.ts'
import { compactBeforeReply } from './compaction.ts'
import type { Room } from './deps.ts'
import { askWithReplays } from './replays.ts'
import { instructionWords } from './rules.ts'
import { rowToAttachment } from './stores/shapes.ts'
import type { SessionRow } from './tables.ts'
import { type Voice, type WeighedMessage, buildTurn } from './turn.ts'

/** What an answer is made from. */
export interface Material {
  /** With the summary that is in force on the path of the question. */
  readonly chat: SessionRow
  readonly voice: Voice
  readonly question: {
    readonly id: string
    readonly parentId: string | null
    readonly depth: number
    readonly weighed: WeighedMessage
  } | null
  /** The answer that is gone on with. */
  readonly partial: WeighedMessage | null
  readonly instruction: string | undefined
}

/** Refuses with `context_overflow`, before anything is stored, what could not be sent even by itself. */
export const refuseWhatCannotFit = ({ voice, question, partial }: Material): void => {
  const window = chooseWindow(voice.model, voice.options)
  let tokens = (voice.system ? estimateTokens(voice.system) : 0) + answerReserve(window.tokens, voice.options)
  for (const message of [question?.weighed, partial]) {
    if (message) tokens += message.textTokens + message.attachmentTokens + messageTokens
  }
  if (tokens > window.tokens) throw fail('context_overflow', overflowWords(tokens, window.tokens))
}

/** Makes an answer ready to be opened. Throws what the run then ends with. */
export const prepareAnswer = async (
  room: Room,
  keys: Keyring,
  material: Material,
  signal: AbortSignal,
): Promise<Prepared> => {
  const { voice, question } = material
  if (isExcerpts(voice.model.selection)) return answerFromFiles(room, keys, material)
  if (!question) return planAnswer(room, keys, material)
  const chat = await compactBeforeReply(room, keys, material.chat, question.id, voice, signal)
  return planAnswer(room, keys, { ...material, chat })
}

/** The same for a language model, without a summary before it. It reads, and changes nothing. */
export const planAnswer = async (room: Room, keys: Keyring, material: Material): Promise<Prepared> => {
  const { voice, question, partial, instruction } = material
  const { turn, plan } = await buildTurn(room, keys, material.chat, {
    voice,
    needed: [...(question ? [question.weighed] : []), ...(partial ? [partial] : [])],
    above: question?.parentId ? { id: question.parentId, count: question.depth } : null,
    instruction: instruction === undefined ? undefined : instructionWords(instruction),
    continues: partial !== null,
  })
  const again = turn.messages.some((message) => 'replay' in message)
  return {
    plan,
    costOf: (tokens) => room.costOf?.(voice.model.selection, tokens) ?? null,
    open: (signal) => (again ? askWithReplays(voice.model, turn, signal) : voice.model.ask(turn, signal)),
  }
}

/** Quotes from the text files of the chat. */
const answerFromFiles = async (room: Room, keys: Keyring, { chat, question }: Material): Promise<Prepared> => {
  const rows = await room.store.attachments.textsOfChat(chat.id)
  const documents = []
  for (const row of rows) {
    const bytes = await room.files.read(chat.account_id, row.id)
    if (bytes === null) continue
    const { name } = rowToAttachment(keys, row)
    documents.push({ attachmentId: row.id, name, text: Buffer.from(bytes).toString('utf8') })
  }
  const { language } = await room.preferences(chat.account_id)
  return prepareExcerpts({ question: question?.weighed.text ?? '', documents, language })
}
