/** The turn: what is asked of a model, and the events that come back. */
import { z } from 'zod'
import { Currency, Id, Money, Time } from './common.ts'

/** Sampling and limits; whatever is absent is left to the provider. Names follow the local runtime's. */
export const GenerationOptions = z.strictObject({
  temperature: z.number().min(0).max(2).optional(),
  top_p: z.number().min(0).max(1).optional(),
  top_k: z.number().int().min(0).max(1000).optional(),
  min_p: z.number().min(0).max(1).optional(),
  /** -1: no limit, whatever else is set. */
  num_predict: z.union([z.literal(-1), z.number().int().min(1).max(1_000_000)]).optional(),
  num_ctx: z.number().int().min(128).max(2_097_152).optional(),
  seed: z.number().int().optional(),
  repeat_penalty: z.number().min(0).max(2).optional(),
  presence_penalty: z.number().min(-2).max(2).optional(),
  frequency_penalty: z.number().min(-2).max(2).optional(),
  stop: z.array(z.string().min(1).max(200)).max(8).optional(),
  think: z.union([z.boolean(), z.enum(['low', 'medium', 'high'])]).optional(),
  /** The form that the answer must have: any JSON, or what a JSON Schema describes. */
  format: z.union([z.literal('json'), z.record(z.string(), z.unknown())]).optional(),
  // What follows is the local runtime's alone; others are not told of it.
  typical_p: z.number().min(0).max(1).optional(),
  repeat_last_n: z.number().int().min(-1).max(2_097_152).optional(),
  penalize_newline: z.boolean().optional(),
  num_batch: z.number().int().min(1).max(65_536).optional(),
  num_keep: z.number().int().min(-1).max(2_097_152).optional(),
  numa: z.boolean().optional(),
  num_thread: z.number().int().min(0).max(1024).optional(),
  num_gpu: z.number().int().min(-1).max(1024).optional(),
  main_gpu: z.number().int().min(0).max(64).optional(),
  use_mmap: z.boolean().optional(),
  /** How long the model stays in memory: seconds, or `5m`; -1 for good. */
  keep_alive: z.union([z.number().int().min(-1).max(2_592_000), z.string().regex(/^-?\d{1,6}(ms|s|m|h)$/)]).optional(),
})
export type GenerationOptions = z.infer<typeof GenerationOptions>

/** What an answer cost by the prices that hold. */
export const Cost = z.strictObject({ amount: Money, currency: Currency })
export type Cost = z.infer<typeof Cost>

export const Usage = z.strictObject({
  inputTokens: z.number().int().nullable(),
  outputTokens: z.number().int().nullable(),
  /** From the request to the first piece of text. */
  firstTokenMs: z.number().int().nullable(),
  durationMs: z.number().int(),
  /** Output tokens over the time since the first one; null where the provider reports no tokens. */
  tokensPerSecond: z.number().nullable(),
  /** Of the input, what the provider had kept; absent or null where it does not say. */
  cachedTokens: z.number().int().nullable().optional(),
  /** null where nobody knows. Absent in answers from before there were prices. */
  cost: Cost.nullable().optional(),
})
export type Usage = z.infer<typeof Usage>

/** How the context was planned against the model's window. Token figures are estimates. */
export const ContextPlan = z.strictObject({
  windowTokens: z.number().int().nullable(),
  /** Where the window's size comes from. */
  windowSource: z.enum(['provider', 'options', 'default']),
  systemTokens: z.number().int(),
  summaryTokens: z.number().int(),
  attachmentTokens: z.number().int(),
  /** Of documents and pages on the web that were put before the question; absent when there were none. */
  excerptTokens: z.number().int().optional(),
  historyTokens: z.number().int(),
  reserveTokens: z.number().int(),
  includedMessages: z.number().int(),
  /** Earlier messages of this path that are left out (and not covered by a summary). */
  droppedMessages: z.number().int(),
  summarisedMessages: z.number().int(),
  /** Images that this model cannot look at; it is told their names instead. */
  droppedImages: z.number().int(),
  /** Images that it cannot look at either, but whose printed words the built-in reader gave it; absent: none. */
  readImages: z.number().int().optional(),
})
export type ContextPlan = z.infer<typeof ContextPlan>

/** Where in the original a passage stands. */
export const SourceLocation = z.strictObject({
  kind: z.enum(['page', 'slide', 'sheet', 'section', 'lines', 'message', 'file']),
  /** For people: `Page 3`, the name of a sheet, a heading. */
  label: z.string(),
  /** The physical page or the slide, from 1. */
  number: z.number().int().nullable(),
})
export type SourceLocation = z.infer<typeof SourceLocation>

