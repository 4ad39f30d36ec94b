/** What happens between the record of a run and the first word: summary, plan, turn. */
import type { GenerateBody } from '@atrium/contract/chat'
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
import { type Room, openChat } from './deps.ts'
import { instructionWords } from './rules.ts'
import { openContent, rowToAttachment } from './stores/shapes.ts'
import type { AttachmentRow, MessageRow, SessionRow } from './tables.ts'
import type { Target } from './target.ts'
import { type Voice, buildTurn, weigh, weighRow } from './turn.ts'

/** Refuses with `context_overflow`, before anything is stored, what could not be sent even by itself. */
export const refuseWhatCannotFit = (
  voice: Voice,
  target: Target,
  text: string,
  attachments: readonly AttachmentRow[],
): void => {
  const needed = target.kind === 'question' ? [weigh('user', text, attachments, voice.model.vision)] : target.needed
  const window = chooseWindow(voice.model, voice.options)
  const fixed = (voice.system ? estimateTokens(voice.system) : 0) + answerReserve(window.tokens, voice.options)
  const tokens = needed.reduce((sum, m) => sum + m.textTokens + m.attachmentTokens + messageTokens, fixed)
  if (tokens > window.tokens) throw fail('context_overflow', overflowWords(tokens, window.tokens))
}

export interface AnswerRequest {
  readonly chatId: string
  readonly accountId: string
  readonly assistantId: string
  readonly voice: Voice
  readonly body: GenerateBody
  readonly target: Target['kind']
}

/** Makes an answer ready to be opened. Throws what the run then ends with. */
export const prepareAnswer = async (
  room: Room,
  keys: Keyring,
  request: AnswerRequest,
  signal: AbortSignal,
): Promise<Prepared> => {
  const { voice } = request
  const { chat } = await openChat(room, request.chatId, request.accountId)
  const answer = await readLive(room, chat, request.assistantId)
  const question = answer.parent_id === null ? null : await readLive(room, chat, answer.parent_id)
  if (isExcerpts(voice.model.selection)) return answerFromFiles(room, keys, chat, question)
  const summarised = question ? await compactBeforeReply(room, keys, chat, question, voice, signal) : chat
  const held = await room.store.attachments.heldBy(question ? [question.id] : [])
  const continues = request.target === 'continue'
  const instruction = request.body.instruction
  const { turn, plan } = await buildTurn(room, keys, summarised, {
    voice,
    needed: [
      ...(question ? [weighRow(keys, question, held.get(question.id) ?? [], voice.model.vision)] : []),
      ...(continues ? [weighRow(keys, answer, [], voice.model.vision)] : []),
    ],
    above: question?.parent_id ? { id: question.parent_id, count: question.depth } : null,
    instruction: instruction === undefined ? undefined : instructionWords(instruction),
    continues,
  })
  return { plan, open: (openSignal) => voice.model.ask(turn, openSignal) }
}

/** Quotes from the text files of the chat. */
const answerFromFiles = async (
  room: Room,
  keys: Keyring,
  chat: SessionRow,
  question: MessageRow | null,
): Promise<Prepared> => {
  const rows = await room.store.attachments.textsOfChat(chat.id)
  const documents = []
  for (const row of rows) {
    const bytes = await room.files.read(chat.account_id, row.id)
    if (bytes === null) continue
    const { name } = rowToAttachment(keys, row)
    documents.push({ attachmentId: row.id, name, text: Buffer.from(bytes).toString('utf8') })
  }
  const { language } = await room.preferences(chat.account_id)
  return prepareExcerpts({ question: question ? openContent(keys, question).text : '', documents, language })
}

const readLive = async (room: Room, chat: SessionRow, id: string): Promise<MessageRow> => {
  const row = await room.store.messages.read(chat.id, id)
  if (!row) throw fail('message_not_found')
  return row
}
