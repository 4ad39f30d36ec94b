/** What models may do with documents: search, list and read those that the account may read. */
import type { Document, documentsRoutes } from '@atrium/contract/documents'
import { z } from 'zod'
import { nameLine, textWindow } from '../../platform/areas/tool-text.ts'
import { type Tool, type ToolOutput, defineTool } from '../../platform/areas/tool.ts'
import type { Handlers } from '../../platform/http/area.ts'
import { callFor } from '../../platform/http/on-behalf.ts'
import { fail } from '../../platform/http/refusal.ts'
import { type DocumentContext, readReach } from './context.ts'
import { everyCollection } from './retrieval/scope.ts'
import { openName } from './stores/index.ts'
import type { Documents } from './types.ts'

/** Characters of a document that one call gives. */
const windowLength = 16_000
const mostListed = 50
/** Of the passage by which an answer cites what it read. */
const citedLength = 300

/** What strangers wrote may stand in a document and in its name. */
const reads = { sideEffect: false, readsPrivateData: true, readsForeignText: true, sendsData: false } as const

export const documentTools = (
  context: DocumentContext,
  handlers: Pick<Handlers<typeof documentsRoutes>, 'list'>,
  retrieve: Documents['retrieve'],
): Tool[] => [
  defineTool({
    ...reads,
    name: 'search_documents',
    description:
      'Searches the documents that the user may read, those of this chat included, and returns the passages that match best. Use it when the answer may stand in them. Search for the words that the documents are likely to use.',
    arguments: z.strictObject({
      query: z.string().trim().min(1).max(1000).describe('What to search for'),
      limit: z.number().int().min(1).max(10).optional().describe('Passages at most (default 5)'),
    }),
    async run({ query, limit = 5 }, { accountId, chatId, signal }) {
      const scope = { sessionId: chatId, library: true, collectionIds: await everyCollection(context, accountId) }
      const { items, retrieval } = await retrieve(
        accountId,
        { text: query, history: [], scope, full: null, ask: null, limit },
        signal,
      )
      const waiting = retrieval.notes.find(({ code }) => code === 'documents_processing')?.count ?? 0
      const note = waiting > 0 ? ` ${waiting} documents are still being read and cannot be found yet.` : ''
      if (items.length === 0)
        return {
          text:
            retrieval.documents === 0
              ? `The user has no documents to search.${note}`
              : `None of the ${retrieval.documents} documents matches “${query}”. Try other words.${note}`,
        }
      const about = new Map(items.map(({ source }) => [source.documentId, source.name]))
      return {
        text: `Passages of documents for “${query}”.${note}\n${[...about].map(([id, name]) => `- ${nameLine(name)} (id ${id})`).join('\n')}`,
        sources: items.map(({ source }) => source),
      }
    },
  }),

  defineTool({
    ...reads,
    name: 'list_documents',
    description: `Lists the documents that the user may read, newest first, ${mostListed} at a time, with the ids that read_document takes.`,
    arguments: z.strictObject({
      name: z.string().trim().min(1).max(200).optional().describe('Only documents whose name has these words'),
      cursor: z.string().max(500).optional().describe('To go on, as the last list said'),
    }),
    async run({ name, cursor }, { accountId, signal }) {
      const { items, nextCursor } = await callFor({ accountId, signal, resource: null }, handlers.list, {
        query: { in: 'all', limit: mostListed, q: name, cursor },
      })
      if (items.length === 0)
        return { text: name ? `No document has “${name}” in its name.` : 'There are no documents.' }
      const more = nextCursor === null ? [] : [`There are more: call list_documents with cursor ${nextCursor}.`]
      return { text: [...items.map(lineOf), ...more].join('\n') }
    },
  }),

  defineTool({
    ...reads,
    name: 'read_document',
    description: `Reads the text of a document, ${windowLength} characters at a time. To read on, call it again with the offset that it tells you.`,
    arguments: z.strictObject({
      id: z.string().min(1).max(100).describe('Its id, as search_documents and list_documents tell it'),
      offset: z.number().int().min(0).max(1_000_000_000).optional().describe('From which character on (default 0)'),
    }),
    run: ({ id, offset = 0 }, { accountId }) => readDocument(context, accountId, id, offset),
  }),
]

const readDocument = async (
  context: DocumentContext,
  accountId: string,
  id: string,
  offset: number,
): Promise<ToolOutput> => {
  const [row] = await context.store.rows.visibleMany(accountId, await readReach(context, accountId), [id])
  if (!row) throw fail('document_not_found')
  const name = nameLine(openName(await context.vault.keyring(row.account_id), row))
  if (row.state !== 'completed') {
    const why = row.state === 'failed' ? 'could not be read' : 'is still being read; try again in a moment'
    return { text: `${name} ${why}.`, isError: true }
  }
  const { content = '', segments = [] } = (await context.store.contents.text(row)) ?? {}
  const window = textWindow(content, offset, windowLength, (next) => `call read_document with offset ${next}`)
  if (!window) return { text: `${name} has ${content.length} characters; choose an offset below that.`, isError: true }
  const begin = window.end - window.part.length
  const segment = segments.findLast(({ start }) => start <= begin)
  const location = segment ? { kind: segment.kind, label: segment.label, number: segment.number } : null
  return {
    text: `${name}\n${window.words}\n\n${window.part}`,
    sources: [
      {
        kind: 'document',
        documentId: id,
        startChar: begin,
        endChar: window.end,
        name,
        section: location?.kind === 'section' ? location.label : null,
        location,
        passage: window.part.slice(0, citedLength).toWellFormed(),
        score: 1,
        foundBy: 'beginning',
      },
    ],
    links: [{ kind: 'document', id, title: name }],
  }
}

const lineOf = (document: Document): string => {
  const facts = [
    document.fileType,
    ...(document.parts === null ? [] : [`${document.parts} pages`]),
    document.processingStatus === 'completed' ? `${document.contentChars} characters` : document.processingStatus,
    `added ${document.uploadedAt.slice(0, 10)}`,
    ...(document.shared ? ['shared by somebody else'] : []),
  ]
  return `- ${nameLine(document.filename)} (id ${document.id}; ${facts.join(', ')})`
}
