/**
 * Several answers to one chat completion, from providers that give one whatever `n` says: what is missing is asked for
 * with further calls, and follows the first under the next indexes.
 */
import { asArray, asCount, asObject, asText, type Json } from '../../providers/wires/json.ts'

/** The whole answer with as many choices as were wanted. `more`: one further call, for one answer. */
export const completeWhole = async (text: string, wanted: number, more: () => Promise<string>): Promise<string> => {
  if (wanted <= 1) return text
  const first = asObject(JSON.parse(text)) ?? {}
  const choices = asArray(first['choices'])
  if (choices.length >= wanted) return text
  const calls = Array.from({ length: wanted - choices.length }, async () => asObject(JSON.parse(await more())) ?? {})
  const others = await Promise.all(calls)
  const all = [...choices, ...others.map((other) => asArray(other['choices'])[0])]
  const usage = sumUsage([first, ...others].map((answer) => answer['usage']))
  const numbered = all.map((choice, index) => ({ ...asObject(choice), index }))
  return JSON.stringify({ ...first, choices: numbered, ...(usage ? { usage } : {}) })
}

/** The same for a stream: whole events in, whole events out. The further answers come behind the first ones. */
export async function* completeStream(
  first: AsyncIterable<Uint8Array>,
  wanted: number,
  more: () => Promise<AsyncIterable<Uint8Array>>,
): AsyncGenerator<string> {
  const seen = new Set<number>()
  const usages: unknown[] = []
  let head: Json = {}
  /** Passes what belongs to an answer; what ends the stream is said once, at its end. */
  const pass = (event: string, index: number | null): string => {
    const data = /^data: ?(.*)$/m.exec(event)?.[1]?.trim() ?? ''
    if (data === '[DONE]') return ''
    const chunk = data.startsWith('{') ? asObject(JSON.parse(data)) : null
    const choices = asArray(chunk?.['choices'])
    if (!chunk) return `${event}\n\n`
    if (Object.keys(head).length === 0) head = chunk
    if (choices.length === 0) {
      if (chunk['usage']) usages.push(chunk['usage'])
      return chunk['usage'] ? '' : `${event}\n\n`
    }
    for (const choice of choices) seen.add(index ?? asCount(asObject(choice)?.['index']) ?? 0)
    if (index === null) return `${event}\n\n`
    const numbered = choices.map((choice) => ({ ...asObject(choice), index }))
    return `data: ${JSON.stringify({ ...chunk, id: asText(head['id']), choices: numbered })}\n\n`
  }
  for await (const bytes of first) {
    const text = eventsOf(bytes).reduce((all, event) => all + pass(event, null), '')
    if (text !== '') yield text
  }
  for (let index = 0; index < wanted; index += 1) {
    if (seen.has(index)) continue
    for await (const bytes of await more()) {
      const text = eventsOf(bytes).reduce((all, event) => all + pass(event, index), '')
      if (text !== '') yield text
    }
  }
  const usage = sumUsage(usages)
  const counted = usage ? `data: ${JSON.stringify({ ...head, choices: [], usage })}\n\n` : ''
  yield `${counted}data: [DONE]\n\n`
}

const eventsOf = (bytes: Uint8Array): string[] =>
  Buffer.from(bytes)
    .toString()
    .split(/\r?\n\r?\n/)
    .filter((event) => event !== '')

/** Figure by figure; details are left out where there are several, as each provider has its own. null: nobody counted. */
const sumUsage = (usages: readonly unknown[]): Json | null => {
  const counted = usages.map(asObject).filter((usage) => usage !== null)
  const [only, ...others] = counted
  if (!only) return null
  if (others.length === 0) return only
  const names = ['prompt_tokens', 'completion_tokens', 'total_tokens']
  const sum = (name: string) => counted.reduce((total, usage) => total + (asCount(usage[name]) ?? 0), 0)
  return Object.fromEntries(names.map((name) => [name, sum(name)]))
}
