/** Values in a line of JSON, conditions on them, and lines that are made of them. Pure. */
import type { Condition } from './table.ts'

/** The value under a path; undefined: there is none. */
export const valueAt = (value: unknown, path: string): unknown => {
  if (path === '') return value
  let here = value
  for (const name of path.split('.')) {
    if (typeof here !== 'object' || here === null || !Object.hasOwn(here, name)) return undefined
    here = (here as Record<string, unknown>)[name]
  }
  return here
}

export const matchesCondition = (condition: Condition, value: unknown): boolean =>
  Object.entries(condition).every(([path, expected]) => {
    const found = valueAt(value, path) ?? null
    if (Array.isArray(expected)) return expected.some((one) => one === found)
    if (typeof expected === 'object' && expected !== null) return !expected.not.some((one) => one === found)
    return expected === found
  })

/** A text, or the texts in a list of them or of blocks with a `text`; anything else as JSON. null: there is nothing. */
export const textOf = (value: unknown): string | null => {
  if (value === undefined || value === null) return null
  if (typeof value === 'string') return value
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  if (Array.isArray(value)) {
    const texts = value.flatMap((one) => (typeof one === 'string' ? [one] : blockText(one)))
    if (texts.length > 0 || value.length === 0) return texts.join('\n')
  }
  return JSON.stringify(value)
}

const blockText = (block: unknown): string[] => {
  const text = valueAt(block, 'text')
  return typeof text === 'string' ? [text] : []
}

/** What `textOf` gives of the first path that has something. */
export const textAt = (value: unknown, paths: readonly string[]): string | null => {
  for (const path of paths) {
    const text = textOf(valueAt(value, path))
    if (text !== null && text !== '') return text
  }
  return null
}

/** A template with its names replaced: a text that is one name becomes the value, others take its text in. */
export const fillTemplate = (template: unknown, values: Readonly<Record<string, unknown>>): unknown => {
  if (typeof template === 'string') {
    const alone = /^\{([a-zA-Z]+)\}$/.exec(template)?.[1]
    if (alone !== undefined && Object.hasOwn(values, alone)) return values[alone]
    return template.replace(/\{([a-zA-Z]+)\}/g, (all, name: string) =>
      Object.hasOwn(values, name) ? String(values[name]) : all,
    )
  }
  if (Array.isArray(template)) return template.map((one) => fillTemplate(one, values))
  if (typeof template !== 'object' || template === null) return template
  return Object.fromEntries(Object.entries(template).map(([name, value]) => [name, fillTemplate(value, values)]))
}
