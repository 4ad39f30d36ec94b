/** The local runtime's protocol. */
import type { ServerResponse } from 'node:http'
import { answer } from './answers.ts'
import { describe, listedModels, originOf } from './models.ts'
import { sleep } from './pace.ts'
import { faultFor, type Made, type State } from './state.ts'
import { cutByWindow } from './strict.ts'
import { type Frame, json, refuse, type Refusals, writeFrames } from './writing.ts'

/** What `/api/chat` takes. */
interface ChatBody {
  model: string
  messages?: { role: string; content: string; images?: string[] }[]
  tools?: { function: { name: string } }[]
  options?: { num_predict?: number; num_ctx?: number }
  think?: boolean | string
  stream?: boolean
  keep_alive?: number | string
}

const problem: Refusals = (message) => ({ error: message })
const untag = (name: string): string => name.replace(/:latest$/, '')
const tag = (name: string): string => (name.includes(':') ? name : `${name}:latest`)
const now = (): string => new Date().toISOString()

/** Answers when the path is one of the protocol; false otherwise. */
export async function ollama(state: State, method: string, path: string, body: unknown, res: ServerResponse) {
  const asked = (body ?? {}) as {
    model?: string
    name?: string
    stream?: boolean
    keep_alive?: number | string
    input?: unknown
    source?: string
    destination?: string
    verbose?: boolean
  } & Partial<Made>
  const model = untag(asked.model ?? asked.name ?? '')
  switch (`${method} ${path}`) {
    case 'GET /api/version':
      return json(res, 200, { version: '0.12.6' })
    case 'GET /api/tags':
      if (await refuse(res, state.control.listFault, problem)) return
      return json(res, 200, { models: listedModels(state).map((m) => ({ ...row(m.name), size: m.size })) })
    case 'POST /api/show':
      if (!has(state, model)) return json(res, 404, problem(`model '${model}' not found`, '', null))
      return json(res, 200, show(state, model, asked.verbose === true))
    case 'GET /api/ps':
      return json(res, 200, { models: [...state.loaded].map(([name, until]) => running(name, until)) })
    case 'DELETE /api/delete':
      if (!has(state, model)) return json(res, 404, problem(`model '${model}' not found`, '', null))
      state.deleted.add(model)
      state.pulled.delete(model)
      state.made.delete(model)
      state.loaded.delete(model)
      return void res.writeHead(200).end()
    case 'POST /api/copy': {
      const source = untag(asked.source ?? '')
      if (!has(state, source)) return json(res, 404, problem(`model "${source}" not found`, '', null))
      make(state, untag(asked.destination ?? ''), { ...state.made.get(source), from: source })
      return void res.writeHead(200).end()
    }
    case 'POST /api/create':
      return create(state, model, asked, res)
    case 'POST /api/embed': {
      if (await refuse(res, faultFor(state, model), problem)) return
      if (!has(state, model))
        return json(res, 404, problem(`model "${model}" not found, try pulling it first`, '', null))
      const input = [asked.input].flat() as string[]
      return json(res, 200, {
        model: tag(model),
        embeddings: input.map((text) => embedding(text, model)),
        total_duration: 14_143_917,
        load_duration: 1_019_500,
        prompt_eval_count: 8,
      })
    }
    case 'POST /api/generate':
      state.loaded.delete(model)
      return json(res, 200, { model: tag(model), created_at: now(), response: '', done: true, done_reason: 'unload' })
    case 'POST /api/pull':
      return pull(state, model, res)
    case 'POST /api/push':
      return push(state, model, res)
    case 'POST /api/chat':
      return chat(state, body as ChatBody, res)
    default:
      return false
  }
}

