/**
 * Pictures that a request names by address, for models whose makers take bytes only: fetched here, from public places
 * only, and put into the request as data URLs. The three shapes name pictures each in a form of its own, and none of
 * these means anything else in another.
 */
import { Refusal } from '../../platform/http/refusal.ts'
import { fetchPage } from '../../platform/outbound/fetch-page.ts'
import { isTooLarge, readHead } from '../../platform/formats/picture/head.ts'
import { type Outbound, OutboundFailure } from '../../platform/outbound/types.ts'
import { asObject, asText, type Json } from '../../providers/wires/json.ts'
import { invalidRequest } from './refusals.ts'

/** As much as a picture of a chat may have. */
const maxPictureBytes = 10 * 1024 * 1024
/** All of them together, so that a request of some bytes cannot fill the memory: as much as a body may have itself. */
const maxTotalBytes = 24 * 1024 * 1024
/** More than the makers take in one request; each is a call to a place that somebody else chose. */
const maxPictures = 20
/** For one picture, redirects and all: the client waits for it. */
const timeoutMs = 15_000

/**
 * The body with its pictures as data URLs; the same body where all are. Refuses an address that may not be called, and
 * what is no picture, by its path in the request.
 */
export const withPictures = async <Body extends object>(
  body: Body,
  outbound: Pick<Outbound, 'check' | 'request'>,
  signal: AbortSignal,
): Promise<Body> => {
  const named = addressesIn(body)
  if (named.length > maxPictures)
    throw invalidRequest(named[maxPictures]!.path, `is one picture too many: ${maxPictures} at most`)
  const fetched = new Map<string, string>()
  let left = maxTotalBytes
  // One after the other: together they may not be larger than the limit.
  for (const { address, path } of named) {
    if (fetched.has(address)) continue
    const bytes = await fetchPicture(outbound, address, path, Math.min(left, maxPictureBytes), signal)
    // By its bytes: what a host calls a picture is not believed.
    const head = readHead(bytes)
    if (!head) throw invalidRequest(path, 'leads to something else than a PNG, JPEG, WebP or GIF picture')
    if (isTooLarge(head)) throw invalidRequest(path, 'leads to a picture with more pixels than can be shown')
    left -= bytes.byteLength
    fetched.set(address, `data:${head.mediaType};base64,${bytes.toString('base64')}`)
  }
  return named.length === 0 ? body : (replaceIn(body, fetched) as Body)
}

const fetchPicture = async (
  outbound: Pick<Outbound, 'check' | 'request'>,
  address: string,
  path: string,
  maxBytes: number,
  signal: AbortSignal,
): Promise<Buffer> => {
  const request = { accept: 'image/png,image/jpeg,image/webp,image/gif', maxBytes, timeoutMs, signal }
  const page = await fetchPage(outbound, address, request).catch((error: unknown) => {
    if (error instanceof Refusal) throw invalidRequest(path, `cannot be fetched: ${error.message}`)
    if (!(error instanceof OutboundFailure) || signal.aborted) throw error
    const tooLarge = error.kind === 'too-large'
    throw invalidRequest(
      path,
      tooLarge ? 'is too large: 10 MB for one, 24 MB for all' : 'could not be fetched from its host',
    )
  })
  if (page.status !== 200) throw invalidRequest(path, `could not be fetched: its host answered with ${page.status}`)
  return page.bytes
}

interface Named {
  readonly address: string
  readonly path: string
}

/** The path of messages in the three shapes. */
const lists = ['messages', 'input'] as const
/** The path of parts in a message, and in a tool result within it. */
const within = ['content', 'output'] as const

const addressesIn = (body: object): Named[] => {
  const found: Named[] = []
  const visit = (value: unknown, path: string): void => {
    if (!Array.isArray(value)) return
    for (const [index, item] of value.entries()) {
      const part = asObject(item)
      if (!part) continue
      const place = `${path}.${index}`
      const address = addressOf(part)
      if (address !== null) found.push({ address: address.value, path: `${place}.${address.field}` })
      for (const field of within) visit(part[field], `${place}.${field}`)
    }
  }
  for (const list of lists) visit((body as Json)[list], list)
  return found
}

const replaceIn = (body: object, fetched: ReadonlyMap<string, string>): object => {
  const visit = (value: unknown): unknown => {
    if (!Array.isArray(value)) return value
    return value.map((item: unknown) => {
      const part = asObject(item)
      if (!part) return item
      const url = fetched.get(addressOf(part)?.value ?? '')
      if (url !== undefined) return withAddress(part, url)
      return withFields(part, within, visit)
    })
  }
  return withFields(body as Json, lists, visit)
}

const withFields = (object: Json, fields: readonly string[], change: (value: unknown) => unknown): Json => {
  const changed: Json = { ...object }
  for (const field of fields) if (Array.isArray(object[field])) changed[field] = change(object[field])
  return changed
}

/** The address in a part that is a picture by address, and the field that holds it. */
const addressOf = (part: Json): { value: string; field: string } | null => {
  const at = (value: unknown, field: string) =>
    /^https?:/i.test(asText(value).slice(0, 6)) ? { value: asText(value), field } : null
  switch (part['type']) {
    case 'image_url': {
      const image = part['image_url']
      return at(asObject(image)?.['url'] ?? image, 'image_url.url')
    }
    case 'input_image':
      return at(part['image_url'], 'image_url')
    case 'image':
      return at(asObject(part['source'])?.['url'], 'source.url')
    default:
      return null
  }
}

const withAddress = (part: Json, url: string): Json => {
  switch (part['type']) {
    case 'image_url':
      return { ...part, image_url: { ...asObject(part['image_url']), url } }
    case 'input_image':
      return { ...part, image_url: url }
    default:
      return { ...part, source: { type: 'url', url } }
  }
}
