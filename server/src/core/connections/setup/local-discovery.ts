/** Probes the usual loopback ports of local model servers, all at once and with a short timeout. */
import type { FoundRuntime } from '@atrium/contract/connections'
import type { Outbound } from '../../../platform/outbound/types.ts'
import { exchange } from '../../../providers/exchange.ts'
import { readModelList } from '../../../providers/model-list.ts'
import { ProviderFailure } from '../../../providers/types.ts'
import { asArray, asObject } from '../../../providers/wires/json.ts'

export interface UsualPort {
  readonly port: number
  readonly kind: FoundRuntime['kind']
  readonly name: string
}

export const usualPorts: readonly UsualPort[] = [
  { port: 11_434, kind: 'ollama', name: 'Ollama' },
  { port: 1234, kind: 'openai-compatible', name: 'LM Studio' },
  { port: 8080, kind: 'openai-compatible', name: 'llama.cpp' },
  { port: 8000, kind: 'openai-compatible', name: 'vLLM' },
  { port: 30_000, kind: 'openai-compatible', name: 'SGLang' },
  { port: 1337, kind: 'openai-compatible', name: 'Jan' },
  { port: 8081, kind: 'openai-compatible', name: 'Local server (8081)' },
  { port: 5001, kind: 'openai-compatible', name: 'KoboldCpp' },
  { port: 4891, kind: 'openai-compatible', name: 'GPT4All' },
]

const probeMs = 1500

export const loopbackAddress = (port: number): string => `127.0.0.1:${port}`

/** `connected` says whether an address (`host:port`) is in use already. `gate` must allow exactly these ports. */
export async function probeLocalServers(
  gate: Outbound,
  ports: readonly UsualPort[],
  connected: (hostAndPort: string, kind: FoundRuntime['kind']) => boolean,
): Promise<FoundRuntime[]> {
  const found = await Promise.all(
    ports.map(async ({ port, kind, name }): Promise<FoundRuntime | null> => {
      const base = `http://${loopbackAddress(port)}`
      const modelCount = await (kind === 'ollama' ? countLocal(gate, base) : countListed(gate, base))
      if (modelCount === null) return null
      const url = kind === 'ollama' ? base : `${base}/v1/chat/completions`
      return { kind, name, url, modelCount, connected: connected(loopbackAddress(port), kind) }
    }),
  )
  return found.filter((runtime) => runtime !== null)
}

/** How many models a local runtime at this base address holds; null where none answers in its protocol. */
export const countLocal = (gate: Outbound, base: string): Promise<number | null> =>
  probePort(gate, `${base}/api/tags`, (answer) => {
    const models = asObject(answer)?.['models']
    return Array.isArray(models) ? asArray(models).length : null
  })

const countListed = (gate: Outbound, base: string): Promise<number | null> =>
  probePort(
    gate,
    `${base}/v1/models`,
    (answer) => readModelList(answer).filter((model) => model.kind === 'chat').length,
  )

/** null where nothing answers, or another kind of server. */
async function probePort(
  gate: Outbound,
  address: string,
  read: (answer: unknown) => number | null,
): Promise<number | null> {
  try {
    return read(await exchange(gate, { method: 'GET', url: await gate.check(address), timeoutMs: probeMs }))
  } catch (error) {
    if (error instanceof ProviderFailure) return null
    throw error
  }
}
