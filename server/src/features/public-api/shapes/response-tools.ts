/**
 * The tools of a response, for models that only know functions: functions in namespaces are unfolded, tools that take
 * bare text become functions of one text, and what would run at OpenAI is left out unless it is demanded. Calls go back
 * under the names that the client knows. Pure.
 */
import type { ResponseBody } from '@atrium/contract/public-api'
import type { ToolSpec, Turn } from '../../../providers/types.ts'
import { asArray, asObject, asText, type Json } from '../../../providers/wires/json.ts'
import { readSchema } from './read-request.ts'
import { invalidRequest } from '../refusals.ts'
import { readChoice } from './tool-choice.ts'

/** A tool as the client knows it. */
export interface ClientTool {
  readonly name: string
  readonly namespace: string | null
  /** `custom`: called with bare text, not with JSON. */
  readonly kind: 'function' | 'custom'
}

export interface ResponseTools {
  readonly specs: readonly ToolSpec[]
  /** What the client calls a tool that the model called by this name. */
  clientTool(name: string): ClientTool
  /** What the model calls a tool of the client. */
  modelName(name: unknown, namespace: unknown): string
  readonly choice: Turn['toolChoice']
}

/** The longest name that makers take. */
const longestName = 64

/** Throws a Refusal that names a tool that cannot be read, or a choice that cannot be followed. */
export const readTools = (body: ResponseBody): ResponseTools => {
  const specs: ToolSpec[] = []
  const byName = new Map<string, ClientTool>()
  const names = new Map<string, string>()
  let leftOut: string | null = null

  const add = (tool: Json, path: string, namespace: string | null): void => {
    const kind = tool['type'] === 'custom' ? 'custom' : 'function'
    const name = asText(tool['name'])
    if (name === '') throw invalidRequest(`${path}.name`, 'is missing')
    const known = namesFor(name, namespace).find((one) => !byName.has(one))
    const given = known ?? `${name.slice(0, longestName - 6)}_${byName.size}`
    byName.set(given, { name, namespace, kind })
    names.set(keyOf(name, namespace), given)
    specs.push({ name: given, ...(kind === 'custom' ? sayCustom(tool) : sayFunction(tool, path)) })
  }
  const read = (tools: unknown, path: string, namespace: string | null): void => {
    for (const [index, value] of asArray(tools).entries()) {
      const tool = asObject(value) ?? {}
      const place = `${path}.${index}`
      const type = asText(tool['type'])
      if (type === 'namespace' && namespace === null) read(tool['tools'], `${place}.tools`, asText(tool['name']))
      else if (type === 'function' || type === 'custom') add(tool, place, namespace)
      else leftOut = type
    }
  }
  read(body.tools, 'tools', null)
  // Some clients bring tools along with the items that made them known.
  for (const [index, item] of (typeof body.input === 'string' ? [] : body.input).entries()) {
    if (bringsTools.has(asText(item['type']))) read(item['tools'], `input.${index}.tools`, null)
  }

  const modelName = (name: unknown, namespace: unknown): string => {
    const [own, group] = [asText(name), asText(namespace) || null]
    return names.get(keyOf(own, group)) ?? namesFor(own, group)[0] ?? own
  }
  return {
    specs,
    modelName,
    clientTool: (name) => byName.get(name) ?? { name, namespace: null, kind: 'function' },
    choice: readChoice(body.tool_choice, { specs, leftOut, modelName }),
  }
}

/** Items of the input that hold tools, and nothing else that a model reads. */
export const bringsTools: ReadonlySet<string> = new Set(['additional_tools', 'tool_search_output'])

/** What a model may call it, best first: with its namespace, as the same name may stand in several. */
const namesFor = (name: string, namespace: string | null): string[] => {
  const joined = namespace ? `${namespace}${namespace.endsWith('_') ? '' : '__'}${name}` : name
  return [joined.replace(/[^a-zA-Z0-9_-]/g, '_'), name].filter((one) => one.length <= longestName || namespace === null)
}

const keyOf = (name: string, namespace: string | null): string => JSON.stringify([namespace, name])

const sayFunction = (tool: Json, path: string) => ({
  description: asText(tool['description']),
  parameters: readSchema(tool['parameters'], `${path}.parameters`),
})

/** The name of the one field that holds the bare text. */
const input = 'input'

const sayCustom = (tool: Json) => {
  const format = asObject(tool['format'])
  const grammar = asText(format?.['definition'])
  const rule =
    grammar === '' ? '' : `\n\nThe input must follow this grammar (${asText(format?.['syntax'])}):\n${grammar}`
  return {
    description: asText(tool['description']) + rule,
    parameters: {
      type: 'object',
      properties: { [input]: { type: 'string', description: 'The whole input of the tool, as plain text.' } },
      required: [input],
    },
  }
}

/** Bare text as the arguments of the function that stands for its tool, and back. */
export const writeToolInput = (text: string): string => JSON.stringify({ [input]: text })
export const readToolInput = (args: string): string => {
  try {
    const given = asObject(JSON.parse(args || '{}'))?.[input]
    return typeof given === 'string' ? given : args
  } catch {
    // The model wrote what was wanted without the wrapping, or garbled it: the client judges its own input.
    return args
  }
}
