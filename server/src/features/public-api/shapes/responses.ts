/** The shape of responses, read: every call brings its whole input, as nothing is stored. Pure. */
import type { ResponseBody } from '@atrium/contract/public-api'
import { formatRefusal } from '../../../platform/http/dialects.ts'
import type { Turn, TurnMessage } from '../../../providers/types.ts'
import { asArray, asText, type Json } from '../../../providers/wires/json.ts'
import { readFormat } from './chat-completions.ts'
import { type RequestContent, nameOfCall, readContent, readDataUrl, readEffort, readOptions } from './read-request.ts'
import { invalidRequest } from '../refusals.ts'
import { formatNamedEvent, type ApiShape } from './shape.ts'
import { bringsTools, readTools, type ResponseTools, writeToolInput } from './response-tools.ts'
import { writeResponse, writeResponseStream } from './responses-writer.ts'

export const responsesShape: ApiShape<ResponseBody> = {
  name: 'responses',
  dialect: 'openai',
  wire: 'responses',
  check: checkStateless,
  read(body) {
    const tools = readTools(body)
    const turn = readTurn(body, tools)
    return {
      turns: [turn],
      whole: ([answer], about) => writeResponse(body, { ...about, tools }, answer!),
      stream: (pieces, about) => writeResponseStream(body, { ...about, tools }, pieces),
    }
  },
  limit: (body) => body.max_output_tokens ?? null,
  relayBody(body) {
    const asked = asArray(body['include'])
    // Reasoning comes back sealed, so that the client can bring it along the next time.
    const include = body.reasoning ? [...new Set([...asked, 'reasoning.encrypted_content'])] : asked
    return { ...body, store: false, ...(include.length > 0 ? { include } : {}) }
  },
  failureEvent(refusal, requestId) {
    const { error } = formatRefusal('openai', refusal, requestId).body as { error: Json }
    const { code, message, param } = error
    return formatNamedEvent('error', { type: 'error', code, message, param, sequence_number: 0 })
  },
}

function checkStateless(body: ResponseBody): void {
  const remedy = 'nothing is stored here: send the whole conversation as input'
  if (body.previous_response_id) throw invalidRequest('previous_response_id', `cannot be followed, as ${remedy}`)
  if (body['conversation']) throw invalidRequest('conversation', `cannot be followed, as ${remedy}`)
  if (body['prompt']) throw invalidRequest('prompt', 'names something stored, and nothing is stored here')
  if (body.background === true) throw invalidRequest('background', 'cannot be taken, as nothing is stored here')
}

const readTurn = (body: ResponseBody, tools: ResponseTools): Turn => {
  const { system, messages } = readInput(body, tools)
  const { format } = body.text ?? {}
  return {
    model: body.model,
    system: system === '' ? null : system,
    messages,
    tools: tools.specs,
    options: readOptions({
      temperature: body.temperature,
      top_p: body.top_p,
      num_predict: body.max_output_tokens,
      think: readEffort(body.reasoning?.effort),
    }),
    toolChoice: tools.choice,
    parallelToolCalls: body.parallel_tool_calls ?? undefined,
    format: readFormat(format, 'text.format'),
  }
}

const readInput = (body: ResponseBody, tools: ResponseTools): { system: string; messages: TurnMessage[] } => {
  const system: string[] = body.instructions ? [body.instructions] : []
  if (typeof body.input === 'string') {
    return { system: system.join('\n\n'), messages: [{ role: 'user', text: body.input, images: [] }] }
  }
  const messages: TurnMessage[] = []
  for (const [index, item] of body.input.entries()) readItem(item, `input.${index}`, { messages, system, tools })
  if (messages.length === 0) throw invalidRequest('input', 'must hold more than instructions')
  return { system: system.join('\n\n'), messages }
}

interface Collected {
  readonly messages: TurnMessage[]
  readonly system: string[]
  readonly tools: ResponseTools
}

const readItem = (item: Json, path: string, { messages, system, tools }: Collected): void => {
  switch (item['type'] ?? 'message') {
    case 'message': {
      const { text, images } = readContent(item['content'], `${path}.content`, readPart)
      const role = item['role']
      if (role === 'system' || role === 'developer') system.push(text)
      else if (role === 'assistant') addToAnswer(messages, text, [])
      else if (role === 'user') messages.push({ role: 'user', text, images })
      else throw invalidRequest(`${path}.role`, 'must be user, assistant, system or developer')
      return
    }
    case 'function_call':
    case 'custom_tool_call': {
      const name = tools.modelName(item['name'], item['namespace'])
      const id = asText(item['call_id'])
      if (name === '' || id === '') throw invalidRequest(path, 'needs a name and a call_id')
      const args =
        item['type'] === 'function_call' ? asText(item['arguments']) || '{}' : writeToolInput(asText(item['input']))
      return addToAnswer(messages, '', [{ id, name, arguments: args }])
    }
    case 'function_call_output':
    case 'custom_tool_call_output': {
      const callId = asText(item['call_id'])
      if (callId === '') throw invalidRequest(`${path}.call_id`, 'is missing')
      const { text, images } = readContent(item['output'], `${path}.output`, readPart)
      messages.push({ role: 'tool', callId, name: nameOfCall(messages, callId), text })
      if (images.length > 0) messages.push({ role: 'user', text: '', images })
      return
    }
    // Thoughts mean nothing to another model than the one that had them.
    case 'reasoning':
      return
    case 'item_reference':
      throw invalidRequest(path, 'refers to something stored, and nothing is stored here')
    default:
      if (leavesNothing.has(asText(item['type'])) || bringsTools.has(asText(item['type']))) return
      throw invalidRequest(`${path}.type`, 'is not known for this model')
  }
}

/** Traces of tools that ran at the provider of another model: their results are in its answer. */
const leavesNothing: ReadonlySet<string> = new Set([
  ...['web_search_call', 'file_search_call', 'code_interpreter_call', 'image_generation_call', 'tool_search_call'],
  ...['mcp_list_tools', 'mcp_call', 'mcp_approval_request', 'mcp_approval_response'],
])

/** Words and calls that follow each other are one answer of the model. */
const addToAnswer = (
  messages: TurnMessage[],
  text: string,
  calls: readonly { id: string; name: string; arguments: string }[],
): void => {
  const last = messages.at(-1)
  if (last?.role !== 'assistant') {
    messages.push({ role: 'assistant', text, toolCalls: calls })
    return
  }
  const joined = [last.text, text].filter((words) => words !== '').join('\n')
  messages[messages.length - 1] = { role: 'assistant', text: joined, toolCalls: [...last.toolCalls, ...calls] }
}

const readPart = (part: Json, path: string): Partial<RequestContent> => {
  switch (part['type']) {
    case 'input_text':
    case 'output_text':
    case 'text':
      return { text: asText(part['text']) }
    case 'refusal':
      return { text: asText(part['refusal']) }
    case 'input_image':
      return { images: [readDataUrl(part['image_url'], `${path}.image_url`)] }
    default:
      throw invalidRequest(`${path}.type`, 'only texts and pictures are taken for this model')
  }
}
