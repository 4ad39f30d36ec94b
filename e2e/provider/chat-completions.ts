/** The common chat-completions wire, over server-sent events. */
import type { ServerResponse } from 'node:http'
import { type Answer, answer } from './answers.ts'
import { listedModels } from './models.ts'
import { inBase64 } from './pictures.ts'
import { faultFor, type State } from './state.ts'
import { strictCompletion } from './strict.ts'
import { type Frame, json, refuse, type Refusals, writeFrames } from './writing.ts'

type Content = string | { type: string; text?: string }[] | null
interface Body {
  model: string
  messages: { role: string; content: Content }[]
  tools?: { function: { name: string } }[]
  max_tokens?: number
  max_completion_tokens?: number
  reasoning_effort?: string
  modalities?: string[]
  stream?: boolean
  stream_options?: { include_usage?: boolean }
}

const writesAndDraws = { input_modalities: ['text', 'image'], output_modalities: ['text', 'image'] }

const problem: Refusals = (message, type, code) => ({ error: { message, type, param: null, code } })

/** Answers when the path is one of the wire; false otherwise. */
export async function chatCompletions(
  state: State,
  method: string,
  path: string,
  body: unknown,
  authorization: string | null,
  res: ServerResponse,
) {
  if (!path.startsWith('/v1/')) return false
  const { apiKey, listFault } = state.control
  if (apiKey !== null && authorization !== `Bearer ${apiKey}`) {
    return json(res, 401, problem('Incorrect API key provided.', 'invalid_request_error', 'invalid_api_key'))
  }
  if (method === 'GET' && path === '/v1/models') {
    if (await refuse(res, listFault, problem)) return
    if (listFault === 'wrong-type') return void res.writeHead(200, { 'content-type': 'text/html' }).end('<p>Hello</p>')
    if (listFault === 'half-json')
      return void res.writeHead(200, { 'content-type': 'application/json' }).end('{"object":"list","data":[{"id"')
    if (listFault === 'reset') return void res.socket?.resetAndDestroy()
    const data = listedModels(state).map((m) => ({
      id: m.name,
      object: 'model',
      created: 1_730_000_000,
      owned_by: 'atrium',
      context_length: m.context,
      ...(m.name.includes('painter') ? { architecture: writesAndDraws } : {}),
      supported_parameters: m.capabilities.includes('thinking') ? ['tools', 'reasoning'] : ['tools'],
    }))
    return json(res, 200, { object: 'list', data })
  }
  if (method === 'POST' && path === '/v1/chat/completions') return complete(state, body as Body, res)
  return false
}

