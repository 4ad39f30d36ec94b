/** The models that the lists name. */
import type { State } from './state.ts'

const usual = [
  { name: 'echo', capabilities: ['completion', 'tools', 'vision'], context: 8192 },
  { name: 'markdown', capabilities: ['completion'], context: 32_768 },
  { name: 'long', capabilities: ['completion'], context: 131_072 },
  { name: 'thinker', capabilities: ['completion', 'tools', 'thinking'], context: 32_768 },
  { name: 'caller', capabilities: ['completion', 'tools'], context: 8192 },
  { name: 'embedder', capabilities: ['embedding'], context: 2048 },
]
/** Listed only where somebody asks for it. */
const unusual = [{ name: 'obedient', capabilities: ['completion', 'tools'], context: 131_072 }]

export interface ListedModel {
  readonly name: string
  readonly capabilities: readonly string[]
  readonly context: number
  readonly digest: string
  readonly size: number
}

export function listedModels(state: State): ListedModel[] {
  const { control, pulled, deleted } = state
  const extra = Array.from({ length: control.extraModels }, (_, n) => `vendor${n % 12}/model-${n + 1}`)
  const names = control.models ?? [...usual.map((m) => m.name), ...extra]
  return [...new Set([...names, ...pulled, ...state.made.keys()])]
    .filter((name) => !deleted.has(name))
    .map((name, index) => ({ ...describe(originOf(state, name), index), name }))
}

/** What a copied or made model comes from in the end. */
export const originOf = (state: Pick<State, 'made'>, name: string): string => {
  const from = state.made.get(name)?.from
  return from === undefined || from === name ? name : originOf(state, from)
}

export const describe = (name: string, index = 0): ListedModel => {
  const known = [...usual, ...unusual].find((m) => m.name === name.split(':')[0])
  return {
    name,
    capabilities: known?.capabilities ?? [name.startsWith('meaning') ? 'embedding' : 'completion'],
    context: known?.context ?? 8192,
    digest: digest(name),
    size: 1_000_000_000 + index * 1_000_000,
  }
}

function digest(name: string): string {
  let hash = 0x811c9dc5
  for (const char of name) hash = Math.imul(hash ^ (char.codePointAt(0) ?? 0), 0x01000193) >>> 0
  return hash.toString(16).padStart(8, '0').repeat(8)
}
