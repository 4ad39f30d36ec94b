/**
 * `/v1`: models for the client libraries of other makers, in the shapes that these know. Whatever a body holds beyond
 * what is named here is not refused: it is passed on where the provider speaks the same format, and ignored elsewhere.
 */
import { area } from '../area.ts'
import { publicApiDescription } from './area.ts'
import { z } from 'zod'
import { routes } from '../route.ts'
import {
  ImageBody,
  ImageEditForm,
  ImageVariationForm,
  SpeechBody,
  TranscriptionForm,
  TranslationForm,
} from './media.ts'
import { modelId } from './model-id.ts'

export * from './media.ts'

/** `{ error }`, as clients of the chat-completions family know it. */
export const OpenaiError = z.object({
  error: z.object({
    message: z.string(),
    type: z.string(),
    param: z.string().nullable(),
    code: z.string().nullable(),
    request_id: z.string(),
  }),
})

/** `{ type: 'error', error }`, as clients of the messages family know it. */
export const AnthropicError = z.object({
  type: z.literal('error'),
  error: z.object({ type: z.string(), message: z.string(), code: z.string() }),
  request_id: z.string(),
})

const Loose = z.looseObject({})
/** What a message says: a text, or parts of which each shape knows its own. */
const content = z.union([z.string(), z.array(Loose)])
const count = z.number().int().min(1).max(1_000_000)
const stop = z.union([z.string(), z.array(z.string()).max(8)])
const sampling = {
  temperature: z.number().min(0).max(2).nullish(),
  top_p: z.number().min(0).max(1).nullish(),
  stream: z.boolean().nullish(),
}

export const ApiModel = z.object({
  id: z.string(),
  object: z.literal('model'),
  created: z.number().int(),
  owned_by: z.string(),
  /** Tokens; absent when nobody says. */
  context_length: z.number().int().optional(),
})
export type ApiModel = z.infer<typeof ApiModel>

export const ChatCompletionBody = z.looseObject({
  ...sampling,
  model: modelId,
  messages: z
    .array(
      z.looseObject({
        role: z.enum(['system', 'developer', 'user', 'assistant', 'tool', 'function']),
        content: content.nullish(),
        tool_calls: z.array(Loose).nullish(),
      }),
    )
    .min(1)
    .max(10_000),
  n: z.number().int().min(1).max(16).nullish(),
  max_tokens: count.nullish(),
  max_completion_tokens: count.nullish(),
  stop: stop.nullish(),
  seed: z.number().int().nullish(),
  presence_penalty: z.number().min(-2).max(2).nullish(),
  frequency_penalty: z.number().min(-2).max(2).nullish(),
  logit_bias: z.record(z.string(), z.number()).nullish(),
  logprobs: z.boolean().nullish(),
  top_logprobs: z.number().int().min(0).max(20).nullish(),
  reasoning_effort: z.string().max(20).nullish(),
  response_format: z.looseObject({ type: z.string() }).nullish(),
  tools: z
    .array(z.looseObject({ type: z.string() }))
    .max(512)
    .nullish(),
  tool_choice: z.union([z.string(), Loose]).nullish(),
  parallel_tool_calls: z.boolean().nullish(),
  stream_options: z.looseObject({ include_usage: z.boolean().nullish() }).nullish(),
})
export type ChatCompletionBody = z.infer<typeof ChatCompletionBody>

export const CompletionBody = z.looseObject({
  ...sampling,
  model: modelId,
  prompt: z.union([z.string(), z.array(z.string()).min(1).max(64)]),
  suffix: z.string().nullish(),
  echo: z.boolean().nullish(),
  n: z.number().int().min(1).max(16).nullish(),
  max_tokens: count.nullish(),
  stop: stop.nullish(),
  seed: z.number().int().nullish(),
  presence_penalty: z.number().min(-2).max(2).nullish(),
  frequency_penalty: z.number().min(-2).max(2).nullish(),
  stream_options: z.looseObject({ include_usage: z.boolean().nullish() }).nullish(),
})
export type CompletionBody = z.infer<typeof CompletionBody>

