/** Which tool a client wants to be used. Pure. */
import type { ToolSpec, Turn } from '../../../providers/types.ts'
import { asObject, asText } from '../../../providers/wires/json.ts'
import { invalidRequest } from '../refusals.ts'

interface Offered {
  readonly specs: readonly ToolSpec[]
  /** The type of a tool that was left out, because only its maker runs it. */
  readonly leftOut: string | null
  /** What the model calls a tool; absent: as the client does. */
  readonly modelName?: (name: unknown, namespace: unknown) => string
}

/** `tool_choice` as OpenAI's clients say it. Refuses one that demands what was left out. */
export const readChoice = (choice: unknown, { specs, leftOut, modelName }: Offered): Turn['toolChoice'] => {
  const object = asObject(choice)
  const type = asText(object?.['type'])
  if (object && !choices.has(type)) throw requiredTool(type)
  const read = readToolChoice(choice)
  if (read === 'required' && specs.length === 0 && leftOut !== null) throw requiredTool(leftOut)
  return typeof read === 'object' && modelName ? { name: modelName(read.name, object?.['namespace']) } : read
}

const choices: ReadonlySet<string> = new Set(['function', 'custom', 'allowed_tools', ''])

/** A tool that only its maker runs was demanded. */
export const requiredTool = (type: string) =>
  invalidRequest(
    'tool_choice',
    `demands a tool that only its maker runs (${type.slice(0, 50)}), and this model has none`,
  )

const readToolChoice = (choice: unknown): Turn['toolChoice'] => {
  if (choice === 'auto' || choice === 'none' || choice === 'required') return choice
  const object = asObject(choice)
  if (!object) return undefined
  if (object['type'] === 'allowed_tools') {
    const mode = asText(object['mode']) || asText(asObject(object['allowed_tools'])?.['mode'])
    return mode === 'required' ? 'required' : 'auto'
  }
  const name = asText(asObject(object['function'])?.['name']) || asText(object['name'])
  return name === '' ? undefined : { name }
}
