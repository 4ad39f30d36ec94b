/** Anthropic's Messages, as server-sent events or one whole object, and its list of models. */
import type { IncomingHttpHeaders, ServerResponse } from 'node:http'
import { type Answer, answer, type Asked } from './answers.ts'
import { listedModels } from './models.ts'
import { faultFor, type State } from './state.ts'
import { strictMessages } from './strict.ts'
import { type Frame, json, refuse, type Refusals, writeFrames } from './writing.ts'

type Content = string | { type: string; text?: string; content?: Content }[]
interface Body {
  model: string
  max_tokens?: number
  messages: { role: string; content: Content }[]
  system?: Content
  tools?: { name: string }[]
  thinking?: { type: string }
  stream?: boolean
}

const types: Readonly<Record<number, string>> = {
  401: 'authentication_error',
  403: 'permission_error',
  404: 'not_found_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  500: 'api_error',
  503: 'overloaded_error',
}

const problem: Refusals = (message, type, code, status = 400) => ({
  type: 'error',
  error: {
    type: type === 'server_error' ? 'api_error' : (types[status] ?? 'invalid_request_error'),
    message: code === 'context_length_exceeded' ? 'prompt is too long: 9000 tokens > 8192 maximum' : message,
  },
  request_id: 'req_011CSHoEeqs5C35K2UUqR7Fy',
})

/** Answers when the call is one of the wire; false otherwise. `key`: what the caller showed, in either header. */
export async function messages(
  state: State,
  method: string,
  path: string,
  body: unknown,
  key: string | null,
  headers: IncomingHttpHeaders,
  res: ServerResponse,
) {
  const asksList = method === 'GET' && path === '/v1/models' && headers['anthropic-version'] !== undefined
  const asks = method === 'POST' && path === '/v1/messages'
  const asksCount = method === 'POST' && path === '/v1/messages/count_tokens'
  if ((!asks && !asksCount && !asksList) || (asksList && state.control.listFault !== null)) return false
  const { apiKey } = state.control
  if (apiKey !== null && key !== apiKey) return json(res, 401, problem('invalid x-api-key', '', null, 401))
  if (headers['anthropic-version'] === undefined) {
    return json(res, 400, problem('anthropic-version: header is required', '', null))
  }
  if (asksList) return list(state, res)
  return asksCount ? count(state, body as Body, headers, res) : speak(state, body as Body, headers, res)
}

function list(state: State, res: ServerResponse): void {
  const data = listedModels(state).map(({ name }) => ({
    type: 'model',
    id: name,
    display_name: name,
    created_at: '2026-01-01T00:00:00Z',
  }))
  json(res, 200, { data, has_more: false, first_id: data[0]?.id ?? null, last_id: data.at(-1)?.id ?? null })
}

async function count(state: State, body: Body, headers: IncomingHttpHeaders, res: ServerResponse): Promise<void> {
  if (await refuse(res, faultFor(state, body.model), problem)) return
  if (body.model === 'absent') return json(res, 404, problem('model: absent', '', null, 404))
  const { max_tokens, ...others } = body
  const wrong =
    max_tokens === undefined
      ? (complaint({ ...body, max_tokens: 1 }, headers) ??
        (state.control.strict ? strictMessages({ ...others }, headers) : null))
      : 'max_tokens: Extra inputs are not permitted'
  if (wrong) return json(res, 400, problem(wrong, '', null))
  json(res, 200, { input_tokens: answer(asked(body), state.control).inputTokens })
}

async function speak(state: State, body: Body, headers: IncomingHttpHeaders, res: ServerResponse): Promise<void> {
  const fault = faultFor(state, body.model)
  if (await refuse(res, fault, problem)) return
  if (body.model === 'absent') return json(res, 404, problem('model: absent', '', null, 404))
  const wrong = complaint(body, headers) ?? (state.control.strict ? strictMessages({ ...body }, headers) : null)
  if (wrong) return json(res, 400, problem(wrong, '', null))
  const said = answer(asked(body), state.control)
  const number = String(state.counts['/v1/messages'] ?? 0).padStart(24, '0')
  const message = {
    id: `msg_${number}`,
    type: 'message',
    role: 'assistant',
    model: body.model,
    content: [] as Block[],
    stop_reason: null,
    stop_sequence: null,
    usage: usageOf(said, 1),
  }
  const stop_reason = said.finish === 'tool_calls' ? 'tool_use' : said.finish === 'length' ? 'max_tokens' : 'end_turn'
  const content = blocksOf(said)
  if (!body.stream) {
    return json(res, 200, { ...message, content, stop_reason, usage: usageOf(said, said.outputTokens) })
  }
  function* frames(): Iterable<Frame> {
    yield event({ type: 'message_start', message })
    for (const [index, block] of content.entries()) yield* framesOf(block, index, said)
    const usage = { output_tokens: said.outputTokens }
    yield event({ type: 'message_delta', delta: { stop_reason, stop_sequence: null }, usage })
    yield event({ type: 'message_stop' })
  }
  await writeFrames(res, frames(), { framing: sse, fault, control: state.control, msPerToken: said.msPerToken })
}

