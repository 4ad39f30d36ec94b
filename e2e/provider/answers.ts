/** What the models say: always the same to the same question. */
import { markdownAnswer } from './markdown.ts'
import { type Drawn, drawnBy } from './pictures.ts'
import type { Control } from './state.ts'

export interface Asked {
  readonly model: string
  readonly system: string | null
  readonly messages: readonly { role: string; text: string; images: number }[]
  readonly tools: readonly string[]
  readonly think: boolean
  readonly limit: number | null
  /** It asks for pictures, too. */
  readonly draws?: boolean
}

export interface Answer {
  readonly reasoning: readonly string[]
  readonly pieces: readonly string[]
  readonly toolCalls: readonly { id: string; name: string; arguments: Record<string, unknown> }[]
  readonly pictures: readonly Drawn[]
  readonly finish: 'stop' | 'length' | 'tool_calls'
  readonly inputTokens: number
  readonly outputTokens: number
  /** What the model’s name says; null: as ordered at each token, so that an answer can be let go. */
  readonly msPerToken: number | null
}

/**
 * The model's name says how it answers: `echo` (also every other name), `markdown`, `long-500` (500 tokens),
 * `drip-20` (20 ms a token), `thinker`, `tagger` (thinks in `<think>` tags), `caller` (calls the first tool
 * offered), `caller-2` (two calls at once), `json` (an object with the question), `painter` (draws, where it is asked to),
 * `obedient` (also calls what the results of its last calls tell it to); names may be joined: `long-500-drip-20`.
 * Whatever the model: a question that holds `<<name {"argument": 1}>>` has it call that, where it is offered tools; `then`
 * between two of them parts rounds.
 */
export function answer(asked: Asked, control: Control): Answer {
  const { model } = asked
  const long = /long(?:-(\d+))?/.exec(model)
  const drip = /drip-(\d+)/.exec(model)
  const answered = asked.messages.at(-1)?.role === 'tool'
  const ordered = asked.tools.length > 0 ? orderedCalls(asked) : []
  const calls = ordered.length > 0 || (model.startsWith('caller') && asked.tools.length > 0 && !answered)
  const thinks = model.startsWith('thinker') && asked.think
  const full = calls ? [] : long ? words(Number(long[1] ?? 200)) : split(text(asked, control))
  const pieces = asked.limit === null ? full : full.slice(0, asked.limit)
  const reasoning = thinks ? split('First I look at the question. Then I answer it.') : []
  return {
    reasoning,
    pieces,
    toolCalls: ordered.length > 0 ? ordered : calls ? callsOf(asked) : [],
    pictures: asked.draws ? drawnBy(model) : [],
    finish: calls ? 'tool_calls' : pieces.length < full.length ? 'length' : 'stop',
    inputTokens: asked.messages.reduce((sum, m) => sum + split(m.text).length, split(asked.system ?? '').length),
    outputTokens: reasoning.length + pieces.length + (calls ? 8 : 0),
    msPerToken: drip ? Number(drip[1]) : null,
  }
}

/** What the last question orders for this round: the results that follow it tell which one it is. */
function orderedCalls({ model, messages }: Asked): Answer['toolCalls'] {
  const read = messages.slice(messages.findLastIndex(({ role }) => role !== 'tool') + 1)
  if (model.startsWith('obedient') && read.length > 0)
    return callsIn(read.flatMap(({ text: said }) => said.match(wholeOrder) ?? []).join('\n'))
  const at = messages.findLastIndex(({ role, text: said }) => role === 'user' && said.includes('<<'))
  if (at === -1 || messages.slice(at + 1).some(({ role }) => role === 'user')) return []
  const since = messages.slice(at + 1).map(({ role }) => role)
  const round = since.filter((role, n) => role === 'tool' && since[n - 1] !== 'tool').length
  return callsIn(messages[at]?.text.split(' then ')[round] ?? '')
}

/** On a line of its own, so that neither the marks of a quotation nor what was cut off is one. */
const wholeOrder = /^<<[a-z]\w*( \{.*\})?>>$/gim

function callsIn(orders: string): Answer['toolCalls'] {
  return [...orders.matchAll(/<<([\w-]+)\s*(.*?)>>/gs)].map(([, name = '', args = ''], n) => ({
    id: `call_${n + 1}`,
    name,
    arguments: JSON.parse(args || '{}') as Record<string, unknown>,
  }))
}

function callsOf(asked: Asked): Answer['toolCalls'] {
  const count = Number(/^caller-(\d+)/.exec(asked.model)?.[1] ?? 1)
  return Array.from({ length: count }, (_, n) => ({
    id: `call_${n + 1}`,
    name: asked.tools[n % asked.tools.length] ?? '',
    arguments: { query: question(asked) },
  }))
}

function text(asked: Asked, control: Control): string {
  const last = question(asked)
  const fixed = control.answers.find(({ match }) => last.toLowerCase().includes(match.toLowerCase()))
  if (fixed) return fixed.answer
  if (asked.model.startsWith('json')) return JSON.stringify({ answer: last })
  if (asked.model.startsWith('markdown')) return markdownAnswer
  const images = asked.messages.at(-1)?.images ?? 0
  const seen = images > 0 ? ` I see ${images} image${images > 1 ? 's' : ''}.` : ''
  const said = `You said: ${last}\n\nI received ${asked.messages.length} messages.${seen}`
  return asked.model.startsWith('tagger') ? `<think>Let me see: ${last}</think>\n\n${said}` : said
}

const question = (asked: Asked): string => asked.messages.at(-1)?.text ?? ''

/** Words with the space after them, as a tokenizer would roughly cut. */
const split = (value: string): string[] => value.match(/\S+\s*|\s+/gu) ?? []

const words = (count: number): string[] => Array.from({ length: count }, (_, n) => `word${n + 1} `)
