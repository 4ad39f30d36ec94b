/** Values as parts of an address or a header. What a value is made of never becomes structure. Pure. */
import type { Parameter } from './operation.ts'

type Value = unknown

const textOf = (value: Value): string =>
  typeof value === 'string'
    ? value
    : typeof value === 'object' && value !== null
      ? JSON.stringify(value)
      : String(value)

/** All but letters, digits and `-._~` (RFC 3986). */
export const encodePart = (text: string): string =>
  encodeURIComponent(text.toWellFormed()).replace(
    /[!'()*]/g,
    (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`,
  )

const isPlain = (value: Value): value is Record<string, Value> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** `simple`: a list with commas; of an object its names and values. `encode` is for each by itself. */
export const encodeSimple = (value: Value, { explode, style }: Parameter, encode: (text: string) => string): string => {
  if (style === 'json') return encode(JSON.stringify(value))
  if (Array.isArray(value)) return value.map((one) => encode(textOf(one))).join(',')
  if (!isPlain(value)) return encode(textOf(value))
  return Object.entries(value)
    .map(([name, one]) => `${encode(name)}${explode ? '=' : ','}${encode(textOf(one))}`)
    .join(',')
}

const delimiters = { form: ',', spaceDelimited: '%20', pipeDelimited: '%7C' } as const

/** Of a query: `name=value` once or several times. */
export const encodeQuery = (value: Value, { name, style, explode }: Parameter): string[] => {
  const pair = (key: string, one: Value): string => `${encodePart(key)}=${encodePart(textOf(one))}`
  if (style === 'json') return [`${encodePart(name)}=${encodePart(JSON.stringify(value))}`]
  if (style === 'deepObject' && isPlain(value))
    return Object.entries(value).flatMap(([key, one]) =>
      (Array.isArray(one) ? (one as Value[]) : [one]).map((each) => pair(`${name}[${key}]`, each)),
    )
  const delimiter = style === 'spaceDelimited' || style === 'pipeDelimited' ? delimiters[style] : delimiters.form
  if (Array.isArray(value)) {
    if (explode) return value.map((one) => pair(name, one))
    return [`${encodePart(name)}=${value.map((one) => encodePart(textOf(one))).join(delimiter)}`]
  }
  if (!isPlain(value)) return [pair(name, value)]
  if (explode) return Object.entries(value).map(([key, one]) => pair(key, one))
  const parts = Object.entries(value).flatMap(([key, one]) => [encodePart(key), encodePart(textOf(one))])
  return [`${encodePart(name)}=${parts.join(delimiter)}`]
}