/** A passage that was given to the model. What is absent does not apply, or was not kept when the answer was written. */
export const Source = z.strictObject({
  /** By which the answer cites it, from 1. */
  number: z.number().int().optional(),
  /** Absent: a file of the chat. */
  kind: z.enum(['attachment', 'document', 'web']).optional(),
  attachmentId: Id.optional(),
  documentId: Id.optional(),
  chunkIndex: z.number().int().optional(),
  startChar: z.number().int().optional(),
  endChar: z.number().int().optional(),
  /** Of a page on the web. */
  url: z.string().optional(),
  /** A file name, or the title of a page. */
  name: z.string(),
  /** A heading of the text that the passage stands under. */
  section: z.string().nullable(),
  location: SourceLocation.nullable().optional(),
  passage: z.string(),
  score: z.number(),
  foundBy: z.enum(['words', 'meaning', 'both', 'whole', 'beginning']).optional(),
  /** `builtin`: its document is a picture that the built-in reader read, which may err. */
  readBy: z.enum(['builtin']).optional(),
  /** Whether the answer cites it; known once it is written. */
  cited: z.boolean().optional(),
})
export type Source = z.infer<typeof Source>

/** What was looked for on behalf of an answer, and what came of it. */
export const Retrieval = z.strictObject({
  /** `full`: all text of every document in scope was sent. */
  mode: z.enum(['keyword', 'hybrid', 'full', 'none']),
  /** The words that were looked for; a follow-up question may have been worded anew. */
  query: z.string(),
  /** Documents in scope, and the passages that were given to the model. */
  documents: z.number().int(),
  excerpts: z.number().int(),
  tokens: z.number().int(),
  /** Nothing qualified, although there was something to look in. */
  nothingMatched: z.boolean(),
  /** Whether the chat itself has documents or chosen collections; without them a miss is no news. */
  asked: z.boolean(),
  /** The best three that did not qualify, when nothing did. */
  nearest: z.array(Source),
  /** Why it was done otherwise than chosen, in a closed list; with figures where there are any. */
  notes: z.array(
    z.strictObject({
      code: z.enum([
        'full_too_large',
        'embeddings_pending',
        'embeddings_failed',
        'other_embedding_model',
        'rerank_failed',
        'rewrite_failed',
        'documents_processing',
        'documents_failed',
        'excerpts_dropped',
        'web_failed',
        'web_partial',
      ]),
      count: z.number().int().optional(),
      limit: z.number().int().optional(),
    }),
  ),
  /** Pages on the web: how many were found and read. Absent when the web was not asked. */
  web: z.strictObject({ queries: z.array(z.string()), results: z.number().int(), pages: z.number().int() }).optional(),
})
export type Retrieval = z.infer<typeof Retrieval>

/** Why an answer ended before its end, in a closed list. */
export const Failure = z.strictObject({
  code: z.string(),
  detail: z.string(),
  /** Before then the provider takes no other try; absent: it did not say. */
  retryAt: Time.optional(),
})
export type Failure = z.infer<typeof Failure>

/** How a question for permission can be answered; `allow_chat` and `always_allow_tool` hold for later calls of the same tool. */
export const ToolDecision = z.enum(['allow_once', 'allow_chat', 'always_allow_tool', 'deny'])
export type ToolDecision = z.infer<typeof ToolDecision>

/**
 * Why a call is asked about, in a closed list: it changes or costs something, a rule says so, what it sends could be
 * private and somebody else may have worded it, or nobody here wrote the address that it calls.
 */
export const ToolReason = z.enum(['side_effect', 'rule', 'private_and_foreign', 'unknown_address'])
export type ToolReason = z.infer<typeof ToolReason>

/** One of the questions that a model has for the person. */
export const ToolQuestion = z.strictObject({
  id: z.string(),
  text: z.string(),
  /** `file`: answered by `{ attachmentId }` or `{ documentId }` of a file that was uploaded for the chat before. */
  kind: z.enum(['choice', 'text', 'number', 'file']),
  /** Of a choice. */
  options: z.array(z.string()).optional(),
  /** Of a choice: several may be taken. */
  several: z.boolean().optional(),
})
export type ToolQuestion = z.infer<typeof ToolQuestion>

