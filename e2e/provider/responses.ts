/** OpenAI's Responses, as typed server-sent events or one whole object. */
import type { ServerResponse } from 'node:http'
import { type Answer, answer, type Asked } from './answers.ts'
import { inBase64 } from './pictures.ts'
import { faultFor, type State } from './state.ts'
import { type Frame, json, refuse, type Refusals, writeFrames } from './writing.ts'

type Content = string | { type: string; text?: string }[]
interface Item {
  type?: string
  role?: string
  content?: Content
  output?: Content
}
interface Body {
  model: string
  input: string | Item[]
  instructions?: string | null
  tools?: { type: string; name?: string }[]
  max_output_tokens?: number | null
  reasoning?: { effort?: string | null; summary?: string | null } | null
  store?: boolean
  stream?: boolean
  temperature?: number
  text?: unknown
  tool_choice?: unknown
  top_p?: number
  parallel_tool_calls?: boolean
}

const problem: Refusals = (message, type, code) => ({ error: { message, type, param: null, code } })

/** Answers when the path is the wire's; false otherwise. `key`: what the caller showed, in either header. */
export async function responses(
  state: State,
  method: string,
  path: string,
  body: unknown,
  key: string | null,
  res: ServerResponse,
) {
  if (method !== 'POST' || path !== '/v1/responses') return false
  const { apiKey } = state.control
  if (apiKey !== null && key !== apiKey) {
    return json(res, 401, problem('Incorrect API key provided.', 'invalid_request_error', 'invalid_api_key'))
  }
  return respond(state, body as Body, res)
}

async function respond(state: State, body: Body, res: ServerResponse): Promise<void> {
  const fault = faultFor(state, body.model)
  if (await refuse(res, fault, problem)) return
  if (body.model === 'absent') {
    return json(res, 404, problem('The model `absent` does not exist.', 'invalid_request_error', 'model_not_found'))
  }
  const said = answer(asked(body), state.control)
  const head = heading(body, state.counts['/v1/responses'] ?? 0)
  const output = outputOf(said, body)
  const over = ending(head, said, output)
  if (!body.stream) return json(res, 200, over)
  function* events(): Iterable<[Record<string, unknown>, boolean?]> {
    yield [{ type: 'response.created', response: head }]
    yield [{ type: 'response.in_progress', response: head }]
    for (const [index, item] of output.entries()) yield* eventsOf(item, index, said)
    yield [{ type: over.status === 'incomplete' ? 'response.incomplete' : 'response.completed', response: over }]
  }
  function* frames(): Iterable<Frame> {
    let number = 0
    for (const [event, token = false] of events()) {
      const text = `event: ${event['type']}\ndata: ${JSON.stringify({ ...event, sequence_number: number })}\n\n`
      yield { text, token }
      number += 1
    }
  }
  await writeFrames(res, frames(), { framing: sse, fault, control: state.control, msPerToken: said.msPerToken })
}

function asked(body: Body): Asked {
  const items: Item[] = typeof body.input === 'string' ? [{ role: 'user', content: body.input }] : body.input
  const system = items.filter((item) => item.role === 'system' || item.role === 'developer')
  const messages = items
    .filter((item) => !system.includes(item) && item.type !== 'reasoning' && item.type !== 'item_reference')
    .map((item) => ({
      role: item.type === 'function_call_output' ? 'tool' : (item.role ?? 'assistant'),
      text: text(item.content ?? item.output ?? ''),
      images: images(item.content ?? ''),
    }))
  return {
    model: body.model,
    system: body.instructions ?? (system[0] ? text(system[0].content ?? '') : null),
    messages,
    tools: body.tools?.flatMap((tool) => (tool.type === 'function' && tool.name ? [tool.name] : [])) ?? [],
    think: body.reasoning?.effort !== 'none' && body.reasoning?.effort !== 'minimal',
    limit: body.max_output_tokens ?? null,
    draws: body.tools?.some((tool) => tool.type === 'image_generation') === true,
  }
}

const heading = (body: Body, number: number) => ({
  id: `resp_${String(number).padStart(48, '0')}`,
  object: 'response' as const,
  created_at: 1_790_000_000,
  status: 'in_progress' as string,
  background: false,
  error: null,
  incomplete_details: null as { reason: string } | null,
  instructions: body.instructions ?? null,
  max_output_tokens: body.max_output_tokens ?? null,
  max_tool_calls: null,
  model: body.model,
  output: [] as OutputItem[],
  parallel_tool_calls: body.parallel_tool_calls ?? true,
  previous_response_id: null,
  prompt_cache_key: null,
  reasoning: { effort: body.reasoning?.effort ?? null, summary: body.reasoning?.summary ?? null },
  safety_identifier: null,
  service_tier: 'default',
  store: body.store ?? true,
  temperature: body.temperature ?? 1,
  text: body.text ?? { format: { type: 'text' } },
  tool_choice: body.tool_choice ?? 'auto',
  tools: body.tools ?? [],
  top_logprobs: 0,
  top_p: body.top_p ?? 1,
  truncation: 'disabled',
  usage: null as unknown,
  user: null,
  metadata: {},
})

const ending = (head: ReturnType<typeof heading>, said: Answer, output: OutputItem[]) => ({
  ...head,
  status: said.finish === 'length' ? 'incomplete' : 'completed',
  incomplete_details: said.finish === 'length' ? { reason: 'max_output_tokens' } : null,
  output,
  usage: {
    input_tokens: said.inputTokens,
    input_tokens_details: { cached_tokens: 0, cache_write_tokens: 0 },
    output_tokens: said.outputTokens,
    output_tokens_details: { reasoning_tokens: said.reasoning.length },
    total_tokens: said.inputTokens + said.outputTokens,
  },
})

