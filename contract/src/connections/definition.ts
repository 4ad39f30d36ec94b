/** What an administrator installs to make a connection possible. Field names are those of the files that people share. */
import { z } from 'zod'

export const Capability = z.enum(['chat', 'embedding', 'image', 'tts', 'stt', 'audio', 'video'])
export type Capability = z.infer<typeof Capability>

const Scalar = z.union([z.string().max(20_000), z.number(), z.boolean()])
const WebAddress = z.url({ protocol: /^https?$/ }).max(2048)
const ModelIds = z.array(z.string().min(1).max(300)).min(1).max(5000)

export const Variable = z.strictObject({
  name: z.string().regex(/^[A-Za-z][A-Za-z0-9_]{0,99}$/, 'letters, digits and underscores, a letter first'),
  type: z.enum(['string', 'number', 'boolean', 'select']),
  label: z.string().max(200),
  description: z.string().max(2000).optional(),
  default: Scalar.nullable().optional(),
  required: z.boolean().optional(),
  sensitive: z.boolean().optional(),
  options: z
    .array(z.union([Scalar, z.looseObject({ value: Scalar, label: z.string().optional() })]))
    .max(500)
    .optional(),
  min: z.number().optional(),
  max: z.number().optional(),
})
export type Variable = z.infer<typeof Variable>

const words = z.array(z.string()).optional()
const word = z.string().optional()
const flag = z.boolean().optional()
const figure = z.number().optional()
const request = { endpoint_variable: word, no_auth_required: flag }

/** One capability beside the main one. Keys of `config` that are not known here are kept as they are. */
const block = <S extends z.ZodRawShape>(config: S) =>
  z.strictObject({
    endpoint: WebAddress,
    model_map: ModelIds,
    /** Where the models of this capability are listed. */
    models_endpoint: WebAddress.optional(),
    config: z.looseObject(config).optional(),
  })

export const Capabilities = z.strictObject({
  completion: block(request).optional(),
  tts: block({
    ...request,
    voices: words,
    default_voice: word,
    formats: words,
    default_format: word,
    max_characters: figure,
    supports_streaming: flag,
    allows_custom_voice: flag,
    models_endpoint_variable: word,
    supports_voice_cloning: flag,
    voice_clone_endpoint: word,
    voice_clone_endpoint_variable: word,
    clone_requires_transcript: flag,
    clone_audio_mime_types: words,
    clone_max_audio_bytes: figure,
    request_variables: words,
  }).optional(),
  stt: block({
    ...request,
    formats: words,
    languages: words,
    max_audio_bytes: figure,
    max_duration_seconds: figure,
    supports_timestamps: flag,
    request_mode: z.enum(['multipart', 'raw']).optional(),
    models_endpoint_variable: word,
  }).optional(),
  embedding: block({
    ...request,
    max_tokens: figure,
    dimensions: z.record(z.string(), z.number()).optional(),
  }).optional(),
  image: block({
    ...request,
    sizes: words,
    default_size: word,
    size_parameter: z.enum(['size', 'aspect_ratio', 'resolution']).optional(),
    size_label: word,
    qualities: words,
    default_quality: word,
    omit_quality_when_empty: flag,
    styles: words,
    default_style: word,
    max_prompt_length: figure,
    supports_n: flag,
    max_n: figure,
    supports_response_format: flag,
    default_response_format: z.enum(['url', 'b64_json']).optional(),
    edit_endpoint: word,
    supports_mask: flag,
    max_reference_images: figure,
    edit_mime_types: words,
    max_edit_image_bytes: figure,
  }).optional(),
  audio: block({
    ...request,
    voices: words,
    default_voice: word,
    formats: words,
    default_format: word,
    max_prompt_length: figure,
  }).optional(),
  video: block({
    ...request,
    resolutions: words,
    default_resolution: word,
    aspect_ratios: words,
    default_aspect_ratio: word,
    durations: z.array(z.number()).optional(),
    default_duration: figure,
    supports_audio: flag,
    default_generate_audio: flag,
    max_prompt_length: figure,
    poll_interval_ms: figure,
    timeout_ms: figure,
    supports_idempotency: flag,
    cancel_endpoint: word,
    cancel_method: z.enum(['POST', 'DELETE']).optional(),
  }).optional(),
})
export type Capabilities = z.infer<typeof Capabilities>

