/** The shape of messages, read. Pure. */
import type { MessageBody } from '@atrium/contract/public-api'
import { formatRefusal } from '../../../platform/http/dialects.ts'
import type { ToolSpec, Turn, TurnImage, TurnMessage } from '../../../providers/types.ts'
import { type CallIds, createCallIds } from '../../../providers/unique-call-ids.ts'
import { asArray, asObject, asText, type Json } from '../../../providers/wires/json.ts'
import { betaHeaders } from './betas.ts'
import { writeMessage, writeMessageStream } from './messages-writer.ts'
import {
  type RequestContent,
  nameOfCall,
  readContent,
  readDataUrl,
  readEffort,
  readOptions,
  readSchema,
  readStop,
} from './read-request.ts'
import { invalidRequest } from '../refusals.ts'
import { requiredTool } from './tool-choice.ts'
import { formatNamedEvent, type ApiShape } from './shape.ts'

export const messagesShape: ApiShape<MessageBody> = {
  name: 'messages',
  dialect: 'anthropic',
  wire: 'anthropic',
  read: (body) => ({
    turns: [readTurn(body)],
    whole: ([answer], about) => writeMessage(about, answer!),
    stream: (pieces, about) => writeMessageStream(about, pieces),
  }),
  limit: (body) => body.max_tokens,
  relayBody: withSoundBlocks,
  countBody({ max_tokens: _, ...body }) {
    return withSoundBlocks(body)
  },
  relayHeaders: (header) => betaHeaders(header('anthropic-beta')),
  failureEvent: (refusal, requestId) => formatNamedEvent('error', formatRefusal('anthropic', refusal, requestId).body),
}

const readTurn = (body: MessageBody): Turn => {
  const system = [readContent(body.system, 'system', readPart).text]
  const read: TurnMessage[] = []
  for (const [index, { role, content }] of body.messages.entries()) {
    const path = `messages.${index}.content`
    if (role === 'system') system.push(readContent(content, path, readPart).text)
    else if (role === 'assistant') read.push(readAnswer(content, path))
    else readQuestion(content, path, read)
  }
  const choice = body.tool_choice
  const tools = (body.tools ?? []).map((tool, index) => ({ tool, path: `tools.${index}` }))
  // What runs at Anthropic is left out where nothing demands it: no other provider has it.
  const own = tools.filter(({ tool }) => !runsAtAnthropic(tool))
  const others = tools.flatMap(({ tool }) => (runsAtAnthropic(tool) ? [tool] : []))
  return {
    model: body.model,
    system: system.filter((text) => text !== '').join('\n\n') || null,
    messages: read,
    tools: own.map(({ tool, path }) => readTool(tool, path)),
    options: readOptions({
      temperature: body.temperature,
      top_p: body.top_p,
      top_k: body.top_k,
      num_predict: body.max_tokens,
      stop: readStop(body.stop_sequences),
      think: readThinking(body),
    }),
    toolChoice: choice ? readChoice(choice, own.length, others) : undefined,
    parallelToolCalls: choice?.['disable_parallel_tool_use'] === true ? false : undefined,
    format: readFormat(body),
  }
}

/** What a person sends can hold results of tools, which are messages of their own, before the words. */
const readQuestion = (content: unknown, path: string, read: TurnMessage[]): void => {
  const pictures: TurnImage[] = []
  const others: unknown[] = []
  if (!Array.isArray(content)) return void read.push({ role: 'user', ...readContent(content, path, readPart) })
  for (const [index, value] of content.entries()) {
    const part = asObject(value)
    if (part?.['type'] !== 'tool_result') {
      others.push(value)
      continue
    }
    const callId = asText(part['tool_use_id'])
    if (callId === '') throw invalidRequest(`${path}.${index}.tool_use_id`, 'is missing')
    const { text, images } = readContent(part['content'], `${path}.${index}.content`, readPart)
    pictures.push(...images)
    const said = part['is_error'] === true ? `Error: ${text}` : text
    read.push({ role: 'tool', callId, name: nameOfCall(read, callId), text: said })
  }
  const { text, images } = readContent(others, path, readPart)
  if (others.length > 0 || pictures.length > 0) {
    read.push({ role: 'user', text, images: [...pictures, ...images] })
  }
}