/** A question for permission to make a call, or what a call asks of the person. */
export const ToolApproval = z.strictObject({
  id: z.string(),
  /** Answers that whoever asks understands. */
  decisions: z.array(ToolDecision),
  /** null while it waits, and where the answer ended before anybody decided. */
  decision: ToolDecision.nullable(),
  /**
   * Absent or `call`: whether the call may be made. Else what is asked is answered by `allow_once` with answers, or
   * declined by `deny`: `question` has `questions`, `form` a `schema`, `url` an address to open, `sign-in` a server.
   */
  kind: z.enum(['call', 'question', 'form', 'url', 'sign-in']).optional(),
  reasons: z.array(ToolReason).optional(),
  /** Where what it is called with goes, as host and port; null: it stays on this server; absent: it leaves it, for nobody says where. */
  reaches: z.string().nullable().optional(),
  /** Its arguments can be changed before it is allowed. */
  editable: z.boolean().optional(),
  /** Until when it can be decided, in milliseconds; then it counts as denied. */
  expiresAt: z.number().int().optional(),
  /** In the words of whoever asks; they are untrusted where a server does. */
  message: z.string().optional(),
  questions: z.array(ToolQuestion).optional(),
  /** A flat JSON Schema. */
  schema: z.record(z.string(), z.unknown()).optional(),
  url: z.string().optional(),
  serverId: Id.optional(),
  serverName: z.string().optional(),
})
export type ToolApproval = z.infer<typeof ToolApproval>

/** A page that a tool server brings along for its results (MCP Apps). It is shown in the frame of previews alone. */
export const appMediaType = 'text/html;profile=mcp-app'

/** A picture, sound or file of a result, read at `/api/tools/calls/{recordId}/media/{index}`. */
export const ToolResultMedia = z.strictObject({
  index: z.number().int().min(0),
  mediaType: z.string(),
  name: z.string(),
  sizeBytes: z.number().int(),
})
export type ToolResultMedia = z.infer<typeof ToolResultMedia>

/** A resource that a result points to, or holds the text of. Nothing opens its address. */
export const ToolResultResource = z.strictObject({
  uri: z.string(),
  name: z.string(),
  description: z.string(),
  mediaType: z.string().nullable(),
  /** Its beginning; null: it is only named. */
  text: z.string().nullable(),
})
export type ToolResultResource = z.infer<typeof ToolResultResource>

export const ToolResult = z.strictObject({
  status: z.enum(['done', 'failed']),
  /** What the tool said, cut to what fits on a page. */
  text: z.string(),
  /** How many characters it has in all, where `text` is its beginning; the whole is at `/api/tools/calls/{recordId}/result`. */
  characters: z.number().int().optional(),
  media: z.array(ToolResultMedia).optional(),
  /** The result as a value, in JSON; where it is too large, it is part of the whole. */
  structured: z.string().optional(),
  resources: z.array(ToolResultResource).optional(),
  /** Things of the account that it is about. */
  links: z.array(z.strictObject({ kind: z.string(), id: Id, title: z.string() })).optional(),
})
export type ToolResult = z.infer<typeof ToolResult>

/** Which tools a model may call for an answer. */
export const ToolChoice = z.strictObject({
  /** `force`: it has to call one before it answers. */
  choice: z.enum(['off', 'auto', 'force']),
  /** Ids of `GET /api/tools/catalog`, or of whole servers; absent: all that may be used. */
  ids: z.array(z.string().min(1).max(128)).max(64).optional(),
  /** The same kind of ids: of these, every call asks, unless an approval stands; what the chat says holds beside what a request says. */
  askFirst: z.array(z.string().min(1).max(128)).max(64).optional(),
})
export type ToolChoice = z.infer<typeof ToolChoice>

/** Where tools come from: areas of the product, and servers that are registered. */
export const ToolOrigin = z.enum(['builtin', 'openapi', 'mcp'])
export type ToolOrigin = z.infer<typeof ToolOrigin>

/** `unknown`: the server ended while it ran, and nobody knows whether it did what it does. */
export const ToolCallStatus = z.enum([
  'awaiting_approval',
  'running',
  'succeeded',
  'failed',
  'denied',
  'cancelled',
  'unknown',
])
export type ToolCallStatus = z.infer<typeof ToolCallStatus>

/** Who let a call run: the rules, the person now, or an approval that stands. */
export const ToolDecider = z.enum(['rules', 'person', 'standing'])
export type ToolDecider = z.infer<typeof ToolDecider>

