/** The printed words of the pictures of a question, for models that cannot see them; read once, and kept. */
import { estimateTokens } from '../../../core/generation/index.ts'
import { readPrint } from '../../../platform/reader/index.ts'
import type { Keyring } from '../../../platform/vault/types.ts'
import type { ChatContext } from '../context.ts'
import { sealPictureText } from '../stores/rows.ts'
import type { AttachmentRow } from '../tables.ts'
import { estimateMessage } from './history.ts'
import type { AnswerInput } from './input.ts'

/** More than stands on a page in small print. */
const mostChars = 20_000

/** Whether there are pictures that nobody has read yet, and a model that cannot see them. */
export const needsPictureText = ({ question, config }: AnswerInput): boolean =>
  config.model.vision === false && (question?.attachments.some(isUnread) ?? false)

/** The input with those words, as far as they fit into `freeTokens`; the same where the model sees, or nothing is printed. */
export const withPictureText = async (
  context: ChatContext,
  keys: Keyring,
  input: AnswerInput,
  freeTokens: number,
  signal: AbortSignal,
): Promise<AnswerInput> => {
  const { question, config, chat } = input
  const { vision } = config.model
  if (!question || !needsPictureText(input)) return input
  const { language } = await context.preferences(chat.account_id)
  let free = freeTokens
  const attachments: AttachmentRow[] = []
  for (const row of question.attachments) {
    const known = isUnread(row) ? await read(context, keys, row, language, signal) : row
    const fits = known === row || (known.print_tokens ?? 0) <= free
    if (known !== row && fits) free -= known.print_tokens ?? 0
    attachments.push(fits ? known : row)
  }
  const message = estimateMessage('user', question.text, attachments, vision)
  return { ...input, question: { ...question, ...message } }
}

const isUnread = ({ kind, print_tokens }: AttachmentRow): boolean => kind === 'image' && print_tokens === null

/** A picture with its printed words, which are read where nobody has yet. */
export const addPictureText = async (
  context: ChatContext,
  keys: Keyring,
  row: AttachmentRow,
  signal: AbortSignal,
): Promise<AttachmentRow> => {
  if (!isUnread(row)) return row
  const { language } = await context.preferences(row.account_id)
  return await read(context, keys, row, language, signal)
}

const read = async (
  context: ChatContext,
  keys: Keyring,
  row: AttachmentRow,
  language: string,
  signal: AbortSignal,
): Promise<AttachmentRow> => {
  const bytes = await context.files.read(row.account_id, row.id)
  if (bytes === null) return row
  const found = await readPrint(bytes, { language, signal })
  const text = 'failure' in found ? '' : found.text.slice(0, mostChars).toWellFormed()
  const printed = {
    print: text === '' ? null : sealPictureText(keys, row.id, text),
    print_tokens: text === '' ? 0 : estimateTokens(text),
  }
  await context.store.attachments.savePictureText({ id: row.id, ...printed })
  return { ...row, ...printed }
}
