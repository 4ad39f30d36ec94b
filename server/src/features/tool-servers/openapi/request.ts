/** From an operation and arguments to one request. Every value stays in its place. Pure, but for the border of a form. */
import { ArgumentFault } from './argument-fault.ts'
import { toBody } from './bodies.ts'
import { encodePart, encodeQuery, encodeSimple } from './encode.ts'
import { type Operation, type Parameter, placeholder } from './operation.ts'

export interface OperationRequest {
  readonly url: string
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Uint8Array | null
}

const mostAddressLetters = 16_000

/** `origin` is the only one that is ever called. Throws ArgumentFault. */
export const toRequest = (
  origin: string,
  { method, base, path, parameters, body }: Operation,
  args: Readonly<Record<string, unknown>>,
): OperationRequest => {
  const given = (key: string): unknown => (Object.hasOwn(args, key) ? args[key] : undefined)
  const inPlace = (place: Parameter['in']) =>
    parameters.flatMap((parameter) => {
      const value = given(parameter.key)
      return parameter.in === place && value !== undefined && value !== null ? [{ parameter, value }] : []
    })
  const inPath = new Map(inPlace('path').map(({ parameter, value }) => [parameter.name, { parameter, value }]))
  // One pass: what a value holds is never read as a place for another.
  const filled = path.replace(placeholder, (_, name: string) => {
    const found = inPath.get(name)
    const text = found ? encodeSimple(found.value, found.parameter, encodePart) : ''
    if (text === '') throw new ArgumentFault(`${name} must not be empty: it is part of the path.`)
    return text
  })
  const query = inPlace('query').flatMap(({ parameter, value }) => encodeQuery(value, parameter))
  const url = `${origin}${base}${filled}${query.length > 0 ? `?${query.join('&')}` : ''}`
  if (url.length > mostAddressLetters) throw new ArgumentFault('These arguments make the address too long.')
  requireSamePath(url, origin, `${base}${filled}`)

  const headers: Record<string, string> = { accept: 'application/json, text/*;q=0.9, */*;q=0.5' }
  for (const { parameter, value } of inPlace('header')) {
    const text = encodeSimple(value, parameter, (part) => part)
    if (!/^[\x20-\x7e]*$/.test(text))
      throw new ArgumentFault(`${parameter.key} contains characters that aren’t allowed in a header.`)
    headers[parameter.name.toLowerCase()] = text.trim()
  }
  const cookies = inPlace('cookie').map(
    ({ parameter, value }) => `${parameter.name}=${encodeSimple(value, { ...parameter, explode: false }, encodePart)}`,
  )
  if (cookies.length > 0) headers['cookie'] = cookies.join('; ')

  const wanted = body && given(body.key)
  const sent = body && wanted !== undefined && wanted !== null ? toBody(wanted, body) : null
  if (sent) headers['content-type'] = sent.mediaType
  return { url, method: method.toUpperCase(), headers, body: sent?.content ?? null }
}

/** Whatever was filled in, the address leads where its parts say: no dots go up, in whatever form they are written. */
const requireSamePath = (address: string, origin: string, path: string): void => {
  const url = URL.parse(address)
  if (url?.origin !== origin || url.pathname !== (path === '' ? '/' : path) || url.hash !== '')
    throw new ArgumentFault('An argument would change the address of the call.')
}
