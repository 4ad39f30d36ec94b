/**
 * A WebDAV collection as a destination (RFC 4918), with a user name and a password (Basic). Files are written beside and
 * then moved to their name; a server that can not move gets them under their name at once.
 */
import { childOf, childrenOf, type Element, parseXml, textOf } from '../../formats/xml.ts'
import {
  type Destination,
  DestinationFailure,
  isObjectName,
  requireObjectName,
  type StoredObject,
} from './destination.ts'
import { createHttpCaller, failureOfStatus, type HttpAnswer, type HttpDestinationDeps } from './http.ts'

export interface WebDavOptions {
  /** The collection. */
  readonly url: string
  readonly username: string
  readonly password: string
}

/** Where files are written before they get their name; no name of an object begins with a dot. */
const draftFolder = '.incomplete'
/** Left by a process that ended in the middle; another one may be writing what is younger. */
const draftMs = 24 * 3600_000

export const openWebDav = (options: WebDavOptions, deps: HttpDestinationDeps): Destination => {
  const call = createHttpCaller(deps)
  const base = new URL(options.url.endsWith('/') ? options.url : `${options.url}/`)
  const authorization = `Basic ${Buffer.from(`${options.username}:${options.password}`).toString('base64')}`
  const made = new Set<string>()
  let prepared: Promise<void> | undefined
  /** Known with the first write. */
  let canMove = true

  type Method = 'GET' | 'PUT' | 'DELETE' | 'MKCOL' | 'MOVE' | 'PROPFIND'
  interface Extra {
    readonly headers?: Record<string, string>
    readonly body?: Uint8Array | string
    readonly signal?: AbortSignal | undefined
  }
  const send = (method: Method, path: string, { headers = {}, body, signal }: Extra = {}): Promise<HttpAnswer> => {
    const all = { authorization, ...headers }
    return call({ method, url: base.href + path, headers: () => all, body, signal })
  }

  const makeCollection = async (path: string, signal: AbortSignal | undefined): Promise<void> => {
    if (made.has(path)) return
    const answer = await send('MKCOL', path, { signal })
    // 405: it is there (RFC 4918, 9.3.1); some servers say so with a redirect to its name with a slash.
    if (answer.status !== 201 && answer.status !== 405 && answer.status !== 301) throw failureOf(answer)
    made.add(path)
  }

  const prepare = async (signal: AbortSignal | undefined): Promise<void> => {
    const there = await send('PROPFIND', '', { headers: { depth: '0' }, body: sizeAndTime, signal })
    if (there.status === 404) await makeCollection('', signal)
    else if (there.status !== 207) throw failureOf(there)
    await makeCollection(`${draftFolder}/`, signal)
    const before = deps.now() - draftMs
    for (const { path, isFolder, modifiedAt } of await readFolder(`${draftFolder}/`, signal))
      if (!isFolder && modifiedAt.getTime() < before) await send('DELETE', path, { signal })
  }

  /** What lies in a collection; none where it is not there. Paths are relative to the base. */
  const readFolder = async (path: string, signal: AbortSignal | undefined): Promise<Entry[]> => {
    const answer = await send('PROPFIND', path, { headers: { depth: '1' }, body: sizeAndTime, signal })
    if (answer.status === 404) return []
    if (answer.status !== 207) throw failureOf(answer)
    return parseEntries(answer, base).filter((entry) => entry.path !== path && isChild(path, entry.path))
  }

  async function* walk(
    path: string,
    prefix: string,
    signal: AbortSignal | undefined,
  ): AsyncGenerator<StoredObject, void, undefined> {
    for (const entry of await readFolder(path, signal)) {
      const name = entry.path.replace(/\/$/, '')
      if (!isObjectName(name)) continue
      if (!entry.isFolder && name.startsWith(prefix)) yield { name, bytes: entry.bytes, modifiedAt: entry.modifiedAt }
      if (entry.isFolder && (`${name}/`.startsWith(prefix) || prefix.startsWith(`${name}/`)))
        yield* walk(`${name}/`, prefix, signal)
    }
  }

  const put = async (path: string, bytes: Uint8Array, signal: AbortSignal | undefined): Promise<void> => {
    const headers = { 'content-type': 'application/octet-stream' }
    const answer = await send('PUT', path, { headers, body: bytes, signal })
    if (![200, 201, 204].includes(answer.status)) throw failureOf(answer)
  }

  const moveInto = async (draft: string, name: string, signal: AbortSignal | undefined): Promise<boolean> => {
    const headers = { destination: base.href + name, overwrite: 'T' }
    const answer = await send('MOVE', draft, { headers, signal })
    if (answer.status === 405 || answer.status === 501) return false
    if (answer.status !== 201 && answer.status !== 204) throw failureOf(answer)
    return true
  }

  return {
    async write(name, bytes, signal) {
      requireObjectName(name)
      prepared ??= prepare(signal).catch((error: unknown) => {
        prepared = undefined
        throw error
      })
      await prepared
      const segments = name.split('/').slice(0, -1)
      for (const [at] of segments.entries()) await makeCollection(`${segments.slice(0, at + 1).join('/')}/`, signal)
      if (canMove) {
        const draft = `${draftFolder}/${crypto.randomUUID()}`
        try {
          await put(draft, bytes, signal)
          canMove = await moveInto(draft, name, signal)
        } catch (error) {
          // Best effort: what can not be removed now is swept a day later.
          await send('DELETE', draft).catch(() => undefined)
          throw error
        }
        if (canMove) return
        await send('DELETE', draft, { signal })
      }
      await put(name, bytes, signal)
    },

    async read(name, signal) {
      requireObjectName(name)
      const answer = await send('GET', name, { signal })
      if (answer.status === 200) return answer.body
      if (answer.status === 404 || answer.status === 410) return undefined
      throw failureOf(answer)
    },

    async *list(prefix, signal) {
      const start = prefix.slice(0, prefix.lastIndexOf('/') + 1)
      if (start !== '' && !isObjectName(start.slice(0, -1))) return
      yield* walk(start, prefix, signal)
    },

    async remove(name, signal) {
      requireObjectName(name)
      const answer = await send('DELETE', name, { signal })
      if ([200, 202, 204, 404, 410].includes(answer.status)) return
      if (answer.status === 403 || answer.status === 423)
        throw new DestinationFailure(
          'locked',
          'The server won’t delete this file: it is locked, or the account can’t delete it.',
        )
      throw failureOf(answer)
    },

    async space() {
      const answer = await send('PROPFIND', '', { headers: { depth: '0' }, body: quota })
      if (answer.status !== 207) throw failureOf(answer)
      const [properties] = responsesOf(answer).map(propertiesOf)
      const numberOf = (name: string) => Number.parseInt(textOf(childOf(properties, name)), 10)
      const [freeBytes, usedBytes] = [numberOf('quota-available-bytes'), numberOf('quota-used-bytes')]
      // Some servers tell "no limit" as a number below zero (RFC 4331 has none for it).
      if (!(freeBytes >= 0 && usedBytes >= 0)) return undefined
      return { totalBytes: freeBytes + usedBytes, freeBytes }
    },
  }
}