/** A call of a tool. What is absent is not known of it. */
export const ToolCall = z.strictObject({
  id: z.string(),
  name: z.string(),
  arguments: z.string(),
  /** Names it in the account's history of calls, with its whole result. */
  recordId: Id.optional(),
  /** For people, where it is not the name. */
  title: z.string().optional(),
  /** Files that it is about. */
  places: z.array(z.strictObject({ path: z.string(), line: z.number().int().nullable() })).optional(),
  /** What it changes in files; `before` is null for a new one. */
  changes: z.array(z.strictObject({ path: z.string(), before: z.string().nullable(), after: z.string() })).optional(),
  /** Of a plan: what is to be done, and how far it is. */
  steps: z.array(z.strictObject({ text: z.string(), state: z.enum(['pending', 'running', 'done']) })).optional(),
  approval: ToolApproval.optional(),
  result: ToolResult.optional(),
  /** Where the tool comes from; absent: whoever answers runs tools of its own. */
  source: ToolOrigin.optional(),
  serverId: Id.optional(),
  serverName: z.string().optional(),
  sideEffect: z.boolean().optional(),
  status: ToolCallStatus.optional(),
  startedAt: z.number().int().optional(),
  finishedAt: z.number().int().optional(),
  /** Which question to the model came back with it, from 1, and how many characters the answer had by then. */
  round: z.number().int().optional(),
  textBefore: z.number().int().optional(),
  decidedBy: ToolDecider.optional(),
  /** Where what it is called with goes, as host and port. */
  reaches: z.string().nullable().optional(),
  progress: z
    .strictObject({ done: z.number(), total: z.number().nullable(), message: z.string().optional() })
    .optional(),
})
export type ToolCall = z.infer<typeof ToolCall>

/** A file that is part of a message: what a person attached, or a picture that a model drew. */
export const Attachment = z.strictObject({
  id: Id,
  name: z.string(),
  kind: z.enum(['text', 'image']),
  mediaType: z.string(),
  sizeBytes: z.number().int(),
  /** An estimate of what its text costs in the context; images count a flat amount. */
  tokens: z.number().int(),
  width: z.number().int().nullable(),
  height: z.number().int().nullable(),
  /** Only when it has just been attached: the picture told where it was taken, and does not any more. */
  locationRemoved: z.boolean().optional(),
})
export type Attachment = z.infer<typeof Attachment>

/** What is told of an answer between its start and its end: the same on every stream that follows one. */
export const answerEvents = [
  z.strictObject({ type: z.literal('text'), data: z.strictObject({ delta: z.string() }) }),
  z.strictObject({ type: z.literal('reasoning'), data: z.strictObject({ delta: z.string() }) }),
  z.strictObject({
    type: z.literal('search'),
    data: z.strictObject({
      status: z.enum(['searching', 'reading', 'done']),
      where: z.enum(['documents', 'web']),
      /** Present with `done`. */
      retrieval: Retrieval.optional(),
      /** Present with `done`: how the context was planned with what was found; `start` came before anybody knew. */
      context: ContextPlan.nullable().optional(),
    }),
  }),
  z.strictObject({ type: z.literal('sources'), data: z.strictObject({ items: z.array(Source) }) }),
  /**
   * A piece of the arguments of a call while a model writes them, where that is worth seeing; `tool-call` follows with all
   * of them. `draft` names the call until then; `at`: so many characters (UTF-16) came before.
   */
  z.strictObject({
    type: z.literal('tool-draft'),
    data: z.strictObject({ draft: z.string(), name: z.string(), at: z.number().int().min(0), delta: z.string() }),
  }),
  /** With the id of an earlier one it stands in its place. */
  z.strictObject({ type: z.literal('tool-call'), data: ToolCall }),
  z.strictObject({ type: z.literal('tool-result'), data: z.strictObject({ callId: z.string(), result: ToolResult }) }),
  z.strictObject({ type: z.literal('approval'), data: z.strictObject({ callId: z.string(), approval: ToolApproval }) }),
  /** A picture that the model draws. With the place of an earlier one it stands for that; `partial`: as far as it is. */
  z.strictObject({
    type: z.literal('attachment'),
    data: z.strictObject({ attachment: Attachment, place: z.number().int().min(0), partial: z.boolean() }),
  }),
  z.strictObject({ type: z.literal('usage'), data: Usage }),
] as const
export type AnswerEvent = z.infer<(typeof answerEvents)[number]>
