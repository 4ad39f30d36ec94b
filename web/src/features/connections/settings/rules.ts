/** Pure decisions of the pages about connections. */
import type { Connection, Variable, VariableValue } from '@atrium/contract/connections'

type Value = string | number | boolean

/** The choices of a variable, each with what it is called. */
export function choicesOf({ options = [] }: Variable): { value: Value; label: string }[] {
  return options.map((option) =>
    typeof option === 'object'
      ? { value: option.value, label: option.label ?? String(option.value) }
      : { value: option, label: String(option) },
  )
}

/** What stands in a field for a value; nothing for none. */
export const shownValue = (value: VariableValue | undefined): string =>
  value === undefined || value.value === null ? '' : String(value.value)

/** What a typed text stands for: null sets the variable back, undefined is no valid value. */
export function typedValue(variable: Variable, text: string): Value | null | undefined {
  const typed = text.trim()
  if (typed === '') return null
  if (variable.type === 'boolean') return typed === 'true'
  if (variable.type === 'select') return choicesOf(variable).find(({ value }) => String(value) === typed)?.value
  if (variable.type === 'string') return typed
  const figure = Number(typed)
  if (!Number.isFinite(figure)) return undefined
  if (variable.min !== undefined && figure < variable.min) return undefined
  if (variable.max !== undefined && figure > variable.max) return undefined
  return figure
}

/** What a form of route fields has to send: the new values, and the names of those that go back. */
export function changesOf(
  variables: readonly Variable[],
  values: Readonly<Record<string, VariableValue>>,
  typed: Readonly<Record<string, string>>,
): { variables: Record<string, Value>; unset: string[]; wrong: string[] } {
  const changes: ReturnType<typeof changesOf> = { variables: {}, unset: [], wrong: [] }
  for (const variable of variables) {
    const { name } = variable
    const text = typed[name]
    if (text === undefined || text === shownValue(values[name])) continue
    const value = typedValue(variable, text)
    if (value === undefined) changes.wrong.push(name)
    else if (value === null) changes.unset.push(name)
    else changes.variables[name] = value
  }
  return changes
}

/**
 * What stays in the list on screen: the server leaves out what comes with Atrium and is used no more, but a card does
 * not vanish under the hand that switched it off. What is new stands last.
 */
export function stillShown(shown: readonly Connection[], items: readonly Connection[]): Connection[] {
  const now = new Map(items.map((item) => [item.id, item]))
  const known = new Set(shown.map(({ id }) => id))
  return [
    ...shown.flatMap((one) => now.get(one.id) ?? (one.source === 'bundled' ? { ...one, active: false } : [])),
    ...items.filter(({ id }) => !known.has(id)),
  ]
}
