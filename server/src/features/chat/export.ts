/** Chats as their owner takes them along: JSON with everything, Markdown to read, and the attachments as they were sent. */
import { openWords } from '../../platform/stored-json.ts'
import type { ChatSummary, chatRoutes } from '@atrium/contract/chat'
import { type ArchiveFile, bytesOf, jsonBytes, safeName } from '../../platform/archive/write.ts'
import { readWhileThere } from '../../platform/files/read.ts'
import type { Handlers } from '../../platform/http/area.ts'
import type { Keyring } from '../../platform/vault/types.ts'
import { toIsoTime } from '../../platform/iso-time.ts'
import { type ChatContext, openChat } from './context.ts'
import { describeCalls } from './export-calls.ts'
import { chatAsHtml } from './export-html.ts'
import { readTagNames } from './messages/serialise.ts'
import { citedSources, type ExportWords, exportWords, webAddressOf } from './export-words.ts'
import {
  openBranchName,
  openContent,
  openFolderSettings,
  openTitle,
  rowToAttachment,
  rowToSummary,
  textToSelection,
} from './stores/rows.ts'
import type { AttachmentRow, MessageRow, SessionRow } from './tables.ts'

/** Messages that are opened at a time. */
const slice = 200

/** Chats, also archived ones and those in the trash, with their attachments and projects. */
export async function* exportChats(
  context: ChatContext,
  accountId: string,
  signal: AbortSignal,
): AsyncIterable<ArchiveFile> {
  const keys = await context.vault.keyring(accountId)
  const folders = await readFolderNames(context, keys, accountId)
  for await (const chat of context.store.exporting.chats(accountId)) {
    signal.throwIfAborted()
    const title = openTitle(keys, chat)
    const name = safeName(title, `chats/${toIsoTime(chat.created_at).slice(0, 10)} ${chat.id.slice(-8)}`)
    const tags = (await readTagNames(context, keys, [chat.id])).get(chat.id) ?? []
    const about = { ...rowToSummary(keys, chat, { tags }), folder: folders.get(chat.folder_id ?? '') ?? null }
    const file = { modifiedAt: chat.updated_at, pack: true }
    yield { ...file, name: `${name}.json`, content: bytesOf(asJson(context, keys, chat, about)) }
    yield {
      ...file,
      name: `${name}.md`,
      content: bytesOf(await asMarkdown(context, keys, chat, { title, tags }, exportWords())),
    }
  }
  const projects = await readProjects(context, keys, accountId)
  if (projects.length > 0)
    yield { name: 'projects.json', modifiedAt: context.clock.now(), pack: true, content: jsonBytes(projects) }
  const attachments = []
  for await (const row of context.store.exporting.attachments(accountId)) {
    signal.throwIfAborted()
    const attachment = rowToAttachment(keys, row)
    const file = await context.files.open(accountId, row.id)
    const name = safeName(attachment.name, `attachments/${row.id.slice(-8)}`)
    attachments.push({ ...attachment, file: file ? name : null })
    if (file) yield { name, modifiedAt: row.created_at, pack: row.kind === 'text', content: readWhileThere(file) }
  }
  if (attachments.length > 0)
    yield {
      name: 'attachments/index.json',
      modifiedAt: context.clock.now(),
      pack: true,
      content: jsonBytes(attachments),
    }
}

/** One chat, at once. */
export const exportHandlers = (context: ChatContext): Handlers<Pick<typeof chatRoutes, 'export'>> => ({
  async export({ params, query: { format, ...speech } }, { caller }) {
    const { chat, keys } = await openChat(context, params.sessionId, caller.accountId)
    const title = openTitle(keys, chat)
    const tags = (await readTagNames(context, keys, [chat.id])).get(chat.id) ?? []
    const named = (end: string) => ({
      fileName: safeName(title, toIsoTime(chat.created_at).slice(0, 10), end),
      disposition: 'attachment' as const,
    })
    if (format === 'markdown') {
      const body = bytesOf(await asMarkdown(context, keys, chat, { title, tags }, exportWords(speech)))
      return { body, mediaType: 'text/markdown; charset=utf-8', ...named('.md') }
    }
    if (format === 'html') {
      const body = bytesOf(await chatAsHtml(context, keys, chat, { title, tags }, exportWords(speech)))
      return { body, mediaType: 'text/html; charset=utf-8', ...named('.html') }
    }
    const folder = (await readFolderNames(context, keys, caller.accountId)).get(chat.folder_id ?? '') ?? null
    const about = { ...rowToSummary(keys, chat, { tags }), folder }
    return {
      body: bytesOf(asJson(context, keys, chat, about)),
      mediaType: 'application/json; charset=utf-8',
      ...named('.json'),
    }
  },
})

