/**
 * Who makes models and runs them, each with two letters in a shape, so that they are told apart at a glance. These are
 * drawings of our own: nobody's logo is used. Pure.
 */
import type { Selection } from '@atrium/contract/common'

export const shapes = ['circle', 'square', 'hexagon', 'octagon', 'shield', 'arch', 'leaf', 'drop'] as const
export type Shape = (typeof shapes)[number]

export interface Maker {
  readonly letters: string
  readonly shape: Shape
}

const maker = (letters: string, shape: Shape): Maker => ({ letters, shape })

/** By the id of a definition that comes with Atrium; the runtime beside the server is `ollama`. */
const providers: Readonly<Record<string, Maker>> = {
  anthropic: maker('An', 'arch'),
  automatic1111: maker('A1', 'square'),
  azure: maker('Az', 'leaf'),
  bedrock: maker('Br', 'shield'),
  comfyui: maker('Cf', 'hexagon'),
  'codex-oauth': maker('Cx', 'circle'),
  cohere: maker('Co', 'drop'),
  deepseek: maker('Ds', 'drop'),
  elevenlabs: maker('El', 'circle'),
  fal: maker('Fa', 'shield'),
  fireworks: maker('Fw', 'octagon'),
  gemini: maker('Ge', 'leaf'),
  github: maker('Gh', 'octagon'),
  groq: maker('Gq', 'square'),
  huggingface: maker('Hf', 'circle'),
  'kimi-code': maker('Ki', 'shield'),
  kokoro: maker('Ko', 'drop'),
  'kyutai-tts': maker('Ky', 'leaf'),
  'llama-cpp': maker('Lc', 'square'),
  'lm-studio': maker('Lm', 'hexagon'),
  localai: maker('La', 'shield'),
  mistral: maker('Mi', 'square'),
  'mlx-lm': maker('Mx', 'hexagon'),
  ollama: maker('Ol', 'arch'),
  openai: maker('Oa', 'hexagon'),
  'openai-tts': maker('Ot', 'hexagon'),
  openrouter: maker('Or', 'drop'),
  perplexity: maker('Px', 'octagon'),
  sglang: maker('Sg', 'circle'),
  'sglang-diffusion': maker('Sd', 'circle'),
  speaches: maker('Sp', 'arch'),
  stability: maker('St', 'arch'),
  together: maker('To', 'arch'),
  veo: maker('Ve', 'arch'),
  vertex: maker('Vx', 'leaf'),
  vllm: maker('Vl', 'drop'),
  'whisper-cpp': maker('Wh', 'leaf'),
  xai: maker('Xa', 'octagon'),
}

/** A family of models, by a word in their ids that no letter stands before. */
const family = (words: string, by: Maker) => ({ words: new RegExp(`(?<![a-z])(?:${words})`), by })
const made = (id: string): Maker => providers[id] ?? maker('?', 'circle')

const families = [
  family('claude', made('anthropic')),
  family('gpt|chatgpt|codex|whisper|dall-e|o[134](?=-|$)', made('openai')),
  family('gemini|gemma', made('gemini')),
  family('mistral|mixtral|ministral|magistral|devstral|codestral|pixtral|voxtral', made('mistral')),
  family('deepseek', made('deepseek')),
  family('grok', made('xai')),
  family('command|aya', made('cohere')),
  family('sonar', made('perplexity')),
  family('kimi|moonshot', made('kimi-code')),
  family('smollm', made('huggingface')),
  family('llama', maker('Me', 'circle')),
  family('qwen|qwq', maker('Qw', 'hexagon')),
  family('phi', maker('Ms', 'square')),
  family('glm', maker('Gl', 'arch')),
  family('nova|titan', maker('Am', 'shield')),
  family('granite', maker('Ib', 'octagon')),
  family('nemotron', maker('Nv', 'square')),
  family('minimax', maker('Mm', 'drop')),
  family('olmo|tulu', maker('Ai', 'leaf')),
]

/** Whose mark a provider has: one that Atrium knows, else two letters of its name in a shape that follows from it. */
export const makerOfProvider = (
  { providerType, providerId }: Pick<Selection, 'providerType' | 'providerId'>,
  name: string,
): Maker => {
  if (providerType === 'builtin') return maker('At', 'square')
  if (providerType === 'agent') return initialsOf(name)
  return providers[providerId ?? 'ollama'] ?? initialsOf(name)
}

/** Whose mark a model has: that of who made it, where its id tells, else that of who runs it. */
export function makerOfModel(selection: Selection, providerName: string): Maker {
  if (selection.providerType === 'builtin') return makerOfProvider(selection, providerName)
  const id = selection.model.toLowerCase()
  // The first word tells: `deepseek-r1-distill-llama` is what DeepSeek made of another's model.
  const [found] = families
    .map(({ words, by }) => ({ at: id.search(words), by }))
    .filter(({ at }) => at >= 0)
    .sort((a, b) => a.at - b.at)
  return found?.by ?? makerOfProvider(selection, providerName)
}

/** The first letters of the first two words, or the first two letters of the only one. */
function initialsOf(name: string): Maker {
  const [first = '?', second] = name.match(/[\p{L}\p{N}]+/gu) ?? []
  const letters =
    second === undefined
      ? Array.from(first).slice(0, 2)
      : [first, second].flatMap((word) => Array.from(word).slice(0, 1))
  const [large = '', small = ''] = letters
  let hash = 0
  for (const sign of name) hash = (hash * 31 + (sign.codePointAt(0) ?? 0)) % 9973
  return {
    letters: `${large.toLocaleUpperCase()}${small.toLocaleLowerCase()}`,
    shape: shapes[hash % shapes.length] ?? 'circle',
  }
}
