/** The kind of the job that reads a document, and its payload. */
import { z } from 'zod'

export const readingKind = 'documents.ingest'

export const ReadingPayload = z.strictObject({
  documentId: z.string(),
  revision: z.number().int(),
  /** The text is stored already, and is only cut again. */
  keepText: z.boolean().default(false),
  /** The text is stored, and pages from this one on are added to it. */
  from: z.number().int().nullable().default(null),
  /** Pictures are read by the built-in reader, whichever vision model is chosen. */
  builtin: z.boolean().default(false),
})
export type ReadingPayload = z.infer<typeof ReadingPayload>
