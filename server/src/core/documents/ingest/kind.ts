/** The kind of job that reads a document, and what it is told. */
import { z } from 'zod'

export const readingKind = 'documents.ingest'

export const ReadingPayload = z.strictObject({
  documentId: z.string(),
  revision: z.number().int(),
  /** The text is there already, and only cut anew. */
  keepText: z.boolean().default(false),
})
export type ReadingPayload = z.infer<typeof ReadingPayload>