/** Projects with what counts for their chats. */
const readProjects = async (context: ChatContext, keys: Keyring, accountId: string): Promise<object[]> => {
  const rows = await context.store.folders.list(accountId)
  return rows.map((row) => ({
    id: row.id,
    name: openWords(keys, 'chat_folders.name', row.id, row.name),
    parentId: row.parent_id,
    filesCollectionId: row.files_collection_id,
    ...openFolderSettings(keys, row),
  }))
}

const readFolderNames = async (
  context: ChatContext,
  keys: Keyring,
  accountId: string,
): Promise<Map<string, string>> => {
  const rows = await context.store.folders.list(accountId)
  return new Map(rows.map(({ id, name }) => [id, openWords(keys, 'chat_folders.name', id, name)]))
}

/** Every message, also those of branches that were left; `parentId` says how they hang together. */
async function* asJson(context: ChatContext, keys: Keyring, chat: SessionRow, about: object): AsyncIterable<string> {
  yield `${JSON.stringify({ ...about, activeLeafId: chat.active_leaf_id }, null, 2).slice(0, -2)},\n  "messages": [`
  let first = true
  for await (const rows of context.store.exporting.messages(chat.id, slice)) {
    const held = await context.store.attachments.ofMessages(rows)
    for (const row of rows) {
      const { id, parent_id: parentId, role, status } = row
      const attachments = (held.get(id) ?? []).map((attachment) => attachment.id)
      const message = {
        id,
        parentId,
        role,
        status,
        selection: textToSelection(row.selection),
        rating: row.rating,
        pinned: row.pinned_at !== null,
        branchName: openBranchName(keys, row),
        createdAt: toIsoTime(row.created_at),
        ...openContent(keys, row),
        attachments,
      }
      yield `${first ? '' : ','}\n    ${JSON.stringify(message)}`
      first = false
    }
  }
  yield '\n  ]\n}\n'
}

/** The branch that was read last, from its first message on. */
const asMarkdown = async (
  context: ChatContext,
  keys: Keyring,
  chat: SessionRow,
  { title, tags }: Pick<ChatSummary, 'title' | 'tags'>,
  words: ExportWords,
): Promise<string[]> => {
  const texts: string[] = []
  for (let leaf = chat.active_leaf_id; leaf !== null; ) {
    const rows: MessageRow[] = await context.store.messages.upwards(chat.id, leaf, slice)
    const held = await context.store.attachments.ofMessages(rows)
    for (const row of rows) texts.push(paragraph(keys, row, held.get(row.id) ?? [], words))
    leaf = rows.at(-1)?.parent_id ?? null
  }
  const tagged = tags.length > 0 ? [`${words.tagged(tags)}\n\n`] : []
  return [`# ${title}\n\n`, ...tagged, ...texts.reverse()]
}

const paragraph = (
  keys: Keyring,
  row: MessageRow,
  attachments: readonly AttachmentRow[],
  words: ExportWords,
): string => {
  const { text, documents, toolCalls, sources } = openContent(keys, row)
  const named = [...attachments.map((attachment) => rowToAttachment(keys, attachment)), ...documents]
  const files = named.length > 0 ? `${named.map(({ name }) => `📎 ${name}`).join('\n')}\n\n` : ''
  const calls = describeCalls(toolCalls).map((line) => `- ${codeSpan(line)}\n`)
  const called = calls.length > 0 ? `${calls.join('')}\n` : ''
  const cited = citedSources({ sources }).map((source) => {
    const url = webAddressOf(source)
    return `- \\[${source.number}\\] ${words.titleOf(source)}${url === null ? '' : `, <${url}>`}\n`
  })
  const list = cited.length > 0 ? `${cited.join('')}\n` : ''
  return `## ${words.nameOf(row)} · ${words.timeOf(row.created_at)}\n\n${files}${called}${text}\n\n${list}`
}

/** As code in Markdown, whatever signs it holds. */
const codeSpan = (text: string): string => {
  let longest = 0
  for (const [run] of text.matchAll(/`+/g)) longest = Math.max(longest, run.length)
  const fence = '`'.repeat(longest + 1)
  return longest === 0 ? `\`${text}\`` : `${fence} ${text} ${fence}`
}