/** How a key travels. All empty: the provider takes none. */
export const Auth = z
  .strictObject({
    header: z
      .string()
      .max(100)
      .regex(/^[A-Za-z0-9!#$%&'*+.^_`|~-]*$/, 'no name of a header')
      .refine((name) => !ownHeaders.has(name.toLowerCase()), 'this header belongs to the request itself'),
    prefix: z
      .string()
      .max(100)
      .regex(/^[\x20-\x7e]*$/, 'holds characters that no header has')
      .optional(),
    /** The environment variable that may hold the operator's key. */
    key_env: z
      .string()
      .max(100)
      .regex(/^([A-Za-z_][A-Za-z0-9_]*)?$/, 'no name of an environment variable'),
    /** The provider also answers without a key. */
    optional: z.boolean().optional(),
  })
  .refine(({ header, key_env, prefix }) => header !== '' || (key_env === '' && !prefix), {
    message: 'without a header no key is sent: leave key_env and the prefix empty',
    path: ['header'],
  })

const ownHeaders = new Set([
  'host',
  'connection',
  'content-length',
  'content-type',
  'transfer-encoding',
  'upgrade',
  'te',
])

const fields = {
  id: z.string().regex(/^(?!\.+$)[A-Za-z0-9._-]{1,100}$/, 'letters, digits, dots, underscores and hyphens'),
  name: z.string().min(1).max(200),
  type: z.enum(['completion', 'chat', 'embedding', 'tts', 'stt', 'image', 'audio', 'video']),
  /** May hold `{model}`, which stands for the id of the model that is asked. */
  endpoint: WebAddress,
  api_mode: z.enum(['chat_completions', 'responses']).optional(),
  base_url: WebAddress.optional(),
  api_path: z.string().max(2048).optional(),
  auth: Auth,
  /** The models until the provider was asked for its own. */
  model_map: ModelIds,
  variables: z.array(Variable).max(100).optional(),
  capabilities: Capabilities.optional(),
  description: z.string().max(2000).optional(),
  documentation_url: WebAddress.optional(),
  /** Kept, and ignored: a variable of this name says where the models are listed. */
  models_endpoint: z.unknown().optional(),
}

const uniqueNames = ({ variables = [] }: { variables?: Variable[] | undefined }) =>
  new Set(variables.map(({ name }) => name)).size === variables.length

/** A provider definition as it is imported and exported. */
export const Definition = z
  .strictObject(fields)
  .refine(uniqueNames, { message: 'two variables have the same name', path: ['variables'] })
export type Definition = z.infer<typeof Definition>

/** Where a definition comes from: with Atrium, from an administrator, or from one in the place of Atrium's own. */
export const DefinitionSource = z.enum(['bundled', 'installed', 'replacing'])
export type DefinitionSource = z.infer<typeof DefinitionSource>

/** A definition as an account sees it. */
export const Plugin = z.strictObject({
  ...fields,
  source: DefinitionSource,
  /** This account uses it. */
  active: z.boolean(),
  /** It takes no key, or a usable one stands ready. */
  available: z.boolean(),
  /** It is entered by the server's own sign-in, and seen by administrators only. */
  signIn: z.boolean(),
  /** It runs on the operator's own machine. */
  local: z.boolean(),
  /** null for what comes with Atrium. */
  createdAt: z.string().nullable(),
  updatedAt: z.string().nullable(),
})
export type Plugin = z.infer<typeof Plugin>

/** Ids of installed definitions that cannot be read: they are of no use, and administrators can delete them. */
export const UnreadableIds = z.array(z.string())
