/** The definition that a name and an address become. Pure. */
import type { Definition, Variable } from '@atrium/contract/connections'
import { idFromName } from '../rules.ts'

/** A quick connection. Without a key it takes one later, but needs none. */
export const quickDefinition = (name: string, url: string, withKey: boolean, models: readonly string[]): Definition => {
  const id = idFromName(name)
  const auth = {
    header: 'Authorization',
    prefix: 'Bearer ',
    key_env: keyVariableOf(id),
    ...(withKey ? {} : { optional: true }),
  }
  return {
    id,
    name,
    type: 'completion',
    endpoint: url,
    api_mode: 'chat_completions',
    auth,
    model_map: [...models],
    variables: quickVariables(url),
  }
}

/** What can be changed later: where it is, and how answers are made. The words are those of definitions that come with Atrium. */
const quickVariables = (endpoint: string): Variable[] => [
  {
    name: 'endpoint',
    type: 'string',
    label: 'Full address',
    description: 'Replaces the address that the connection was created with.',
    default: endpoint,
  },
  {
    name: 'models_endpoint',
    type: 'string',
    label: 'Model list',
    description: 'Where the models are listed. Leave empty to derive it from the address.',
  },
  {
    name: 'temperature',
    type: 'number',
    label: 'Temperature',
    description: 'Low values are more predictable, high values more varied. Leave empty for the model’s default.',
    min: 0,
    max: 2,
  },
  {
    name: 'max_tokens',
    type: 'number',
    label: 'Longest answer',
    description: 'In tokens. Leave empty for the model’s default.',
    min: 1,
    max: 65_536,
  },
  {
    name: 'top_p',
    type: 'number',
    label: 'Top P',
    description: 'Only the most likely words that make up this share. Leave empty for the model’s default.',
    min: 0,
    max: 1,
  },
]

/** Quick connections of versions that gave them no variables get them when they are read. */
export function withQuickVariables(definition: Definition): Definition {
  const isQuick =
    Object.keys(definition).every((field) => quickFields.has(field)) &&
    definition.auth.prefix === 'Bearer ' &&
    definition.auth.key_env === keyVariableOf(definition.id.replace(/-custom$/, ''))
  return isQuick ? { ...definition, variables: quickVariables(definition.endpoint) } : definition
}

const quickFields = new Set(['id', 'name', 'type', 'endpoint', 'api_mode', 'auth', 'model_map'])

const keyVariableOf = (id: string): string => variableName(`${id}-api-key`)

/** The name of an environment variable. One that would begin with a digit, which no such name does, gets a word before. */
const variableName = (words: string): string => {
  const name = words.toUpperCase().replace(/[^A-Z0-9]+/g, '_')
  return /^[0-9]/.test(name) ? `CONNECTION_${name}` : name
}

/**
 * A stored definition of a version that named the variable of a quick connection's key after its id alone, also where
 * that begins with a digit.
 */
export function withSoundVariable(stored: unknown): unknown {
  const definition = stored as { auth?: { key_env?: unknown } } | null
  const name = definition?.auth?.key_env
  if (typeof name !== 'string' || !/^[0-9]/.test(name)) return stored
  return { ...definition, auth: { ...definition?.auth, key_env: variableName(name) } }
}