/** The documented demands of the format that a careless caller misses. */
function complaint(body: Body, headers: IncomingHttpHeaders): string | null {
  if (!Number.isInteger(body.max_tokens)) return 'max_tokens: Field required'
  if (!body.messages?.length) return 'messages: at least one message is required'
  const role = body.messages.find((message) => !rolesTaken(headers).includes(message.role))?.role
  return role ? `messages: Unexpected role "${role}"` : null
}

/** Instructions among the messages want a beta. */
const rolesTaken = ({ 'anthropic-beta': betas }: IncomingHttpHeaders): readonly string[] =>
  String(betas ?? '').includes('mid-conversation-system') ? ['user', 'assistant', 'system'] : ['user', 'assistant']

function asked(body: Body): Asked {
  return {
    model: body.model,
    system: body.system === undefined ? null : text(body.system),
    messages: body.messages.map(({ role, content }) => ({
      role: has(content, 'tool_result') ? 'tool' : role,
      text: text(content),
      images: Array.isArray(content) ? content.filter((block) => block.type === 'image').length : 0,
    })),
    tools: body.tools?.map((tool) => tool.name) ?? [],
    think: body.thinking !== undefined && body.thinking.type !== 'disabled',
    limit: body.max_tokens ?? null,
  }
}

const usageOf = (said: Answer, output: number) => ({
  input_tokens: said.inputTokens,
  cache_creation_input_tokens: 0,
  cache_read_input_tokens: 0,
  cache_creation: { ephemeral_5m_input_tokens: 0, ephemeral_1h_input_tokens: 0 },
  output_tokens: output,
  service_tier: 'standard',
})

type Block =
  | { type: 'thinking'; thinking: string; signature: string }
  | { type: 'text'; text: string; citations: null }
  | { type: 'tool_use'; id: string; name: string; input: unknown }

function blocksOf(said: Answer): Block[] {
  const blocks: Block[] = []
  if (said.reasoning.length > 0) {
    const signature = 'EqQBCgIYAhIM1gbcDa9GJwZA2b3hGgxBdjrkzLoky3dl1pk='
    blocks.push({ type: 'thinking', thinking: said.reasoning.join(''), signature })
  }
  if (said.pieces.length > 0) blocks.push({ type: 'text', text: said.pieces.join(''), citations: null })
  for (const { id, name, arguments: input } of said.toolCalls) blocks.push({ type: 'tool_use', id, name, input })
  return blocks
}

function* framesOf(block: Block, index: number, said: Answer): Iterable<Frame> {
  const delta = (value: unknown, token = true): Frame =>
    event({ type: 'content_block_delta', index, delta: value }, token)
  const start = (content_block: unknown): Frame => event({ type: 'content_block_start', index, content_block })
  if (block.type === 'thinking') {
    yield start({ type: 'thinking', thinking: '', signature: '' })
    for (const thinking of said.reasoning) yield delta({ type: 'thinking_delta', thinking })
    yield delta({ type: 'signature_delta', signature: block.signature }, false)
  } else if (block.type === 'text') {
    yield start({ type: 'text', text: '' })
    yield event({ type: 'ping' })
    for (const piece of said.pieces) yield delta({ type: 'text_delta', text: piece })
  } else {
    yield start({ ...block, input: {} })
    const args = JSON.stringify(block.input)
    const cut = Math.ceil(args.length / 2)
    for (const partial_json of ['', args.slice(0, cut), args.slice(cut)]) {
      yield delta({ type: 'input_json_delta', partial_json })
    }
  }
  yield event({ type: 'content_block_stop', index })
}

const event = (value: { type: string } & Record<string, unknown>, token = false): Frame => ({
  text: `event: ${value.type}\ndata: ${JSON.stringify(value)}\n\n`,
  token,
})

const delta = 'data: {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"'
const sse = {
  contentType: 'text/event-stream; charset=utf-8',
  error:
    'event: error\ndata: {"type":"error","error":{"type":"api_error","message":"Internal server error: sk-leaked-in-body"}}\n\n',
  broken: 'data: {"type":"content_block_delta","ind\n\n',
  half: 'data: {"type":"content_block_delta","index":0,"delta":{"type":"text_del',
  around: [`${delta}[`, ']"}}\n\n'],
} as const

const has = (content: Content, type: string): boolean =>
  Array.isArray(content) && content.some((block) => block.type === type)
const text = (content: Content): string =>
  typeof content === 'string'
    ? content
    : content.map((block) => block.text ?? (block.content === undefined ? '' : text(block.content))).join('')
