/** Reads what the shapes have in common: texts, pictures in data URLs, JSON schemas, levels of thinking. Pure. */
import type { GenerationOptions } from '@atrium/contract/generation'
import type { TurnImage, TurnMessage } from '../../../providers/types.ts'
import { asObject, type Json } from '../../../providers/wires/json.ts'
import { invalidRequest } from '../refusals.ts'

export interface RequestContent {
  readonly text: string
  readonly images: readonly TurnImage[]
}

/** A picture out of a data URL (RFC 2397), in base64. What was named by address is one by now. */
export const readDataUrl = (url: unknown, path: string): TurnImage => {
  const text = typeof url === 'string' ? url : ''
  // Only the head is matched: the rest is megabytes, and checked character by character below.
  const [head = '', mediaType] = dataUrlHead.exec(text.slice(0, longestHead)) ?? []
  const data = text.slice(head.length)
  if (!mediaType || data === '' || otherSign.test(data)) {
    throw invalidRequest(path, 'pictures are taken as data URLs (data:image/…;base64,…) or by their https address')
  }
  return { mediaType: mediaType.toLowerCase(), data }
}

/** A text, or a list of parts that `readPart` knows; null for a part without a meaning here. */
export const readContent = (
  content: unknown,
  path: string,
  readPart: (part: Json, path: string) => Partial<RequestContent> | null,
): RequestContent => {
  if (typeof content === 'string') return { text: content, images: [] }
  if (content === null || content === undefined) return { text: '', images: [] }
  if (!Array.isArray(content)) throw invalidRequest(path, 'must be a text or a list of parts')
  const texts: string[] = []
  const images: TurnImage[] = []
  for (const [index, item] of content.entries()) {
    const part = asObject(item)
    if (!part) throw invalidRequest(`${path}.${index}`, 'must be an object')
    const { text, images: more } = readPart(part, `${path}.${index}`) ?? {}
    if (text) texts.push(text)
    if (more) images.push(...more)
  }
  return { text: texts.join('\n'), images }
}

/** Drops what was not said, so that the provider decides. */
export const readOptions = (
  said: {
    readonly [K in keyof GenerationOptions]: GenerationOptions[K] | null
  },
): GenerationOptions =>
  Object.fromEntries(Object.entries(said).filter(([, value]) => value !== undefined && value !== null))

export const readStop = (stop: string | readonly string[] | null | undefined): string[] | undefined => {
  const words = [stop ?? []].flat().filter((word) => word !== '')
  return words.length > 0 ? words.slice(0, 8) : undefined
}

/** A client's word for how hard to think. */
export const readEffort = (effort: unknown): GenerationOptions['think'] => {
  switch (effort) {
    case 'none':
      return false
    case 'minimal':
    case 'low':
      return 'low'
    case 'medium':
      return 'medium'
    case 'high':
    case 'xhigh':
    case 'max':
      return 'high'
    default:
      return undefined
  }
}

/** A JSON Schema as an object; absent parameters mean none. */
export const readSchema = (schema: unknown, path: string): Json => {
  if (schema === undefined || schema === null) return { type: 'object', properties: {} }
  const object = asObject(schema)
  if (!object) throw invalidRequest(path, 'must be a JSON Schema')
  return object
}

/** The name of the tool whose result a message brings, from the call before it. */
export const nameOfCall = (messages: readonly TurnMessage[], callId: string): string =>
  messages
    .flatMap((message) => (message.role === 'assistant' ? message.toolCalls : []))
    .findLast((call) => call.id === callId)?.name ?? ''

/** Longer ones hold no picture, but parameters without end. */
const longestHead = 300
const dataUrlHead = /^data:(image\/[\w.+-]{1,100})(?:;[\w=.+-]{1,100}){0,4};base64,/i
const otherSign = /[^A-Za-z0-9+/=_-]/