async function chat(state: State, body: ChatBody, res: ServerResponse): Promise<void> {
  const model = untag(body.model)
  const messages = body.messages ?? []
  if (messages.length === 0) {
    if (body.keep_alive === 0) state.loaded.delete(model)
    else state.loaded.set(model, Date.now() + 300_000)
    return json(res, 200, {
      model: tag(model),
      created_at: now(),
      message: { role: 'assistant', content: '' },
      done: true,
      done_reason: body.keep_alive === 0 ? 'unload' : 'load',
    })
  }
  const fault = faultFor(state, model)
  if (await refuse(res, fault, problem)) return
  if (state.deleted.has(model) || model === 'absent')
    return json(res, 404, problem(`model '${model}' not found`, '', null))
  state.loaded.set(model, Date.now() + 300_000)
  const system = messages[0]?.role === 'system' ? messages[0].content : null
  const said = answer(
    {
      model,
      system,
      messages: messages
        .filter((m) => m.role !== 'system')
        .map((m) => ({ role: m.role, text: m.content, images: m.images?.length ?? 0 })),
      tools: body.tools?.map((t) => t.function.name) ?? [],
      think: body.think !== undefined && body.think !== false,
      limit: body.options?.num_predict ?? null,
    },
    state.control,
  )
  const seen = state.seen.findLast((call) => call.body === body)
  if (seen) seen.cut = cutByWindow(said.inputTokens, body.options)
  const base = { model: tag(model), created_at: now() }
  const last = {
    ...base,
    message: { role: 'assistant', content: '' },
    done: true,
    done_reason: said.finish === 'length' ? 'length' : 'stop',
    total_duration: 4_883_583_458,
    load_duration: 1_334_875,
    prompt_eval_count: said.inputTokens,
    prompt_eval_duration: 342_546_000,
    eval_count: said.outputTokens,
    eval_duration: 4_535_599_000,
  }
  const calls = said.toolCalls.map(({ name, arguments: args }) => ({ function: { name, arguments: args } }))
  if (body.stream === false) {
    const thinking = said.reasoning.length > 0 ? { thinking: said.reasoning.join('') } : {}
    return json(res, 200, {
      ...last,
      message: {
        role: 'assistant',
        content: said.pieces.join(''),
        ...thinking,
        ...(calls.length > 0 ? { tool_calls: calls } : {}),
      },
    })
  }
  function* frames(): Iterable<Frame> {
    for (const piece of said.reasoning)
      yield line({ ...base, message: { role: 'assistant', content: '', thinking: piece }, done: false }, true)
    for (const piece of said.pieces)
      yield line({ ...base, message: { role: 'assistant', content: piece }, done: false }, true)
    for (const call of calls)
      yield line({ ...base, message: { role: 'assistant', content: '', tool_calls: [call] }, done: false }, true)
    yield line(last, false)
  }
  await writeFrames(res, frames(), { framing: ndjson, fault, control: state.control, msPerToken: said.msPerToken })
}

const line = (value: unknown, token: boolean): Frame => ({ text: `${JSON.stringify(value)}\n`, token })

const ndjson = {
  contentType: 'application/x-ndjson',
  error: '{"error":"an error was encountered while running the model: sk-leaked-in-body"}\n',
  broken: '{"model":"echo","message":{"role":"assi\n',
  half: '{"model":"echo:latest","created_at":"2026-11-20T16:00:00Z","message":{"role":"assis',
  around: ['{"model":"echo:latest","message":{"role":"assistant","content":"[', ']"},"done":false}\n'],
} as const

async function pull(state: State, model: string, res: ServerResponse): Promise<void> {
  res.writeHead(200, { 'content-type': 'application/x-ndjson' })
  const write = (value: unknown) => res.write(`${JSON.stringify(value)}\n`)
  write({ status: 'pulling manifest' })
  if (model.startsWith('absent')) return void res.end('{"error":"pull model manifest: file does not exist"}\n')
  await streamSteps(state, 'pulling', model, res)
  if (res.destroyed) return
  for (const status of ['verifying sha256 digest', 'writing manifest', 'success']) write({ status })
  state.pulled.add(model)
  state.deleted.delete(model)
  res.end()
}

/** How far the one layer of a model has come on its way here or away. */
async function streamSteps(state: State, doing: string, model: string, res: ServerResponse): Promise<void> {
  const { digest } = describe(model)
  const layer = { status: `${doing} ${digest.slice(0, 12)}`, digest: `sha256:${digest}` }
  const total = state.control.pullSteps * 1_000_000
  for (let step = 0; step <= state.control.pullSteps && !res.destroyed; step += 1) {
    res.write(`${JSON.stringify({ ...layer, total, completed: step * 1_000_000 })}\n`)
    await sleep(state.control.pullStepMs)
  }
}