type OutputItem =
  | { id: string; type: 'image_generation_call'; status: string; result: string | null }
  | { id: string; type: 'reasoning'; summary: { type: 'summary_text'; text: string }[]; encrypted_content: string }
  | { id: string; type: 'message'; status: string; role: 'assistant'; content: ReturnType<typeof outputText>[] }
  | { id: string; type: 'function_call'; status: string; call_id: string; name: string; arguments: string }

const outputText = (value: string) => ({ type: 'output_text', annotations: [], logprobs: [], text: value })

function outputOf(said: Answer, body: Body): OutputItem[] {
  const items: OutputItem[] = []
  if (said.reasoning.length > 0) {
    const shown = body.reasoning?.summary ? [{ type: 'summary_text' as const, text: said.reasoning.join('') }] : []
    const id = 'rs_67c9fdcecf488190bdd9a0409de3a1ec'
    items.push({ id, type: 'reasoning', summary: shown, encrypted_content: 'gAAAAABoISQ24OyVRYbkYfukdJoqdzWT' })
  }
  if (said.pieces.length > 0) {
    const status = said.finish === 'length' ? 'incomplete' : 'completed'
    const content = [outputText(said.pieces.join(''))]
    items.push({ id: 'msg_67c9fdcf37fc8190ba82116e33fb28c5', type: 'message', status, role: 'assistant', content })
  }
  for (const [at, { whole }] of said.pictures.entries()) {
    items.push({ id: `ig_${at}`, type: 'image_generation_call', status: 'completed', result: inBase64(whole) })
  }
  for (const { id, name, arguments: args } of said.toolCalls) {
    const sent = { status: 'completed', call_id: id, name, arguments: JSON.stringify(args) }
    items.push({ id: `fc_67ca09c6bedc8190a7abfec07b1a1332_${id}`, type: 'function_call', ...sent })
  }
  return items
}

/** The events of one item; true beside those that count as tokens. */
function* eventsOf(
  item: OutputItem,
  output_index: number,
  said: Answer,
): Iterable<[Record<string, unknown>, boolean?]> {
  const at = { item_id: item.id, output_index }
  if (item.type === 'reasoning') {
    yield [{ type: 'response.output_item.added', output_index, item: { ...item, summary: [], encrypted_content: '' } }]
    if (item.summary[0]) {
      const part = { ...at, summary_index: 0 }
      const shown = item.summary[0].text
      const empty = { type: 'summary_text', text: '' }
      yield [{ type: 'response.reasoning_summary_part.added', ...part, part: empty }]
      for (const delta of said.reasoning)
        yield [{ type: 'response.reasoning_summary_text.delta', ...part, delta }, true]
      yield [{ type: 'response.reasoning_summary_text.done', ...part, text: shown }]
      yield [{ type: 'response.reasoning_summary_part.done', ...part, part: { type: 'summary_text', text: shown } }]
    }
  } else if (item.type === 'image_generation_call') {
    yield [{ type: 'response.output_item.added', output_index, item: { ...item, status: 'in_progress', result: null } }]
    yield [{ type: 'response.image_generation_call.in_progress', ...at }]
    const drafts = said.pictures[Number(item.id.slice('ig_'.length))]?.drafts ?? []
    for (const [partial_image_index, draft] of drafts.entries()) {
      const shown = { partial_image_index, partial_image_b64: inBase64(draft) }
      yield [{ type: 'response.image_generation_call.partial_image', ...at, ...shown }, true]
    }
    yield [{ type: 'response.image_generation_call.completed', ...at }]
  } else if (item.type === 'message') {
    const part = { ...at, content_index: 0 }
    const whole = item.content[0]?.text ?? ''
    const begun = { ...item, status: 'in_progress', content: [] }
    yield [{ type: 'response.output_item.added', output_index, item: begun }]
    yield [{ type: 'response.content_part.added', ...part, part: outputText('') }]
    for (const delta of said.pieces) yield [{ type: 'response.output_text.delta', ...part, delta, logprobs: [] }, true]
    yield [{ type: 'response.output_text.done', ...part, text: whole, logprobs: [] }]
    yield [{ type: 'response.content_part.done', ...part, part: outputText(whole) }]
  } else {
    const begun = { ...item, status: 'in_progress', arguments: '' }
    yield [{ type: 'response.output_item.added', output_index, item: begun }, true]
    const cut = Math.ceil(item.arguments.length / 2)
    for (const delta of [item.arguments.slice(0, cut), item.arguments.slice(cut)]) {
      yield [{ type: 'response.function_call_arguments.delta', ...at, delta }, true]
    }
    yield [{ type: 'response.function_call_arguments.done', ...at, name: item.name, arguments: item.arguments }]
  }
  yield [{ type: 'response.output_item.done', output_index, item }]
}

const delta =
  'data: {"type":"response.output_text.delta","item_id":"msg_1","output_index":0,"content_index":0,"delta":"'
const sse = {
  contentType: 'text/event-stream; charset=utf-8',
  error:
    'event: error\ndata: {"type":"error","code":"server_error","message":"The server had an error: sk-leaked-in-body","param":null,"sequence_number":9}\n\n',
  broken: 'data: {"type":"response.output_text.delta","del\n\n',
  half: 'data: {"type":"response.output_text.delta","item_id":"msg_1","output_ind',
  around: [`${delta}[`, ']","logprobs":[],"sequence_number":9}\n\n'],
} as const

const text = (content: Content): string =>
  typeof content === 'string' ? content : content.map((part) => part.text ?? '').join('')
const images = (content: Content): number =>
  Array.isArray(content) ? content.filter((part) => part.type === 'input_image').length : 0
