/** OpenAI's Responses wire: typed server-sent events to `response.completed`, or one whole `response` object. */
import type { ToolSpec, Turn, TurnImage, TurnMessage, Wire } from '../types.ts'
import { type Json, withoutUnset } from './json.ts'
import { alwaysThinks, leastEffort, neverThinks } from './openai-models.ts'
import { createResponsesReader } from './responses-reader.ts'
import { orderAnswer } from './answer-order.ts'

export const responses: Wire = {
  id: 'responses',
  framing: 'sse',
  path: '/responses',
  say: (turn) => ({
    model: turn.model,
    ...(turn.system ? { instructions: turn.system } : {}),
    input: turn.messages.flatMap((message) => sayMessage(message, turn.model)),
    ...sayTools(turn),
    ...sayOptions(turn),
    ...sayThinking(turn),
    // Nothing is kept there: what has to be known again is sent again.
    store: false,
    stream: true,
  }),
  reader: () => createResponsesReader('responses'),
}

function sayMessage(message: TurnMessage, model: string): Json[] {
  if (message.role === 'tool') {
    const { callId, text, images = [] } = message
    const output = images.length === 0 ? text : [{ type: 'input_text', text }, ...images.map(sayImage)]
    return [{ type: 'function_call_output', call_id: callId, output }]
  }
  if (message.role === 'user') {
    if (message.images.length === 0) return [{ role: 'user', content: message.text }]
    return [{ role: 'user', content: [...message.images.map(sayImage), { type: 'input_text', text: message.text }] }]
  }
  const said: Json[] = []
  const itemIds = new Map<unknown, unknown>()
  for (const piece of orderAnswer(message, responses.id, model)) {
    if (piece.type === 'item' && piece.item['type'] === 'function_call') {
      itemIds.set(piece.item['call_id'], piece.item['id'])
    } else if (piece.type === 'item') {
      said.push(piece.item)
    } else if (piece.type === 'text') {
      said.push({ role: 'assistant', content: piece.text })
    } else {
      const { id, name, arguments: args } = piece.call
      said.push({ type: 'function_call', call_id: id, name, arguments: args || '{}' })
    }
  }
  // Reasoning is refused without what it led to.
  while (said.at(-1)?.['type'] === 'reasoning') said.pop()
  for (const item of said) {
    const id = item['type'] === 'function_call' && itemIds.get(item['call_id'])
    if (id) item['id'] = id
  }
  return said
}

const sayImage = ({ mediaType, data }: TurnImage): Json => ({
  type: 'input_image',
  image_url: `data:${mediaType};base64,${data}`,
  detail: 'auto',
})

function sayTools(turn: Turn): Json {
  const { tools, toolChoice, parallelToolCalls } = turn
  const draws = turn.draws === true && !(turn.options.think === false && leastEffort(turn.model) === 'minimal')
  if (tools.length === 0) return draws ? { tools: [drawing] } : {}
  const choice = typeof toolChoice === 'object' ? { type: 'function', name: toolChoice.name } : toolChoice
  return {
    tools: [...tools.map(sayTool), ...(draws ? [drawing] : [])],
    ...(choice === undefined ? {} : { tool_choice: choice }),
    ...(parallelToolCalls === undefined ? {} : { parallel_tool_calls: parallelToolCalls }),
  }
}

/** The provider's own tool, which it refuses to models that hardly think. What it looks like on the way is shown while the rest is waited for. */
const drawing: Json = { type: 'image_generation', partial_images: 2 }

// Without `strict: false` this API would hold every tool to the narrow kind of schema.
const sayTool = (tool: ToolSpec): Json => ({ type: 'function', ...tool, strict: false })

function sayOptions({ model, options, format, logprobs }: Turn): Json {
  const samples = !alwaysThinks(model) || options.think === false
  const said: Json = {
    temperature: samples ? options.temperature : undefined,
    top_p: samples ? options.top_p : undefined,
    max_output_tokens: options.num_predict,
    top_logprobs: logprobs?.top,
    text: format && { format: sayFormat(format) },
  }
  return withoutUnset(said)
}

function sayFormat(format: NonNullable<Turn['format']>): Json {
  if (format.type === 'json') return { type: 'json_object' }
  const { name, schema, strict } = format
  return { type: 'json_schema', name, schema, ...(strict === undefined ? {} : { strict }) }
}

function sayThinking({ model, options: { think }, logprobs }: Turn): Json {
  const plain = neverThinks(model)
  const include = [
    ...(plain ? [] : ['reasoning.encrypted_content']),
    ...(logprobs ? ['message.output_text.logprobs'] : []),
  ]
  const reasoning =
    think === false
      ? { effort: leastEffort(model) }
      : { ...(typeof think === 'string' ? { effort: think } : {}), summary: 'auto' }
  return {
    ...(plain || think === undefined ? {} : { reasoning }),
    ...(include.length > 0 ? { include } : {}),
  }
}
