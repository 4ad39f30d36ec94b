/** The local runtime on the operator's own machine or network. */
import { area } from '../area.ts'
import { localRuntimeDescription } from './area.ts'
import { z } from 'zod'
import { Audience, Id, Nothing, Selection } from '../common.ts'
import { Job, JobEvent } from '../durable-jobs/index.ts'
import { routes } from '../route.ts'

const ModelName = z.string().trim().min(1).max(200)
const Name = z.strictObject({ name: ModelName })

export const RuntimeModel = z.strictObject({
  name: z.string(),
  sizeBytes: z.number().int(),
  modifiedAt: z.string(),
  digest: z.string(),
  family: z.string().nullable(),
  parameterSize: z.string().nullable(),
  quantization: z.string().nullable(),
  contextWindow: z.number().int().nullable(),
  capabilities: z.array(z.string()),
})
export type RuntimeModel = z.infer<typeof RuntimeModel>

export const RunningModel = z.strictObject({
  name: z.string(),
  sizeBytes: z.number().int(),
  vramBytes: z.number().int(),
  expiresAt: z.string().nullable(),
})
export type RunningModel = z.infer<typeof RunningModel>

const Scalar = z.union([z.string().max(2000), z.number(), z.boolean()])

/** Values that a model has by itself, by the runtime's own names; `stop` may stand there more than once. */
export const ModelParameters = z.record(
  z.string().regex(/^[a-z][a-z0-9_]{0,39}$/),
  z.union([Scalar, z.array(z.string().max(2000)).max(50)]),
)
export type ModelParameters = z.infer<typeof ModelParameters>

export const ModelDetails = z.strictObject({
  name: z.string(),
  family: z.string().nullable(),
  format: z.string().nullable(),
  parameterSize: z.string().nullable(),
  quantization: z.string().nullable(),
  contextWindow: z.number().int().nullable(),
  embeddingLength: z.number().int().nullable(),
  capabilities: z.array(z.string()),
  modifiedAt: z.string().nullable(),
  parameters: ModelParameters,
  system: z.string().nullable(),
  template: z.string().nullable(),
  license: z.string().nullable(),
  /** The definition in the runtime's own words. */
  definition: z.string().nullable(),
  /** All that the runtime tells of the file; only when it was asked for. */
  info: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])).nullable(),
})
export type ModelDetails = z.infer<typeof ModelDetails>

export const ModelDefaults = z.strictObject({
  model: z.string(),
  options: ModelParameters,
  trainedContextLength: z.number().int().nullable(),
  /** The window that is asked for is smaller than the one the model was trained with. */
  contextCapped: z.boolean(),
  capabilities: z.array(z.string()),
  supportsThinking: z.boolean(),
})
export type ModelDefaults = z.infer<typeof ModelDefaults>

export const PullMode = Audience
export type PullMode = Audience

/** A model of the local runtime by its name, one of a connection as `<connection>/<model>`. */
const ModelKey = z.string().min(1).max(512)
const ModelKeys = z.array(ModelKey).max(5000)

/** How models are shown on this instance; models that are not mentioned are shown as they come. */
export const ModelVisibility = z.strictObject({
  /** Shown to administrators alone. */
  hidden: ModelKeys,
  /** What comes first, in this order. */
  order: ModelKeys,
  /** Recommended: before all others. */
  starred: ModelKeys,
  metadata: z
    .record(ModelKey, z.strictObject({ label: z.string().trim().min(1).max(128).optional() }))
    .refine((rows) => Object.keys(rows).length <= 2000, 'at most 2000 models can have a name of their own'),
  /** Models that only members of these groups may use; administrators see them, too. */
  groups: z
    .record(ModelKey, z.array(Id).min(1).max(100))
    .refine((rows) => Object.keys(rows).length <= 2000, 'at most 2000 models can be for groups')
    .default({}),
  /** What new chats of people start with who chose nothing and used nothing; null: the first model that is connected. */
  defaultModel: Selection.nullable().default(null),
})
export type ModelVisibility = z.infer<typeof ModelVisibility>

export const ShownVisibility = z.strictObject({
  ...ModelVisibility.shape,
  /** What the environment says in the place of `defaultModel`: the name of the variable, and the model as it names it. */
  fixedDefault: z.strictObject({ variable: z.string(), model: z.string() }).optional(),
})
export type ShownVisibility = z.infer<typeof ShownVisibility>