async function complete(state: State, body: Body, res: ServerResponse): Promise<void> {
  const fault = faultFor(state, body.model)
  if (await refuse(res, fault, problem)) return
  if (body.model === 'absent') {
    return json(res, 404, problem('The model `absent` does not exist.', 'invalid_request_error', 'model_not_found'))
  }
  const wrong = state.control.strict ? strictCompletion({ ...body }) : null
  if (wrong) {
    const { message, param } = wrong
    return json(res, 400, { error: { message, type: 'invalid_request_error', param, code: null } })
  }
  const said = answer(
    {
      model: body.model,
      system: body.messages.find((m) => m.role === 'system') ? text(body.messages[0]?.content ?? '') : null,
      messages: body.messages
        .filter((m) => m.role !== 'system')
        .map((m) => ({ role: m.role, text: text(m.content), images: images(m.content) })),
      tools: body.tools?.map((t) => t.function.name) ?? [],
      think: body.reasoning_effort !== 'none',
      limit: body.max_completion_tokens ?? body.max_tokens ?? null,
      draws: body.modalities?.includes('image') === true,
    },
    state.control,
  )
  const usage = {
    prompt_tokens: said.inputTokens,
    completion_tokens: said.outputTokens,
    total_tokens: said.inputTokens + said.outputTokens,
  }
  const id = `chatcmpl-${state.counts['/v1/chat/completions'] ?? 0}`
  const base = { id, created: 1_790_000_000, model: body.model, system_fingerprint: 'fp_atrium' }
  if (!body.stream) return json(res, 200, { ...base, object: 'chat.completion', choices: [whole(said)], usage })
  const head = { ...base, object: 'chat.completion.chunk' }
  function* frames(): Iterable<Frame> {
    yield event({ ...head, choices: [choice({ role: 'assistant', content: '' })] }, false)
    for (const piece of said.reasoning) yield event({ ...head, choices: [choice({ reasoning_content: piece })] }, true)
    for (const piece of said.pieces) yield event({ ...head, choices: [choice({ content: piece })] }, true)
    for (const image of imagesOf(said))
      yield event({ ...head, choices: [choice({ content: '', images: [image] })] }, true)
    for (const [index, call] of said.toolCalls.entries()) {
      const args = JSON.stringify(call.arguments)
      // Long ones come in more pieces, as what a model writes does.
      const size = Math.min(Math.ceil(args.length / 2), 100)
      const pieces = Array.from({ length: Math.ceil(args.length / size) }, (_, n) =>
        args.slice(n * size, (n + 1) * size),
      )
      const start = { index, id: call.id, type: 'function', function: { name: call.name, arguments: '' } }
      yield event({ ...head, choices: [choice({ tool_calls: [start] })] }, true)
      for (const part of pieces) {
        yield event({ ...head, choices: [choice({ tool_calls: [{ index, function: { arguments: part } }] })] }, true)
      }
    }
    yield event({ ...head, choices: [choice({}, said.finish)] }, false)
    if (body.stream_options?.include_usage) yield event({ ...head, choices: [], usage }, false)
    yield { text: 'data: [DONE]\n\n', token: false }
  }
  await writeFrames(res, frames(), { framing: sse, fault, control: state.control, msPerToken: said.msPerToken })
}

/** Beside the text, as OpenRouter gives them. */
const imagesOf = (said: Answer) =>
  said.pictures.map(({ whole: bytes }, index) => ({
    type: 'image_url',
    index,
    image_url: { url: `data:image/png;base64,${inBase64(bytes)}` },
  }))

function whole(said: Answer) {
  const reasoning = said.reasoning.length > 0 ? { reasoning_content: said.reasoning.join('') } : {}
  const calls = said.toolCalls.map(({ id, name, arguments: args }) => ({
    id,
    type: 'function',
    function: { name, arguments: JSON.stringify(args) },
  }))
  return {
    index: 0,
    message: {
      role: 'assistant',
      content: said.pieces.join(''),
      ...reasoning,
      ...(said.pictures.length > 0 ? { images: imagesOf(said) } : {}),
      ...(calls.length > 0 ? { tool_calls: calls } : {}),
    },
    logprobs: null,
    finish_reason: said.finish,
  }
}

const choice = (delta: unknown, finish: string | null = null) => ({
  index: 0,
  delta,
  logprobs: null,
  finish_reason: finish,
})
const event = (value: unknown, token: boolean): Frame => ({ text: `data: ${JSON.stringify(value)}\n\n`, token })

const sse = {
  contentType: 'text/event-stream; charset=utf-8',
  error:
    'data: {"error":{"message":"The server had an error: sk-leaked-in-body","type":"server_error","code":null}}\n\n',
  broken: 'data: {"id":"chatcmpl-1","choices":[{"del\n\n',
  half: 'data: {"id":"chatcmpl-1","object":"chat.completion.chunk","choices":[{"ind',
  around: ['data: {"choices":[{"index":0,"delta":{"content":"[', ']"},"finish_reason":null}]}\n\n'],
} as const

const text = (content: Content): string =>
  typeof content === 'string' ? content : (content ?? []).map((part) => part.text ?? '').join('')
const images = (content: Content): number =>
  Array.isArray(content) ? content.filter((part) => part.type === 'image_url').length : 0