export const ResponseBody = z.looseObject({
  ...sampling,
  model: modelId,
  input: z.union([
    z.string(),
    z
      .array(z.looseObject({ content: content.nullish() }))
      .min(1)
      .max(10_000),
  ]),
  instructions: z.string().nullish(),
  max_output_tokens: count.nullish(),
  previous_response_id: z.string().nullish(),
  background: z.boolean().nullish(),
  parallel_tool_calls: z.boolean().nullish(),
  reasoning: z.looseObject({ effort: z.string().max(20).nullish() }).nullish(),
  text: z.looseObject({ format: z.looseObject({ type: z.string() }).nullish() }).nullish(),
  tools: z
    .array(z.looseObject({ type: z.string() }))
    .max(512)
    .nullish(),
  tool_choice: z.union([z.string(), Loose]).nullish(),
})
export type ResponseBody = z.infer<typeof ResponseBody>

export const MessageBody = z.looseObject({
  model: modelId,
  max_tokens: count,
  messages: z
    .array(
      z.looseObject({
        role: z.enum(['user', 'assistant', 'system']),
        content: z.union([z.string(), z.array(z.looseObject({ type: z.string() }))]),
      }),
    )
    .min(1)
    .max(10_000),
  system: z.union([z.string(), z.array(z.looseObject({ type: z.string() }))]).nullish(),
  stream: z.boolean().nullish(),
  temperature: z.number().min(0).max(2).nullish(),
  top_p: z.number().min(0).max(1).nullish(),
  top_k: z.number().int().min(0).nullish(),
  stop_sequences: z.array(z.string()).max(64).nullish(),
  thinking: z.looseObject({ type: z.string(), budget_tokens: z.number().nullish() }).nullish(),
  output_config: Loose.nullish(),
  tools: z
    .array(z.looseObject({ type: z.string().nullish(), name: z.string().min(1).max(200).optional() }))
    .max(512)
    .nullish(),
  tool_choice: z.looseObject({ type: z.string() }).nullish(),
})
export type MessageBody = z.infer<typeof MessageBody>

/** What is counted is what would be asked, but for the limit of the answer. */
export const MessageCountBody = MessageBody.omit({ max_tokens: true })
export type MessageCountBody = z.infer<typeof MessageCountBody>

/** No model reads more at once for one vector. */
const tokens = z.array(z.number().int().min(0).max(10_000_000)).min(1).max(100_000)

export const EmbeddingBody = z.looseObject({
  model: modelId,
  /** A text or several; or each as the ids of its tokens. */
  input: z.union([
    z.string().min(1),
    z.array(z.string().min(1)).min(1).max(2048),
    tokens,
    z.array(tokens).min(1).max(2048),
  ]),
  encoding_format: z.enum(['float', 'base64']).nullish(),
  dimensions: z.number().int().min(1).max(100_000).nullish(),
})
export type EmbeddingBody = z.infer<typeof EmbeddingBody>

const ById = z.object({
  model: z
    .string()
    .min(1)
    .max(401)
    .refine((id) => id.split('/').every((part) => part.length <= 200)),
})
/** Pictures travel in bodies as data URLs. */
const maxBodyBytes = 32 * 1024 * 1024
/**
 * Ten values for each of two thousand messages, and forty for each of five hundred tools. Checking what is all wrong takes
 * about a microsecond for each value, and holds everybody else up meanwhile.
 */
const maxBodyValues = 40_000
const eventStream = ['text/event-stream']
const answering = [
  'model_not_found',
  'model_ambiguous',
  'model_unavailable',
  'token_scope',
  'context_overflow',
  'over_budget',
  'api_key_needed',
  'provider_failed',
  'provider_unreachable',
  'provider_rejected',
  'id_reused',
  'conflict',
] as const
/** What every route that asks a model has in common. */
const asking = { method: 'post', access: 'user', limit: 'inference', errors: answering } as const
/** The same for those that are asked in JSON. */
const generating = { ...asking, maxBodyBytes, maxBodyValues, mediaTypes: eventStream } as const

