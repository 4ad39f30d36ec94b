/** The local runtime on the operator's own machine or network. */
import { z } from 'zod'
import { Nothing } from './common.ts'
import { Job } from './durable-jobs.ts'
import { routes } from './route.ts'

const Name = z.strictObject({ name: z.string().trim().min(1).max(200) })

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

const unreachable = ['provider_unreachable', 'provider_failed', 'provider_not_configured'] as const

export const localRuntime = routes({
  settings: {
    method: 'get',
    path: '/api/ollama/settings',
    access: 'user',
    summary: 'Whether the local runtime is used, and where it is',
    returns: z.strictObject({ enabled: z.boolean(), baseUrl: z.string(), locked: z.boolean() }),
  },
  updateSettings: {
    method: 'put',
    path: '/api/ollama/settings',
    access: 'admin',
    summary: 'Set where the local runtime is; exactly this address becomes allowed',
    body: z.strictObject({ enabled: z.boolean(), baseUrl: z.string().trim().min(1).max(500) }),
    returns: z.strictObject({ enabled: z.boolean(), baseUrl: z.string(), locked: z.boolean() }),
    errors: ['setting_locked', 'url_not_allowed'],
  },
  health: {
    method: 'get',
    path: '/api/ollama/health',
    access: 'user',
    summary: 'Whether the local runtime answers just now',
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
    summary: 'The version of the local runtime',
    returns: z.strictObject({ version: z.string() }),
    errors: unreachable,
  },
  models: {
    method: 'get',
    path: '/api/ollama/models',
    access: 'user',
    summary: 'The models the local runtime holds, with details and capabilities',
    returns: z.strictObject({ items: z.array(RuntimeModel), nextCursor: z.null() }),
    errors: unreachable,
  },
  remove: {
    method: 'delete',
    path: '/api/ollama/models',
    access: 'admin',
    summary: 'Delete a model from the local runtime',
    query: Name,
    returns: Nothing,
    errors: [...unreachable, 'model_not_found'],
  },
  pull: {
    method: 'post',
    path: '/api/ollama/models/pull',
    access: 'admin',
    status: 202,
    summary: 'Download a model; a job that can be followed and cancelled',
    body: Name,
    returns: Job,
    errors: unreachable,
  },
  running: {
    method: 'get',
    path: '/api/ollama/running',
    access: 'user',
    summary: 'The models that are loaded just now',
    returns: z.strictObject({ items: z.array(RunningModel), nextCursor: z.null() }),
    errors: unreachable,
  },
  unload: {
    method: 'post',
    path: '/api/ollama/models/unload',
    access: 'admin',
    summary: 'Free the memory of a loaded model',
    body: Name,
    returns: Nothing,
    errors: unreachable,
  },
  embed: {
    method: 'post',
    path: '/api/ollama/embed',
    access: 'user',
    summary: 'Embeddings of some texts by a model of the local runtime',
    body: z.strictObject({
      model: z.string().min(1).max(200),
      input: z.array(z.string().max(100_000)).min(1).max(256),
    }),
    returns: z.strictObject({ model: z.string(), embeddings: z.array(z.array(z.number())) }),
    errors: [...unreachable, 'model_not_found'],
  },
})
