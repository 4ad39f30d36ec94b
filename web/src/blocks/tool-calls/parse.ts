/** Arguments and results as values, where they are JSON. */

/** The value that a text says; undefined where it is no JSON, or was cut. Numbers that would lose digits stay in the text. */
export function parseValue(text: string): unknown {
  const first = text.trimStart()[0]
  if (first !== '{' && first !== '[') return undefined
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}

/** Whether a value is an object with names, and no list. */
export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** JSON with its lines; anything else as it is. */
export function formatJson(text: string): string {
  const value = parseValue(text)
  return value === undefined ? text : JSON.stringify(value, null, 2)
}