export const publicApiRoutes = routes({
  models: {
    method: 'get',
    path: '/v1/models',
    access: 'user',
    dialect: 'openai',
    summary: 'List the models that this account can use, by ids that are never ambiguous',
    returns: z.object({ object: z.literal('list'), data: z.array(ApiModel) }),
  },
  model: {
    method: 'get',
    path: '/v1/models/{model}',
    access: 'user',
    names: 'instance',
    dialect: 'openai',
    slashes: true,
    summary: 'Get a model by its raw or qualified id',
    params: ById,
    returns: ApiModel,
    errors: ['model_not_found', 'model_ambiguous'],
  },
  chatCompletions: {
    ...generating,
    path: '/v1/chat/completions',
    dialect: 'openai',
    summary: 'Create a chat completion',
    body: ChatCompletionBody,
    returns: z.looseObject({ id: z.string(), object: z.literal('chat.completion'), choices: z.array(Loose) }),
  },
  completions: {
    ...generating,
    path: '/v1/completions',
    dialect: 'openai',
    summary: 'Create a completion for a prompt, or one for each of several',
    body: CompletionBody,
    returns: z.looseObject({ id: z.string(), object: z.literal('text_completion'), choices: z.array(Loose) }),
  },
  responses: {
    ...generating,
    path: '/v1/responses',
    dialect: 'openai',
    summary: 'Create a response. Nothing is stored, so every call must send its whole input',
    body: ResponseBody,
    returns: z.looseObject({ id: z.string(), object: z.literal('response'), output: z.array(Loose) }),
  },
  responseTokens: {
    ...generating,
    mediaTypes: [],
    path: '/v1/responses/input_tokens',
    dialect: 'openai',
    summary: 'Count the input tokens of a response, by the provider if it can, otherwise as an estimate',
    body: ResponseBody,
    returns: z.looseObject({ object: z.literal('response.input_tokens'), input_tokens: z.number().int() }),
  },
  messageTokens: {
    ...generating,
    mediaTypes: [],
    path: '/v1/messages/count_tokens',
    dialect: 'anthropic',
    summary: 'Count the tokens of messages, by Anthropic for its models, otherwise as an estimate',
    body: MessageCountBody,
    returns: z.looseObject({ input_tokens: z.number().int() }),
  },
  messages: {
    ...generating,
    path: '/v1/messages',
    dialect: 'anthropic',
    summary: 'Create a message, in Anthropic’s format',
    body: MessageBody,
    returns: z.looseObject({ id: z.string(), type: z.literal('message'), content: z.array(Loose) }),
  },
  embeddings: {
    ...generating,
    mediaTypes: [],
    path: '/v1/embeddings',
    dialect: 'openai',
    summary: 'Create embeddings',
    body: EmbeddingBody,
    returns: z.looseObject({ object: z.literal('list'), data: z.array(Loose), model: z.string() }),
  },
  images: {
    ...generating,
    path: '/v1/images/generations',
    dialect: 'openai',
    summary: 'Create images from a prompt',
    body: ImageBody,
    returns: z.looseObject({ created: z.number().int(), data: z.array(Loose) }),
  },
  imageEdits: {
    ...asking,
    mediaTypes: eventStream,
    path: '/v1/images/edits',
    dialect: 'openai',
    summary: 'Edit an image, with up to four source images and a mask',
    upload: { maxBytes: maxBodyBytes, form: ImageEditForm },
    returns: z.looseObject({ created: z.number().int(), data: z.array(Loose) }),
  },
  imageVariations: {
    ...asking,
    path: '/v1/images/variations',
    dialect: 'openai',
    summary: 'Create variations of an image, with models that work from images',
    upload: { maxBytes: maxBodyBytes, form: ImageVariationForm },
    returns: z.looseObject({ created: z.number().int(), data: z.array(Loose) }),
  },
  speech: {
    ...generating,
    mediaTypes: ['audio/*', ...eventStream],
    path: '/v1/audio/speech',
    dialect: 'openai',
    summary: 'Create speech from text',
    body: SpeechBody,
    returns: Loose,
  },
  transcriptions: {
    ...asking,
    mediaTypes: ['text/plain', ...eventStream],
    path: '/v1/audio/transcriptions',
    dialect: 'openai',
    summary: 'Transcribe audio',
    upload: { maxBytes: maxBodyBytes, form: TranscriptionForm },
    returns: z.looseObject({ text: z.string() }),
  },
  translations: {
    ...asking,
    mediaTypes: ['text/plain'],
    path: '/v1/audio/translations',
    dialect: 'openai',
    summary: 'Translate audio in any language into English text',
    upload: { maxBytes: maxBodyBytes, form: TranslationForm },
    returns: z.looseObject({ text: z.string() }),
  },
})

export const publicApiArea = area(publicApiDescription, {
  routes: publicApiRoutes,
  shapes: {
    AnthropicError,
    ApiModel,
    ChatCompletionBody,
    CompletionBody,
    EmbeddingBody,
    ImageBody,
    ImageEditForm,
    ImageVariationForm,
    MessageBody,
    MessageCountBody,
    OpenaiError,
    ResponseBody,
    SpeechBody,
    TranscriptionForm,
    TranslationForm,
  },
})
