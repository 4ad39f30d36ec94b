/** Files that people give to questions of a tool: kept with the chat like what is attached to a message, and read for the model. */
import type { GivenFile, GivenFiles, ToolOutput } from '../../core/tools/index.ts'
import { inTables } from '../../platform/db/types.ts'
import type { ChatContext } from './context.ts'
import { fullDocumentTokens } from './generations/retrieval.ts'
import { isUnseen } from './generations/history.ts'
import { addPictureText } from './generations/picture-text.ts'
import { attachmentBlock, unseenImage } from './rules.ts'
import { openPictureText, rowToAttachment } from './stores/rows.ts'
import type { ChatTables } from './tables.ts'

/** A call holds files as a message, a draft and a queued prompt do. */
const holderOf = (callId: string): string => `call:${callId}`

/** Of a document that a result brings along: what does not fit is found by `read_document`. */
const mostDocumentTokens = 6000

export const createGivenFiles = (context: ChatContext): GivenFiles => ({
  async prepareKeep({ accountId, chatId, callId, files }) {
    const { attachments, sessions } = context.store
    if (!(await sessions.read(chatId, accountId))) return null
    const attachmentIds = [...new Set(idsOf(files, 'attachment'))]
    const documentIds = idsOf(files, 'document')
    const documents = await context.documents.describeDocuments(accountId, chatId, documentIds)
    if (!documentIds.every((id) => documents.some((document) => document.id === id))) return null
    return async (trx) => {
      const tables = inTables<ChatTables>(trx)
      if (!(await attachments.ownsAllIn(tables, accountId, attachmentIds))) return false
      await attachments.assign(tables, holderOf(callId), chatId, attachmentIds)
      return true
    }
  },

  read: ({ file, ...given }) =>
    file.kind === 'attachment'
      ? readAttachment(context, { ...given, id: file.id })
      : readDocument(context, { ...given, id: file.id }),
})

const idsOf = (files: readonly GivenFile[], kind: GivenFile['kind']): string[] =>
  files.flatMap((file) => (file.kind === kind ? file.id : []))

type Given = Omit<Parameters<GivenFiles['read']>[0], 'file'> & { readonly id: string }

const readAttachment = async (context: ChatContext, { accountId, id, vision, signal }: Given): Promise<ToolOutput> => {
  const keys = await context.vault.keyring(accountId)
  const row = await context.store.attachments.read(id, accountId)
  const bytes = row && (await context.files.read(accountId, id))
  if (!row || !bytes) return { text: '[The file is not there any more.]' }
  const { name } = rowToAttachment(keys, row)
  if (row.kind === 'text') return { text: attachmentBlock(name, Buffer.from(bytes).toString('utf8')), quotes: true }
  const media = [{ mediaType: row.media_type, bytes, name }]
  if (!isUnseen(row, vision)) return { text: `The picture "${name}" is attached.`, media, quotes: true }
  const printed = await addPictureText(context, keys, row, signal)
  return { text: unseenImage(name, openPictureText(keys, printed)), media, quotes: true }
}

/** Whole where it fits, else the passages that suit the question, as answers get documents of the chat. */
const readDocument = async (
  context: ChatContext,
  { accountId, chatId, id, question, signal }: Given,
): Promise<ToolOutput> => {
  await context.documents.waitUntilRead(accountId, chatId, signal)
  const [document] = await context.documents.describeDocuments(accountId, chatId, [id])
  if (!document) return { text: '[The document is not there any more.]' }
  const scope = { sessionId: chatId, library: false, collectionIds: [], documentIds: [id] }
  const full = { maxTokens: Math.min(fullDocumentTokens(context), mostDocumentTokens) }
  const { items } = await context.documents.retrieve(
    accountId,
    { text: question, history: [], scope, full, ask: null },
    signal,
  )
  const rest = items.length === 0 ? ' Nothing of it could be read yet.' : ''
  return {
    text: `The document "${document.name}" (id ${id}) is in this chat now; read_document reads all of it.${rest}`,
    sources: items.map(({ source, text }) => ({ ...source, passage: text })),
    links: [{ kind: 'document', id, title: document.name }],
    quotes: true,
  }
}
