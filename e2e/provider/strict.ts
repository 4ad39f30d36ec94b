/**
 * What the makers refuse, beyond what any sound request would meet: unknown fields, fields without their beta, tools of
 * other types, ids that repeat. Off by default, as servers that only speak their formats are more patient; a test
 * orders it with `strict`. Each gives the maker's own sentence, or null.
 */
import type { IncomingHttpHeaders } from 'node:http'

type Json = Readonly<Record<string, unknown>>

const objects = (value: unknown): Json[] =>
  Array.isArray(value) ? value.filter((item): item is Json => typeof item === 'object' && item !== null) : []
const unknownField = (body: Json, known: string): string | undefined => {
  const names = new Set(known.split(' '))
  return Object.keys(body).find((name) => !names.has(name))
}

const messageFields =
  'model messages max_tokens metadata stop_sequences stream system temperature thinking tool_choice tools top_k top_p service_tier output_config cache_control inference_geo'
/** Fields of Anthropic's Messages that want a beta, by the beginning of its name. */
const betaFields: Readonly<Record<string, readonly string[]>> = {
  context_management: ['context-management-', 'compact-'],
  mcp_servers: ['mcp-client-'],
  container: ['skills-', 'code-execution-'],
  output_format: ['structured-outputs-'],
  speed: ['fast-mode-'],
  fallbacks: ['server-side-fallback-'],
}
const providerTools =
  /^(web_search|web_fetch|code_execution|bash|text_editor|computer|memory|tool_search_tool\w*)_\d{8}$/

export function strictMessages(body: Json, headers: IncomingHttpHeaders): string | null {
  const betas = String(headers['anthropic-beta'] ?? '').split(',')
  const has = (beginnings: readonly string[]): boolean =>
    betas.some((beta) => beginnings.some((beginning) => beta.trim().startsWith(beginning)))
  for (const [name, beginnings] of Object.entries(betaFields)) {
    if (body[name] !== undefined && !has(beginnings)) return `${name}: Extra inputs are not permitted`
  }
  const other = unknownField(body, `${messageFields} ${Object.keys(betaFields).join(' ')}`)
  if (other !== undefined) return `${other}: Extra inputs are not permitted`
  for (const [at, tool] of objects(body['tools']).entries()) {
    const { type, name } = tool
    if (type !== undefined && type !== 'custom' && !(typeof type === 'string' && providerTools.test(type))) {
      return `tools.${at}: Input tag '${String(type)}' found using 'type' does not match any of the expected tags`
    }
    if (!/^[a-zA-Z0-9_-]{1,128}$/.test(String(name))) {
      return `tools.${at}.custom.name: String should match pattern '^[a-zA-Z0-9_-]{1,128}$'`
    }
  }
  return strictHistory(objects(body['messages']), has(['mid-conversation-system-']))
}

function strictHistory(messages: readonly Json[], takesSystem: boolean): string | null {
  const ids = new Set<unknown>()
  let asked = new Set<unknown>()
  for (const [at, { role, content }] of messages.entries()) {
    if (role === 'system' && !takesSystem) return `messages.${at}.role: Input should be 'user' or 'assistant'`
    const blocks = objects(content)
    for (const block of blocks.filter(({ type }) => type === 'tool_result')) {
      if (!asked.has(block['tool_use_id'])) {
        return `messages.${at}.content: unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${String(block['tool_use_id'])}`
      }
      asked.delete(block['tool_use_id'])
    }
    if (asked.size > 0) {
      return `messages.${at - 1}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after`
    }
    asked = new Set()
    for (const { id } of blocks.filter(({ type }) => type === 'tool_use')) {
      if (!/^[a-zA-Z0-9_-]+$/.test(String(id))) {
        return `messages.${at}.content: tool_use.id: String should match pattern '^[a-zA-Z0-9_-]+$'`
      }
      if (ids.has(id)) return `messages.${at}.content: \`tool_use\` ids must be unique`
      ids.add(id)
      asked.add(id)
    }
  }
  return null
}

const completionFields =
  'model messages audio frequency_penalty function_call functions logit_bias logprobs max_completion_tokens max_tokens metadata modalities n parallel_tool_calls prediction presence_penalty prompt_cache_key reasoning_effort response_format safety_identifier seed service_tier stop store stream stream_options temperature tool_choice tools top_logprobs top_p user verbosity web_search_options'
const countsCompletionTokens = /^(o\d|gpt-([5-9]|\d\d))/

export function strictCompletion(body: Json): { message: string; param: string } | null {
  const other = unknownField(body, completionFields)
  if (other !== undefined) return { message: `Unrecognized request argument supplied: ${other}`, param: other }
  if (body['max_tokens'] !== undefined && countsCompletionTokens.test(String(body['model']))) {
    const message =
      "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead."
    return { message, param: 'max_tokens' }
  }
  for (const [at, { type }] of objects(body['tools']).entries()) {
    if (type === 'function' || type === 'custom') continue
    const message = `Invalid value: '${String(type)}'. Supported values are: 'function' and 'custom'.`
    return { message, param: `tools[${at}].type` }
  }
  const asked = new Set<unknown>()
  for (const [at, message] of objects(body['messages']).entries()) {
    const { content } = message
    if (content !== null && content !== undefined && typeof content !== 'string' && !Array.isArray(content)) {
      const param = `messages[${at}].content`
      return { message: `Invalid type for '${param}': expected one of a string or array of objects.`, param }
    }
    for (const { id } of objects(message['tool_calls'])) asked.add(id)
    if (message['role'] === 'tool' && !asked.has(message['tool_call_id'])) {
      const said = "messages with role 'tool' must be a response to a preceding message with 'tool_calls'."
      return { message: `Invalid parameter: ${said}`, param: `messages.[${at}].role` }
    }
  }
  return null
}

const generateFields =
  'contents tools toolConfig safetySettings systemInstruction generationConfig cachedContent labels'
/** Words of JSON Schema that the older field of a function, `parameters`, does not know. */
const otherSchemaWords = new Set(['$schema', 'additionalProperties', 'exclusiveMinimum', 'exclusiveMaximum', 'const'])

export function strictGenerate(body: Json): string | null {
  const refused = (name: string, where = ''): string =>
    `Invalid JSON payload received. Unknown name "${name}"${where}: Cannot find field.`
  const other = unknownField(body, generateFields)
  if (other !== undefined) return refused(other)
  for (const [at, tool] of objects(body['tools']).entries()) {
    for (const [nth, declared] of objects(tool['functionDeclarations']).entries()) {
      const word = wordIn(declared['parameters'], otherSchemaWords)
      if (word) return refused(word, ` at 'tools[${at}].function_declarations[${nth}].parameters'`)
    }
  }
  return null
}

function wordIn(schema: unknown, words: ReadonlySet<string>): string | null {
  if (typeof schema !== 'object' || schema === null) return null
  for (const [name, value] of Object.entries(schema)) {
    const found = words.has(name) ? name : wordIn(value, words)
    if (found) return found
  }
  return null
}

/** What the local runtime takes for a window where the request names none. */
const defaultWindow = 4096

/** How many tokens the local runtime cuts off the beginning of a prompt, without a word. */
export const cutByWindow = (inputTokens: number, options: { readonly num_ctx?: number } | undefined): number =>
  Math.max(0, inputTokens - (options?.num_ctx ?? defaultWindow))
