/** What the names of Anthropic's models tell of the requests they take: pure rules, the same whoever serves the model. */
import type { GenerationOptions } from '@atrium/contract/generation'
import type { Turn } from '../types.ts'
import type { Json } from './json.ts'
import { orderAnswer } from './answer-order.ts'

export interface Claude {
  /** `4.6` is 406; null for what is no Claude. */
  readonly version: number | null
  readonly family: string
}

/** Reads names such as `claude-sonnet-4-5-20250929`, `claude-3-7-sonnet-latest`, `us.anthropic.claude-opus-5-v1:0`. */
export function claudeOf(model: string): Claude {
  const number = String.raw`(\d{1,2})(?:[-.](\d{1,2})(?!\d))?(?!\d)`
  const newer = new RegExp(`claude-([a-z]+)-${number}`).exec(model)
  const older = new RegExp(`claude-${number}(?:-([a-z]+))?`).exec(model)
  if (newer) return { family: newer[1] ?? '', version: Number(newer[2]) * 100 + Number(newer[3] ?? 0) }
  if (older) return { family: older[3] ?? '', version: Number(older[1]) * 100 + Number(older[2] ?? 0) }
  return /claude-[a-z]+/.test(model) ? { family: /claude-([a-z]+)/.exec(model)?.[1] ?? '', version: 999 } : unknown
}

const unknown: Claude = { family: '', version: null }

/** The most that a model writes; null where nobody says. */
export function outputCeiling({ version, family }: Claude): number | null {
  if (version === null) return null
  if (version >= 406) return 128_000
  if (version >= 400 && version < 405 && family === 'opus') return 32_000
  if (version >= 307) return 64_000
  return version >= 305 ? 8192 : 4096
}

/** What is asked for where nobody set a limit: the API wants one with every request. */
const usualOutput = (claude: Claude): number =>
  Math.min(outputCeiling(claude) ?? 8192, (claude.version ?? 0) >= 406 ? 32_000 : 16_384)

/** Structured output by schema. */
export const takesSchema = ({ version, family }: Claude): boolean =>
  version !== null && (version >= 405 || (family === 'opus' && version === 401))

/** From 4.6 on the model itself decides how much it thinks, within an effort. */
export const thinksAdaptively = ({ version }: Claude): boolean => (version ?? 0) >= 406

const adaptive = { type: 'adaptive', display: 'summarized' }
const budgets = { low: 2048, medium: 8192, high: 16_384 }
/** The least that the answer must have beside the thoughts. */
const headroom = 1024

export interface Thinking {
  readonly max_tokens: number
  readonly thinking?: Json
  /** For `output_config`. */
  readonly effort?: string
}

/** The limit and the thinking of a request. `thinks`: false where the request does not allow it. */
export function thinkingOf(
  model: string,
  { think, num_predict: wanted }: GenerationOptions,
  thinks: boolean,
): Thinking {
  const claude = claudeOf(model)
  const ceiling = outputCeiling(claude) ?? Number.MAX_SAFE_INTEGER
  const limit = Math.min(wanted ?? usualOutput(claude), ceiling)
  // The fifth generation thinks unasked, and would do so without a word.
  if (thinks && think === undefined && (claude.version ?? 0) >= 500) return { max_tokens: limit, thinking: adaptive }
  if (!thinks || think === undefined || think === false) {
    const off = think === false || !thinks
    return { max_tokens: limit, ...(off && canStopThinking(claude) ? { thinking: { type: 'disabled' } } : {}) }
  }
  if (thinksAdaptively(claude))
    return { max_tokens: limit, thinking: adaptive, ...(think === true ? {} : { effort: think }) }
  const budget = Math.min(budgets[think === true ? 'medium' : think], ceiling - headroom)
  const max = Math.min(budget + Math.max(wanted ?? usualOutput(claude), headroom), ceiling)
  return { max_tokens: max, thinking: { type: 'enabled', budget_tokens: budget } }
}

/** These think unless told otherwise, and can be told; their elders do not, and others refuse to be told. */
const canStopThinking = ({ version, family }: Claude): boolean =>
  version === 500 && (family === 'opus' || family === 'sonnet')

/** Sampling values: for older models only, never while they think, and from 4.1 on one of the two. */
export function samplingOf(model: string, options: GenerationOptions, thinking: boolean): Json {
  const claude = claudeOf(model)
  const version = claude.version ?? 0
  if (thinking || version >= 407) return {}
  const { temperature, top_p, top_k } = options
  const either = version >= 401 && temperature !== undefined
  return {
    ...(temperature === undefined ? {} : { temperature: Math.min(temperature, 1) }),
    ...(top_p === undefined || either ? {} : { top_p }),
    ...(top_k === undefined || top_k === 0 ? {} : { top_k }),
  }
}

/** Bounds that the API refuses in a schema. */
const refused = new Set([
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
  'minLength',
  'maxLength',
  'maxItems',
  'uniqueItems',
])

/** A schema as the API takes it: every object closed, without bounds of values. */
export function closedSchema(schema: unknown, depth = 0): unknown {
  if (depth > 64 || typeof schema !== 'object' || schema === null) return schema
  if (Array.isArray(schema)) return schema.map((entry) => closedSchema(entry, depth + 1))
  const named = (value: unknown): unknown =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, closedSchema(inner, depth + 2)]))
      : value
  const closed: Json = {}
  for (const [word, value] of Object.entries(schema)) {
    if (refused.has(word) || (word === 'minItems' && Number(value) > 1)) continue
    // Under these words stand names of their own, which may be anything.
    if (['properties', '$defs', 'definitions'].includes(word)) closed[word] = named(value)
    else closed[word] = ['enum', 'const', 'default', 'examples'].includes(word) ? value : closedSchema(value, depth + 1)
  }
  return closed['type'] === 'object' ? { ...closed, additionalProperties: false } : closed
}

/**
 * A model that is made to use a tool does not think first; and one with a budget that began to use tools must be shown
 * the thoughts it began with. `wire`: the id of the format that it is asked in.
 */
export function mayThink({ model, messages, tools, toolChoice }: Turn, wire: string): boolean {
  if (tools.length > 0 && (toolChoice === 'required' || typeof toolChoice === 'object')) return false
  if (thinksAdaptively(claudeOf(model))) return true
  const since = messages.findLastIndex((message) => message.role === 'user')
  return messages
    .slice(since + 1)
    .every(
      (message) =>
        message.role !== 'assistant' ||
        message.toolCalls.length === 0 ||
        orderAnswer(message, wire, model)[0]?.type === 'item',
    )
}
