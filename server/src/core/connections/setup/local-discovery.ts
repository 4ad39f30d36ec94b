/** Probes the usual loopback ports of local model servers, all at once and with a short timeout. */
import type { FoundRuntime } from '@atrium/contract/connections'
import type { Outbound } from '../../../platform/outbound/types.ts'
import { exchange } from '../../../providers/exchange.ts'
import { readModelList } from '../../../providers/model-list.ts'
import { ProviderFailure } from '../../../providers/types.ts'
import { asArray, asObject } from '../../../providers/wires/json.ts'
import { countAt, type LocalMediaServer } from './local-media.ts'

/** Several kinds may have one port: what has a definition of its own is told by its answer, and goes first. */
export type UsualPort = { readonly port: number } & (
  | { readonly kind: 'ollama' | 'openai-compatible'; readonly name: string }
  | { readonly kind: 'plugin'; readonly name: string; readonly pluginId: LocalMediaServer }
)

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
  { port: 8080, kind: 'plugin', name: 'whisper.cpp', pluginId: 'whisper-cpp' },
  { port: 8080, kind: 'plugin', name: 'LocalAI', pluginId: 'localai' },
  { port: 8000, kind: 'plugin', name: 'Speaches', pluginId: 'speaches' },
  { port: 8880, kind: 'plugin', name: 'Kokoro-FastAPI', pluginId: 'kokoro' },
  { port: 7860, kind: 'plugin', name: 'Stable Diffusion web UI', pluginId: 'automatic1111' },
  { port: 8188, kind: 'plugin', name: 'ComfyUI', pluginId: 'comfyui' },
]

const probeMs = 1500

export const loopbackAddress = (port: number): string => `127.0.0.1:${port}`

/** What is known of an address already: whether it is in use, or that the definition that would connect it leads elsewhere. */
export type Standing = 'free' | 'connected' | 'elsewhere'

/** `gate` must allow exactly these ports. */
export async function probeLocalServers(
  gate: Outbound,
  ports: readonly UsualPort[],
  standing: (hostAndPort: string, port: UsualPort) => Promise<Standing>,
): Promise<FoundRuntime[]> {
  const found = await Promise.all(
    ports.map(async (usual) => {
      const base = `http://${loopbackAddress(usual.port)}`
      const modelCount = await countModels(gate, usual, base)
      const state = modelCount === null ? 'elsewhere' : await standing(loopbackAddress(usual.port), usual)
      return modelCount === null || state === 'elsewhere' ? null : { usual, base, modelCount, state }
    }),
  )
  const there = found.filter((one) => one !== null)
  const known = new Set(there.filter(({ usual }) => usual.kind === 'plugin').map(({ usual }) => usual.port))
  return there
    .filter(({ usual }) => usual.kind === 'plugin' || !known.has(usual.port))
    .map(({ usual, base, modelCount, state }) => ({
      kind: usual.kind,
      pluginId: usual.kind === 'plugin' ? usual.pluginId : null,
      name: usual.name,
      url: usual.kind === 'openai-compatible' ? `${base}/v1/chat/completions` : base,
      modelCount,
      connected: state === 'connected',
    }))
}

function countModels(gate: Outbound, usual: UsualPort, base: string): Promise<number | null> {
  if (usual.kind === 'plugin') return countAt(gate, usual.pluginId, base, probeMs)
  return usual.kind === 'ollama' ? countLocal(gate, base) : countListed(gate, base)
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