const unreachable = ['provider_unreachable', 'provider_failed', 'provider_not_configured'] as const

export const localRuntimeRoutes = routes({
  settings: {
    method: 'get',
    path: '/api/ollama/settings',
    access: 'user',
    summary: 'Get whether the local runtime is used, and its address',
    returns: z.strictObject({ enabled: z.boolean(), baseUrl: z.string(), locked: z.boolean() }),
  },
  updateSettings: {
    method: 'put',
    path: '/api/ollama/settings',
    access: 'admin',
    audit: 'setting.change',
    summary:
      'Set whether the local runtime is used, and its address. Exactly this address is allowed for outbound calls',
    body: z.strictObject({ enabled: z.boolean().optional(), baseUrl: z.string().trim().min(1).max(500).optional() }),
    returns: z.strictObject({ enabled: z.boolean(), baseUrl: z.string(), locked: z.boolean() }),
    errors: ['setting_locked', 'url_not_allowed'],
  },
  health: {
    method: 'get',
    path: '/api/ollama/health',
    access: 'user',
    summary: 'Check whether the local runtime responds',
    returns: z.strictObject({
      status: z.enum(['healthy', 'disabled', 'unreachable']),
      version: z.string().nullable(),
      detail: z.string().nullable(),
    }),
  },
  version: {
    method: 'get',
    path: '/api/ollama/version',
    access: 'user',
    summary: 'Get the version of the local runtime',
    returns: z.strictObject({ version: z.string() }),
    errors: unreachable,
  },
  models: {
    method: 'get',
    path: '/api/ollama/models',
    access: 'user',
    summary: 'List the models on the local runtime, with details and capabilities',
    returns: z.strictObject({ items: z.array(RuntimeModel), nextCursor: z.null() }),
    errors: unreachable,
  },
  remove: {
    method: 'delete',
    path: '/api/ollama/models',
    access: 'admin',
    audit: 'model.delete',
    summary: 'Delete a model from the local runtime',
    query: Name,
    returns: Nothing,
    errors: [...unreachable, 'model_not_found'],
  },
  create: {
    method: 'post',
    path: '/api/ollama/models',
    access: 'admin',
    status: 202,
    audit: 'model.create',
    summary: 'Create a model from another one with its own parameters, system text or template. Returns a job',
    body: z.strictObject({
      name: ModelName,
      from: ModelName,
      system: z.string().max(20_000).optional(),
      template: z.string().max(20_000).optional(),
      license: z.string().max(20_000).optional(),
      parameters: ModelParameters.optional(),
      /** A smaller form of it, `q4_K_M` for example; from an unquantised model only. */
      quantize: z
        .string()
        .regex(/^[A-Za-z0-9_]{2,20}$/)
        .optional(),
    }),
    returns: Job,
    errors: [...unreachable, 'model_not_found', 'too_large'],
  },
  pullAccess: {
    method: 'get',
    path: '/api/ollama/models/access',
    access: 'user',
    summary: 'Get who can download models, and whether you can',
    returns: z.strictObject({ mode: PullMode, allowed: z.boolean() }),
  },
  updatePullAccess: {
    method: 'put',
    path: '/api/ollama/models/access',
    access: 'admin',
    audit: 'setting.change',
    summary: 'Set who can download models',
    body: z.strictObject({ mode: PullMode }),
    returns: z.strictObject({ mode: PullMode, allowed: z.boolean() }),
  },
  visibility: {
    method: 'get',
    path: '/api/ollama/models/visibility',
    access: 'user',
    summary: 'Get how models are shown on this instance. Models hidden from you are left out',
    returns: ShownVisibility,
  },
  updateVisibility: {
    method: 'put',
    path: '/api/ollama/models/visibility',
    access: 'admin',
    audit: 'setting.change',
    summary: 'Hide, order, recommend and name models for the whole instance. Replaces the previous settings',
    body: ModelVisibility,
    returns: ShownVisibility,
    errors: ['too_large', 'setting_locked'],
  },
  pull: {
    method: 'post',
    path: '/api/ollama/models/pull',
    access: 'user',
    status: 202,
    audit: 'model.create',
    summary: 'Download or update a model, if you are allowed to. Returns a job that you can follow and cancel',
    body: Name,
    returns: Job,
    errors: [...unreachable, 'forbidden'],
  },
  pullAll: {
    method: 'post',
    path: '/api/ollama/models/pull-all',
    access: 'admin',
    status: 202,
    audit: 'model.create',
    summary: 'Update all models of the local runtime, one after another. Returns a job',
    returns: Job,
    errors: unreachable,
  },
  push: {
    method: 'post',
    path: '/api/ollama/models/push',
    access: 'admin',
    status: 202,
    audit: 'model.push',
    summary: 'Upload a model to the library in its name, with the runtime’s account. Returns a job',
    body: Name,
    returns: Job,
    errors: [...unreachable, 'model_not_found'],
  },
  pullEvents: {
    method: 'get',
    path: '/api/ollama/pull/stream',
    access: 'user',
    summary: 'Follow your latest download of a model to its end. Doesn’t start one',
    query: z.strictObject({ model: ModelName, after: z.coerce.number().int().min(0).optional() }),
    returns: z.never(),
    stream: JobEvent,
    errors: ['job_not_found'],
  },
  pullAllEvents: {
    method: 'get',
    path: '/api/ollama/models/pull-all/stream',
    access: 'admin',
    summary: 'Follow your latest update of all models to its end. Doesn’t start one',
    query: z.strictObject({ after: z.coerce.number().int().min(0).optional() }),
    returns: z.never(),
    stream: JobEvent,
    errors: ['job_not_found'],
  },
  show: {
    method: 'get',
    path: '/api/ollama/models/show',
    access: 'user',
    summary: 'Get the local runtime’s details of a model',
    query: z.strictObject({ name: ModelName, verbose: z.enum(['true', 'false']).optional() }),
    returns: ModelDetails,
    errors: [...unreachable, 'model_not_found'],
  },
  defaults: {
    method: 'get',
    path: '/api/ollama/models/{modelName}/defaults',
    access: 'user',
    names: 'instance',
    summary: 'Get a model’s own default values, and the context window it is asked for. Cached for ten minutes',
    params: z.strictObject({ modelName: ModelName }),
    returns: ModelDefaults,
    errors: [...unreachable, 'model_not_found'],
  },
  copy: {
    method: 'post',
    path: '/api/ollama/models/copy',
    access: 'admin',
    audit: 'model.create',
    summary: 'Copy a model under a second name. Its data is stored only once',
    body: z.strictObject({ source: ModelName, destination: ModelName }),
    returns: Nothing,
    errors: [...unreachable, 'model_not_found'],
  },
  running: {
    method: 'get',
    path: '/api/ollama/running',
    access: 'user',
    summary: 'List the models that are loaded now',
    returns: z.strictObject({ items: z.array(RunningModel), nextCursor: z.null() }),
    errors: unreachable,
  },
  unload: {
    method: 'post',
    path: '/api/ollama/models/unload',
    access: 'admin',
    summary: 'Unload a model to free its memory',
    body: Name,
    returns: Nothing,
    errors: unreachable,
  },
  unloadAll: {
    method: 'post',
    path: '/api/ollama/models/unload-all',
    access: 'admin',
    summary: 'Unload all models to free their memory',
    returns: z.strictObject({ unloaded: z.array(z.string()) }),
    errors: unreachable,
  },
  embed: {
    method: 'post',
    path: '/api/ollama/embed',
    access: 'user',
    summary: 'Create embeddings of several texts with a model of the local runtime',
    body: z.strictObject({
      model: z.string().min(1).max(200),
      input: z.array(z.string().max(100_000)).min(1).max(256),
    }),
    returns: z.strictObject({ model: z.string(), embeddings: z.array(z.array(z.number())) }),
    errors: [...unreachable, 'model_not_found'],
  },
  embeddings: {
    method: 'post',
    path: '/api/ollama/embeddings',
    access: 'user',
    summary: 'Create an embedding of one text, for older programs',
    body: z.strictObject({ model: z.string().min(1).max(200), prompt: z.string().max(100_000) }),
    returns: z.strictObject({ embedding: z.array(z.number()) }),
    errors: [...unreachable, 'model_not_found'],
  },
})

export const localRuntimeArea = area(localRuntimeDescription, {
  routes: localRuntimeRoutes,
  shapes: { ModelDefaults, ModelDetails, ModelVisibility, RunningModel, RuntimeModel },
})
