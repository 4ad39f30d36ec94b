/**
 * How servers for pictures, speech and transcription are told from all else that may stand on their usual ports: by an
 * answer that only they give. Each is connected by the definition of its id, which comes with Atrium.
 */
import { Refusal } from '../../../platform/http/refusal.ts'
import { type Outbound, OutboundFailure } from '../../../platform/outbound/types.ts'
import { entriesOf } from '../../../providers/list-shapes.ts'
import { asObject, asText } from '../../../providers/wires/json.ts'

export type LocalMediaServer = keyof typeof servers

interface Answer {
  /** null for what is no JSON. */
  readonly json: unknown
  readonly server: string
}

interface Known {
  /** What is asked to tell it. */
  readonly path: string
  readonly isIt: (answer: Answer) => boolean
  /** Where its models are listed; null: it has the one that it was started with. */
  readonly models: string | null
}

const titleOf = ({ json }: Answer): string => asText(asObject(asObject(json)?.['info'])?.['title'])

const servers = {
  'whisper-cpp': { path: '/', isIt: ({ server }) => server.toLowerCase() === 'whisper.cpp', models: null },
  speaches: { path: '/openapi.json', isIt: (answer) => titleOf(answer) === 'Speaches', models: '/v1/models' },
  kokoro: { path: '/openapi.json', isIt: (answer) => /^kokoro\b/i.test(titleOf(answer)), models: '/v1/models' },
  localai: {
    path: '/system',
    isIt({ json }) {
      const system = asObject(json)
      return Array.isArray(system?.['backends']) && 'loaded_models' in system
    },
    models: '/v1/models',
  },
  automatic1111: {
    path: '/sdapi/v1/sd-models',
    isIt: ({ json }) => Array.isArray(json) && json.every((entry) => asText(asObject(entry)?.['model_name']) !== ''),
    models: '/sdapi/v1/sd-models',
  },
  comfyui: {
    path: '/system_stats',
    isIt({ json }) {
      const system = asObject(asObject(json)?.['system'])
      return system !== null && 'python_version' in system && Array.isArray(asObject(json)?.['devices'])
    },
    models: '/models/checkpoints',
  },
} as const satisfies Readonly<Record<string, Known>>

/** The description of an interface may be some hundred kilobytes. */
const mostBytes = 2 * 1024 * 1024

/** How many models a server at this base address has; null where it is not this one, or nothing answers. */
export async function countAt(
  gate: Outbound,
  name: LocalMediaServer,
  base: string,
  ms: number,
): Promise<number | null> {
  const { path, isIt, models }: Known = servers[name]
  const answer = await ask(gate, base + path, ms)
  if (answer === null || !isIt(answer)) return null
  if (models === null) return 1
  const list = models === path ? answer : await ask(gate, base + models, ms)
  return list === null ? 0 : entriesOf(list.json).length
}

async function ask(gate: Outbound, address: string, ms: number): Promise<Answer | null> {
  try {
    const response = await gate.request(await gate.check(address), {
      method: 'GET',
      signal: AbortSignal.timeout(ms),
      headersMs: ms,
      idleMs: ms,
      maxBytes: mostBytes,
    })
    const text = await response.text()
    return response.status === 200 ? { json: parse(text), server: response.headers['server'] ?? '' } : null
  } catch (error) {
    if (error instanceof OutboundFailure || error instanceof Refusal) return null
    throw error
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
