/** JSON that somebody else wrote, read within bounds. */
import { createJsonReader } from './reader.ts'
import { type JsonBounds, JsonFault, usualBounds } from './bounds.ts'

export { type JsonBounds, JsonFault, usualBounds } from './bounds.ts'
export { createJsonReader } from './reader.ts'

/** Reads a whole JSON text, as `JSON.parse` does. Throws JsonFault where it is none, or over the bounds. */
export const readJsonText = (text: string | Uint8Array, bounds: JsonBounds = usualBounds): unknown => {
  if (text.length === 0) throw new JsonFault('syntax')
  const reader = createJsonReader(bounds)
  reader.push(typeof text === 'string' ? Buffer.from(text) : text)
  return reader.end()
}
