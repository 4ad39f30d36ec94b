/** Values of a definition's variables: what may be saved, what is shown, and what they mean for a turn. Pure. */
import type { Variable, VariableValues } from '@atrium/contract/connections'
import { type GenerationOptions, GenerationOptions as Options } from '@atrium/contract/generation'
import { parseAddress } from '../../../providers/route.ts'
import { isAddressVariable, isConnectionVariable, routeOf } from './routing.ts'
import type { AccountConnection, InstalledDefinition, StoredValues } from '../types.ts'

type Value = StoredValues[string]

export const maskedValue = '••••••••'

/** What there is to see: connection variables at the instance's values for administrators, at their defaults for others. */
export function showValues({ installed, own }: AccountConnection, administrator: boolean): VariableValues {
  const { definition } = installed
  return Object.fromEntries(
    (definition.variables ?? []).map((variable) => {
      const { name } = variable
      const isConnection = isConnectionVariable(definition, name)
      const saved = isConnection ? (administrator ? installed.values[name] : undefined) : own.values[name]
      const isSensitive = variable.sensitive === true
      const value = saved ?? variable.default ?? null
      const shown = isSensitive && value !== null && value !== '' ? maskedValue : value
      return [name, { name, value: shown, isSensitive, hasValue: saved !== undefined, isConnection }]
    }),
  )
}

export interface VariableChange {
  readonly variables: StoredValues
  readonly unset?: readonly string[] | undefined
}

export interface ChangedVariables {
  readonly own: StoredValues
  readonly instance: StoredValues
  readonly instanceChanged: boolean
  /** Addresses that were changed, to be checked before anything is stored. */
  readonly addresses: readonly string[]
}

export type VariableFault = { readonly path: string; readonly message: string }

/** The values after a change, or what is wrong with it. Unknown names are ignored, as definitions come and go. */
export function changeValues(
  { installed, own }: AccountConnection,
  { variables, unset = [] }: VariableChange,
): ChangedVariables | { readonly faults: readonly VariableFault[] } {
  const { definition } = installed
  const declared = new Map((definition.variables ?? []).map((variable) => [variable.name, variable]))
  const mine: Record<string, Value> = { ...own.values }
  const shared: Record<string, Value> = { ...installed.values }
  const faults: VariableFault[] = []
  const addresses: string[] = []
  if (declared.size === 0) faults.push({ path: 'body.variables', message: 'this connection has no variables' })
  for (const [name, value] of Object.entries(variables)) {
    const variable = declared.get(name)
    if (!variable) continue
    const path = `body.variables.${name}`
    const isConnection = isConnectionVariable(definition, name)
    const target = isConnection ? shared : mine
    if (unset.includes(name)) {
      faults.push({ path, message: 'can’t be set and unset at once' })
    } else if (variable.sensitive === true && value === maskedValue) {
      // What was shown instead of it came back: it stays as it is.
    } else if (value === '' || (isConnection && value === variable.default)) {
      delete target[name]
    } else {
      const fault = faultOf(variable, value, isAddressVariable(definition, name))
      if (fault) faults.push({ path, message: fault })
      else target[name] = value
      if (!fault && isAddressVariable(definition, name) && !String(value).includes('{')) addresses.push(String(value))
    }
  }
  for (const name of unset) {
    delete mine[name]
    if (isConnectionVariable(definition, name)) delete shared[name]
  }
  const instanceChanged = JSON.stringify(shared) !== JSON.stringify(installed.values)
  if (instanceChanged && faults.length === 0) {
    const { fault } = routeOf(definition, shared, installed.bundled)
    // A route that was at fault before may be mended in more than one step.
    if (fault && !installed.route.fault) faults.push({ path: 'body.variables', message: fault })
  }
  return faults.length > 0 ? { faults } : { own: mine, instance: shared, instanceChanged, addresses }
}

/** Whether a change touches what only administrators set. */
export const touchesConnection = (
  { definition }: InstalledDefinition,
  { variables, unset = [] }: VariableChange,
): boolean =>
  [...Object.keys(variables), ...unset].some(
    (name) =>
      definition.variables?.some((variable) => variable.name === name) && isConnectionVariable(definition, name),
  )

/** The account's own values that words of a turn exist for. What the turn says itself goes before them. */
export function turnDefaults({ definition }: InstalledDefinition, values: StoredValues): GenerationOptions {
  const found: Record<string, unknown> = {}
  for (const { name } of definition.variables ?? []) {
    const option = optionNames[name]
    const value = values[name]
    if (!option || value === undefined) continue
    const sound = Options.shape[option].safeParse(value)
    if (sound.success) found[option] = sound.data
  }
  return found
}

const optionNames: Readonly<Record<string, keyof typeof Options.shape>> = {
  temperature: 'temperature',
  top_p: 'top_p',
  top_k: 'top_k',
  min_p: 'min_p',
  max_tokens: 'num_predict',
  max_output_tokens: 'num_predict',
  max_completion_tokens: 'num_predict',
  num_ctx: 'num_ctx',
  seed: 'seed',
  repeat_penalty: 'repeat_penalty',
  presence_penalty: 'presence_penalty',
  frequency_penalty: 'frequency_penalty',
  reasoning_effort: 'think',
}

const longest = 2048

function faultOf(variable: Variable, value: Value, isAddress: boolean): string | null {
  switch (variable.type) {
    case 'number':
      if (typeof value !== 'number') return 'must be a number'
      if (variable.min !== undefined && value < variable.min) return `must be at least ${variable.min}`
      if (variable.max !== undefined && value > variable.max) return `must be at most ${variable.max}`
      return null
    case 'boolean':
      return typeof value === 'boolean' ? null : 'must be true or false'
    case 'select':
      return choicesOf(variable).some((choice) => choice === value) ? null : 'must be one of the options'
    case 'string':
      if (typeof value !== 'string') return 'must be text'
      if (value.length > longest) return `must have at most ${longest} characters`
      return isAddress ? addressFault(value) : null
  }
}

const choicesOf = ({ options = [] }: Variable): unknown[] =>
  options.map((option) => (typeof option === 'object' ? option.value : option))

function addressFault(value: string): string | null {
  try {
    parseAddress(value)
    return null
  } catch (error) {
    return error instanceof Error ? error.message : 'is no address'
  }
}
