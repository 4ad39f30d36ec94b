/** What documents are: files that answers quote from. */
import { z } from 'zod'
import { Id, Time } from '../common.ts'
import { SourceLocation } from '../generation.ts'

export const FileType = z.enum([
  'pdf',
  'docx',
  'pptx',
  'xlsx',
  'odt',
  'odp',
  'ods',
  'rtf',
  'md',
  'html',
  'csv',
  'txt',
  'json',
  'code',
  'eml',
  'epub',
  'ics',
  'zip',
  'image',
  'audio',
])
export type FileType = z.infer<typeof FileType>

/** Why a document could not be read, in a closed list; each has a sentence in `processingError`. */
export const DocumentFailure = z.enum([
  'empty',
  'unsupported',
  'mismatch',
  'encrypted',
  'damaged',
  'too_complex',
  'timeout',
  'no_text',
  'needs_vision',
  'vision_failed',
  'needs_speech',
  'speech_not_allowed',
  'speech_failed',
  'cancelled',
  'internal',
])
export type DocumentFailure = z.infer<typeof DocumentFailure>

/**
 * What the job that reads a document does just now, as `progress.message`: one of these, or one of these with how much
 * of how much is done, such as `looking 3 6` (pictures) or `indexing 1200 4000` (passages). `progress.current` of
 * `progress.total` (100) is an estimate of all of it.
 */
export const ReadingStage = z.enum(['reading', 'looking', 'transcribing', 'cutting', 'indexing'])
export type ReadingStage = z.infer<typeof ReadingStage>

/** Vectors of a document: switched off, waiting, all there, or given up (words still find it). */
export const EmbeddingState = z.enum(['off', 'pending', 'done', 'failed'])

export const Document = z.strictObject({
  id: Id,
  filename: z.string(),
  fileType: FileType,
  mediaType: z.string(),
  size: z.number().int(),
  /** The chat it belongs to; null for the library. */
  sessionId: Id.nullable(),
  collectionId: Id.nullable(),
  /** Where it was fetched from. */
  url: z.string().nullable(),
  uploadedAt: Time,
  updatedAt: Time,
  /** `completed` means that words find it; vectors may still be on their way. */
  processingStatus: z.enum(['queued', 'processing', 'completed', 'failed']),
  processingError: z.string().nullable(),
  processingErrorCode: DocumentFailure.nullable(),
  /** The work that reads it, followed at `/api/jobs/{id}/events`. */
  jobId: Id.nullable(),
  contentChars: z.number().int(),
  /** An estimate of what all of its text costs in a context. */
  tokens: z.number().int(),
  chunks: z.number().int(),
  embedding: z.strictObject({ state: EmbeddingState, chunks: z.number().int() }),
  /** Pages, slides or sheets, where it has any. */
  parts: z.number().int().nullable(),
  /** How many of `parts` were read: a vision model reads a scan 20 pages at a time. null where that is not known. */
  partsRead: z.number().int().nullable(),
  /** `builtin`: a picture of print was read by the built-in reader, which may err. null: it has text, or a model read it. */
  readBy: z.enum(['builtin']).nullable(),
  /** Whether more of its pages can be read, see `POST /api/documents/{documentId}/read-on`. */
  canReadOn: z.boolean(),
  /** Reached through a grant; its owner is somebody else. */
  shared: z.boolean(),
  /** With how many accounts and groups its owner shares it, beside those of its collection and its chat; null for others. */
  grantCount: z.number().int().nullable(),
})
export type Document = z.infer<typeof Document>

/** A stretch of the text and where it stands in the original. Offsets count UTF-16 units of `content`. */
export const Segment = z.strictObject({
  kind: z.enum(['page', 'slide', 'sheet', 'section', 'lines', 'message', 'file']),
  label: z.string(),
  startChar: z.number().int(),
  endChar: z.number().int(),
})
export type Segment = z.infer<typeof Segment>

export const DocumentText = Document.extend({ content: z.string(), segments: z.array(Segment) })
export type DocumentText = z.infer<typeof DocumentText>

/** A piece that a document was cut into, as searches find it. Neighbours share some text. */
export const DocumentPassage = z.strictObject({
  /** From 0, in reading order. */
  index: z.number().int(),
  /** In UTF-16 units of the document's `content`. */
  startChar: z.number().int(),
  endChar: z.number().int(),
  content: z.string(),
  location: SourceLocation.nullable(),
})
export type DocumentPassage = z.infer<typeof DocumentPassage>

/** A passage that a search found. */
export const DocumentHit = z.strictObject({
  documentId: Id,
  filename: z.string(),
  fileType: FileType,
  chunkIndex: z.number().int(),
  startChar: z.number().int(),
  endChar: z.number().int(),
  content: z.string(),
  location: SourceLocation.nullable(),
  /** Of the ranking that decided; comparable within one answer only. */
  score: z.number(),
  foundBy: z.enum(['words', 'meaning', 'both']),
  /** Cosine of the vectors, where they were compared. */
  similarity: z.number().nullable(),
  /** BM25, where words were compared. */
  lexical: z.number().nullable(),
})
export type DocumentHit = z.infer<typeof DocumentHit>

export const Collection = z.strictObject({
  id: Id,
  name: z.string(),
  createdAt: Time,
  updatedAt: Time,
  documentCount: z.number().int(),
  /** Whose it is: the caller's own, or reached through a grant. */
  shared: z.boolean(),
  ownerName: z.string().nullable(),
  /** How many accounts and groups the owner shares it with; null for a collection of somebody else. */
  grantCount: z.number().int().nullable(),
})
export type Collection = z.infer<typeof Collection>

/** How documents are cut and searched. */
export const EmbeddingSettings = z.strictObject({
  /** Hybrid mode. Without it words alone find passages. */
  enabled: z.boolean().default(false),
  /** `local` for the local runtime. */
  providerId: z.string().min(1).max(200).default('local'),
  model: z.string().min(1).max(200).default('nomic-embed-text'),
  chunkSize: z.number().int().min(200).max(8000).default(1000),
  chunkOverlap: z.number().int().min(0).max(2000).default(200),
  similarityThreshold: z.number().min(-1).max(1).default(0.3),
  /** Excerpts that a question gets. */
  maxExcerpts: z.number().int().min(1).max(20).default(6),
  /** The chat's own model puts the best passages in order once more. */
  rerank: z.boolean().default(false),
  /** A follow-up question is first worded as a question that stands alone. */
  rewriteQuestions: z.boolean().default(true),
})
export type EmbeddingSettings = z.infer<typeof EmbeddingSettings>

const settings = EmbeddingSettings.shape
export const EmbeddingSettingsPatch = z.strictObject({
  enabled: settings.enabled.unwrap().optional(),
  providerId: settings.providerId.unwrap().optional(),
  model: settings.model.unwrap().optional(),
  chunkSize: settings.chunkSize.unwrap().optional(),
  chunkOverlap: settings.chunkOverlap.unwrap().optional(),
  similarityThreshold: settings.similarityThreshold.unwrap().optional(),
  maxExcerpts: settings.maxExcerpts.unwrap().optional(),
  rerank: settings.rerank.unwrap().optional(),
  rewriteQuestions: settings.rewriteQuestions.unwrap().optional(),
})
export type EmbeddingSettingsPatch = z.infer<typeof EmbeddingSettingsPatch>