interface Entry {
  readonly path: string
  readonly isFolder: boolean
  readonly bytes: number
  readonly modifiedAt: Date
}

const propfind = (names: readonly string[]) =>
  `<?xml version="1.0" encoding="utf-8"?><propfind xmlns="DAV:"><prop>${names.map((name) => `<${name}/>`).join('')}</prop></propfind>`
const sizeAndTime = propfind(['resourcetype', 'getcontentlength', 'getlastmodified'])
const quota = propfind(['quota-available-bytes', 'quota-used-bytes'])

const responsesOf = ({ body }: HttpAnswer): readonly Element[] => {
  try {
    return childrenOf(childOf(parseXml(body), 'multistatus'), 'response')
  } catch (error) {
    throw wrongListing(error)
  }
}

/** The properties that the server has, among those that were asked for. */
const propertiesOf = (response: Element): Element | undefined =>
  childOf(
    childrenOf(response, 'propstat').find((part) => / 200 /.test(`${textOf(childOf(part, 'status'))} `)),
    'prop',
  )

const parseEntries = (answer: HttpAnswer, base: URL): Entry[] =>
  responsesOf(answer).flatMap((response) => {
    const path = relativePath(textOf(childOf(response, 'href')).trim(), base)
    const properties = propertiesOf(response)
    if (path === null || !properties) return []
    const isFolder = childOf(properties, 'resourcetype', 'collection') !== undefined
    const bytes = Number(textOf(childOf(properties, 'getcontentlength')))
    const modifiedAt = new Date(textOf(childOf(properties, 'getlastmodified')))
    if (!isFolder && (!Number.isSafeInteger(bytes) || Number.isNaN(modifiedAt.getTime()))) throw wrongListing()
    return [{ path: isFolder && !path.endsWith('/') && path !== '' ? `${path}/` : path, isFolder, bytes, modifiedAt }]
  })

/** Servers write addresses whole or from the root on, escaped in their own ways; null for what lies elsewhere. */
const relativePath = (href: string, base: URL): string | null => {
  const url = URL.parse(href, base.href)
  if (!url) return null
  try {
    const [path, root] = [decodeURIComponent(url.pathname), decodeURIComponent(base.pathname)]
    if (`${path}/` === root) return ''
    return path.startsWith(root) ? path.slice(root.length) : null
  } catch {
    // An escape that is none; no name of ours holds one.
    return null
  }
}

/** Directly below: a listing that names what lies deeper, or the folder itself, leads round in circles. */
const isChild = (folder: string, path: string): boolean =>
  path.startsWith(folder) && /^[^/]+\/?$/.test(path.slice(folder.length))

const wrongListing = (cause?: unknown) =>
  new DestinationFailure('invalid', 'The server gave a listing that is not in order. Is this a WebDAV address?', {
    cause,
  })

const failureOf = ({ status }: HttpAnswer): DestinationFailure => {
  if (status === 405 || status === 501)
    return new DestinationFailure('invalid', 'The server does not speak WebDAV at this address.')
  if (status === 409)
    return new DestinationFailure('missing', 'The folder above this address is not there. Make it there first.')
  if (status === 423) return new DestinationFailure('locked', 'The server says that the file is locked.')
  return failureOfStatus(status)
}