const readAnswer = (content: unknown, path: string): TurnMessage => {
  const toolCalls = asArray(content).flatMap((value) => {
    const part = asObject(value)
    if (part?.['type'] !== 'tool_use') return []
    return [{ id: asText(part['id']), name: asText(part['name']), arguments: JSON.stringify(part['input'] ?? {}) }]
  })
  return { role: 'assistant', text: readContent(content, path, readPart).text, toolCalls }
}

const readPart = (part: Json, path: string): Partial<RequestContent> | null => {
  switch (part['type']) {
    case 'text':
      return { text: asText(part['text']) }
    case 'image': {
      const source = asObject(part['source'])
      const url =
        source?.['type'] === 'base64'
          ? `data:${asText(source['media_type'])};base64,${asText(source['data'])}`
          : source?.['url']
      return { images: [readDataUrl(url, `${path}.source`)] }
    }
    case 'document': {
      const source = asObject(part['source'])
      if (source?.['type'] !== 'text')
        throw invalidRequest(`${path}.source.type`, 'only plain text is taken for this model')
      return { text: asText(source['data']) }
    }
    // Thoughts mean nothing to another model than the one that had them; calls are read apart.
    case 'thinking':
    case 'redacted_thinking':
    case 'tool_use':
      return null
    default:
      throw invalidRequest(`${path}.type`, 'is not known for this model')
  }
}

const readTool = (tool: Json, path: string): ToolSpec => {
  if (tool['type'] !== undefined && tool['type'] !== null && tool['type'] !== 'custom') {
    throw invalidRequest(`${path}.type`, 'only custom tools are taken for this model')
  }
  if (!tool['name']) throw invalidRequest(`${path}.name`, 'is missing')
  return {
    name: asText(tool['name']),
    description: asText(tool['description']),
    parameters: readSchema(tool['input_schema'], `${path}.input_schema`),
  }
}

/** Tools that Anthropic itself runs, by their types; those with a type that clients run need a model that knows them. */
const runsAtAnthropic = ({ type }: Json): boolean =>
  typeof type === 'string' && /^(web_search|web_fetch|code_execution|tool_search_tool|mcp_toolset|advisor)/.test(type)

const readChoice = (choice: Json, own: number, others: readonly Json[]): Turn['toolChoice'] => {
  const wanted = others.find(({ name }) => choice['type'] === 'tool' && name === choice['name'])
  const only = choice['type'] === 'any' && own === 0 ? others[0] : undefined
  const missing = wanted ?? only
  if (missing) throw requiredTool(asText(missing['type']))
  switch (choice['type']) {
    case 'any':
      return 'required'
    case 'tool':
      return { name: asText(choice['name']) }
    case 'none':
      return 'none'
    default:
      return 'auto'
  }
}

/** A budget in tokens, or a word for the effort. */
const readThinking = (body: MessageBody): Turn['options']['think'] => {
  const effort = readEffort(body.output_config?.['effort'])
  switch (body.thinking?.type) {
    case 'disabled':
      return false
    case 'adaptive':
      return effort ?? true
    case 'enabled': {
      const budget = body.thinking.budget_tokens ?? 8192
      return budget <= 4096 ? 'low' : budget <= 16_384 ? 'medium' : 'high'
    }
    default:
      return effort
  }
}

const readFormat = (body: MessageBody): Turn['format'] => {
  const format = asObject(body.output_config?.['format']) ?? asObject(body['output_format'])
  const schema = asObject(format?.['schema'])
  return format?.['type'] === 'json_schema' && schema ? { type: 'schema', name: 'answer', schema } : undefined
}

/** A history that other models may have a part in, as Anthropic takes it. */
function withSoundBlocks<B extends Pick<MessageBody, 'messages'>>(body: B): B {
  const ids = createCallIds()
  return { ...body, messages: body.messages.map((message) => ({ ...message, content: soundBlocks(message, ids) })) }
}

/**
 * Thoughts that another provider had carry no signature, and would be refused; so would ids of calls that repeat, as
 * those of other providers do.
 */
const soundBlocks = ({ role, content }: MessageBody['messages'][number], ids: CallIds) => {
  if (!Array.isArray(content)) return content
  return content.flatMap((block) => {
    if (role === 'assistant' && block.type === 'thinking' && !block['signature']) return []
    if (block.type === 'tool_use') return [{ ...block, id: ids.call(asText(block['id'])) }]
    return block.type === 'tool_result'
      ? [{ ...block, tool_use_id: ids.result(asText(block['tool_use_id'])) }]
      : [block]
  })
}
