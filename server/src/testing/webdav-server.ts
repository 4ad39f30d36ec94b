/** A WebDAV server for tests (RFC 4918, class 1), strict about parents, depths and destinations; it can be told to fail. */
import { once } from 'node:events'
import { type IncomingMessage, type ServerResponse, createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface WebDavFaults {
  /** Answers so many requests with 503 before it works. */
  busy: number
  full: boolean
  readOnly: boolean
  redirect: boolean
  locked: boolean
  /** Knows no MOVE. */
  cannotMove: boolean
  dropsWrites: boolean
  /** A listing that leads out of its folder and round in circles, or one that is cut. */
  listing: 'sound' | 'foreign' | 'cut'
}

export interface WebDavServer {
  readonly options: { url: string; username: string; password: string }
  /** Bytes by path; null for a collection, whose path ends with a slash. */
  readonly entries: Map<string, { bytes: Buffer | null; at: Date }>
  readonly faults: WebDavFaults
  readonly requests: string[]
  close(): Promise<void>
}

const username = 'atrium'
const password = 'sesame, öffne dich'

export const startWebDavServer = async (): Promise<WebDavServer> => {
  const entries: WebDavServer['entries'] = new Map([['/', { bytes: null, at: new Date() }]])
  const requests: string[] = []
  const faults: WebDavFaults = {
    busy: 0,
    full: false,
    readOnly: false,
    redirect: false,
    locked: false,
    cannotMove: false,
    dropsWrites: false,
    listing: 'sound',
  }
  const server = createServer((request, response) => {
    void answer(request, response)
  })
  const credentials = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`
  const parentOf = (path: string) => path.replace(/[^/]+\/?$/, '')
  const at = (path: string) => entries.get(path) ?? entries.get(`${path}/`)

  const statusOf = (request: IncomingMessage, path: string, body: Buffer): number => {
    const writes = ['PUT', 'MKCOL', 'MOVE', 'DELETE'].includes(request.method ?? '')
    if (writes && faults.readOnly) return 403
    if (request.method === 'MKCOL') {
      const folder = path.endsWith('/') ? path : `${path}/`
      if (at(folder)) return 405
      if (!entries.has(parentOf(folder))) return 409
      entries.set(folder, { bytes: null, at: new Date() })
      return 201
    }
    if (request.method === 'PUT') {
      if (faults.full) return 507
      if (!entries.has(parentOf(path)) || entries.has(`${path}/`)) return 409
      const status = entries.has(path) ? 204 : 201
      if (!faults.dropsWrites) entries.set(path, { bytes: body, at: new Date() })
      return status
    }
    if (request.method === 'MOVE') {
      if (faults.cannotMove) return 405
      const target = URL.parse(String(request.headers['destination']))
      if (!target || target.host !== request.headers.host) return 400
      const moved = entries.get(path)
      if (!moved) return faults.dropsWrites ? 201 : 404
      if (!entries.has(parentOf(target.pathname))) return 409
      if (entries.has(target.pathname) && request.headers['overwrite'] === 'F') return 412
      const status = entries.has(target.pathname) ? 204 : 201
      entries.delete(path)
      entries.set(target.pathname, moved)
      return status
    }
    if (request.method === 'DELETE') {
      if (!at(path)) return 404
      if (faults.locked && !path.includes('.incomplete')) return 423
      entries.delete(path)
      return 204
    }
    return 405
  }

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = Buffer.concat(await Array.fromAsync(request as AsyncIterable<Buffer>))
    requests.push(`${request.method} ${request.url}`)
    if (faults.busy > 0) {
      faults.busy -= 1
      return void response.writeHead(503, { 'retry-after': '0' }).end()
    }
    if (faults.redirect) return void response.writeHead(302, { location: 'http://elsewhere.example/' }).end()
    if (request.headers.authorization !== credentials)
      return void response.writeHead(401, { 'www-authenticate': 'Basic realm="files"' }).end()
    const path = decodeURIComponent(new URL(request.url ?? '/', 'http://files').pathname)
    if (request.method === 'PROPFIND') return sendEntries(response, path, request.headers['depth'])
    if (request.method === 'GET') {
      const bytes = entries.get(path)?.bytes
      if (!bytes) return void response.writeHead(404).end()
      return void response.writeHead(200, { 'content-length': bytes.length }).end(bytes)
    }
    response.writeHead(statusOf(request, path, body)).end()
  }

  const sendEntries = (response: ServerResponse, path: string, depth: string | string[] | undefined): void => {
    const found = at(path)
    if (!found) return void response.writeHead(404).end()
    if (depth !== '0' && depth !== '1') return void response.writeHead(403).end()
    const folder = found.bytes === null && !path.endsWith('/') ? `${path}/` : path
    const below = [...entries.keys()].filter((name) => name !== folder && parentOf(name) === folder)
    const shown = depth === '1' && found.bytes === null ? [folder, ...below] : [folder]
    if (faults.listing === 'foreign') shown.push('/', '/elsewhere/', `${folder}a/b/c`, '/%zz')
    const text = `<?xml version="1.0" encoding="utf-8"?>\n<D:multistatus xmlns:D="DAV:">${shown.map((name) => responseFor(name, entries.get(name))).join('')}</D:multistatus>`
    response.writeHead(207, { 'content-type': 'application/xml; charset="utf-8"' })
    response.end(faults.listing === 'cut' ? text.slice(0, text.length / 2) : text)
  }

  server.listen(0)
  await once(server, 'listening')
  const url = `http://localhost:${(server.address() as AddressInfo).port}`
  return {
    options: { url: `${url}/backups`, username, password },
    entries,
    faults,
    requests,
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

const responseFor = (path: string, entry: { bytes: Buffer | null; at: Date } | undefined): string => {
  const { bytes, at } = entry ?? { bytes: null, at: new Date() }
  const properties =
    bytes === null
      ? '<D:resourcetype><D:collection/></D:resourcetype><D:quota-available-bytes>900</D:quota-available-bytes><D:quota-used-bytes>100</D:quota-used-bytes>'
      : `<D:resourcetype/><D:getcontentlength>${bytes.length}</D:getcontentlength>`
  return `<D:response><D:href>${path}</D:href><D:propstat><D:prop>${properties}<D:getlastmodified>${at.toUTCString()}</D:getlastmodified></D:prop><D:status>HTTP/1.1 200 OK</D:status></D:propstat><D:propstat><D:prop><D:getetag/></D:prop><D:status>HTTP/1.1 404 Not Found</D:status></D:propstat></D:response>`
}