/** Only what is in somebody's own namespace may be uploaded. */
async function push(state: State, model: string, res: ServerResponse): Promise<void> {
  res.writeHead(200, { 'content-type': 'application/x-ndjson' })
  const write = (value: unknown) => res.write(`${JSON.stringify(value)}\n`)
  write({ status: 'retrieving manifest' })
  if (!model.includes('/')) return void res.end('{"error":"you are not authorized to push to this namespace"}\n')
  await streamSteps(state, 'pushing', model, res)
  if (res.destroyed) return
  for (const status of ['pushing manifest', 'success']) write({ status })
  res.end()
}

async function create(state: State, model: string, asked: Partial<Made>, res: ServerResponse): Promise<void> {
  const from = untag(asked.from ?? '')
  if (!has(state, from)) return json(res, 404, problem(`model "${from}" not found`, '', null))
  res.writeHead(200, { 'content-type': 'application/x-ndjson' })
  for (const status of [`using existing layer sha256:${describe(from).digest}`, 'writing manifest', 'success']) {
    res.write(`${JSON.stringify({ status })}\n`)
    await sleep(state.control.pullStepMs)
  }
  if (res.destroyed) return
  make(state, model, { ...asked, from })
  res.end()
}

function make(state: State, name: string, { from, system, template, parameters }: Made): void {
  const said = {
    ...(system ? { system } : {}),
    ...(template ? { template } : {}),
    ...(parameters ? { parameters } : {}),
  }
  state.made.set(name, { from, ...said })
  state.deleted.delete(name)
}

const has = (state: State, model: string): boolean => listedModels(state).some((m) => m.name === model)

const details = (family: string) => ({
  parent_model: '',
  format: 'gguf',
  family,
  families: [family],
  parameter_size: '3.2B',
  quantization_level: 'Q4_K_M',
})

function row(name: string) {
  const { digest, size } = describe(name)
  return {
    name: tag(name),
    model: tag(name),
    modified_at: '2026-11-01T10:00:00.000000000Z',
    size,
    digest,
    details: details('llama'),
  }
}

function show(state: State, name: string, verbose: boolean) {
  const { capabilities, context } = describe(originOf(state, name))
  const made = state.made.get(name)
  const parameters = Object.entries({ stop: ['<|start|>', '<|eot_id|>'], ...made?.parameters })
    .flatMap(([key, value]) => [value].flat().map((one) => `${key.padEnd(30)} ${JSON.stringify(one)}`))
    .join('\n')
  return {
    license: 'none',
    modelfile: `FROM ${made?.from ?? name}`,
    parameters,
    template: made?.template ?? '{{ .Prompt }}',
    ...(made?.system ? { system: made.system } : {}),
    details: details('llama'),
    model_info: {
      'general.architecture': 'llama',
      'general.parameter_count': 3_212_749_888,
      'llama.block_count': 28,
      'llama.context_length': context,
      'llama.embedding_length': 3072,
      'tokenizer.ggml.tokens': verbose ? ['<s>', '</s>'] : null,
    },
    capabilities,
    modified_at: '2026-11-01T10:00:00.000000000Z',
  }
}

const running = (name: string, until: number) => ({
  ...row(name),
  expires_at: new Date(until).toISOString(),
  size_vram: 500_000_000,
  context_length: 4096,
})

/** A vector of length 1: the letters of a text, in eight; of a model that is called `meaning…`, what its words mean. */
export const embedding = (text: string, model = ''): number[] => {
  const means = model.startsWith('meaning')
  const vector = Array.from({ length: means ? 256 : 8 }, () => 0)
  const places = means ? meanings(text) : Array.from(text, (char) => (char.codePointAt(0) ?? 0) % 8)
  for (const at of places) vector[at] = (vector[at] ?? 0) + 1
  const length = Math.hypot(...vector) || 1
  return vector.map((n) => n / length)
}

/** Words of one meaning. */
const alike = ['car automobile vehicle', 'doctor physician', 'holiday vacation leave', 'house home dwelling']

/** A place for every word of more than three letters, the same for words of one meaning. */
const meanings = (text: string): number[] =>
  (text.toLowerCase().match(/\p{L}{3,}/gu) ?? [])
    .map((word) => word.replace(/s$/, ''))
    .map((word) => alike.findIndex((words) => words.split(' ').includes(word)) + 1 || 10 + (sum(word) % 240))

const sum = (word: string): number => {
  let hash = 7
  for (const char of word) hash = (hash * 31 + (char.codePointAt(0) ?? 0)) % 1_000_003
  return hash
}
