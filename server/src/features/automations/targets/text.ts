/** Fills the placeholders of a text with the payload of a trigger. Pure. */

const place = /\{\{\s*([\p{L}\p{N}_-]+(?:\.[\p{L}\p{N}_-]+)*)\s*\}\}/gu
const mostLetters = 100_000

/**
 * `payload`: a JSON object, or null. `{{a.b}}` stands for member `b` of member `a`; what is not there is nothing, and
 * objects are JSON. `show` escapes untrusted text.
 */
export const fillText = (text: string, payload: string | null, show: (value: string) => string): string => {
  const given: unknown = payload === null ? {} : JSON.parse(payload)
  const filled = text.replace(place, (_, path: string) => show(wordsOf(readPath(given, path.split('.')))))
  return filled.slice(0, mostLetters).toWellFormed()
}

const readPath = (value: unknown, path: readonly string[]): unknown =>
  path.reduce<unknown>(
    (at, name) =>
      typeof at === 'object' && at !== null && Object.hasOwn(at, name)
        ? (at as Record<string, unknown>)[name]
        : undefined,
    value,
  )

const wordsOf = (value: unknown): string => {
  if (value === undefined || value === null) return ''
  return typeof value === 'object' ? JSON.stringify(value) : String(value as string | number | boolean)
}
