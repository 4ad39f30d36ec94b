/** Documents for tests: uploaded as a browser uploads them, and waited for. */
import { type Document, documentKnowledge } from '@atrium/contract/document-knowledge'
import type { Answer } from '@atrium/contract/route'
import type { Client } from './client.ts'

export interface Sent {
  readonly name?: string
  readonly type?: string
  readonly sessionId?: string
  readonly collectionId?: string
}

/** The body of an upload: a form, with its border in its type. */
export const formOf = async (
  content: string | Uint8Array,
  { name = 'notes.txt', type = '', ...fields }: Sent = {},
): Promise<Blob> => {
  const form = new FormData()
  for (const [field, value] of Object.entries(fields)) form.set(field, value)
  form.set('document', new File([content as Uint8Array<ArrayBuffer>], name, { type }))
  return await new Response(form).blob()
}

export const upload = async (
  client: Client,
  content: string | Uint8Array,
  sent?: Sent,
): Promise<Answer<typeof documentKnowledge.upload>> =>
  client.call(documentKnowledge.upload, { file: await formOf(content, sent) })

/** Waits until a document is read, or cannot be. */
export const readToEnd = async (client: Client, documentId: string): Promise<Document> => {
  for (const end = Date.now() + 60_000; ; ) {
    const { content: _content, segments: _segments, ...document } = await client.call(documentKnowledge.read, {
      params: { documentId },
    })
    if (document.processingStatus === 'completed' || document.processingStatus === 'failed') return document
    if (Date.now() > end) throw new Error(`The document is still ${document.processingStatus}.`)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

export const uploadAndRead = async (client: Client, content: string | Uint8Array, sent?: Sent): Promise<Document> =>
  readToEnd(client, (await upload(client, content, sent)).id)
