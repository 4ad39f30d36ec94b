/** From a route and what a caller says to the request on the wire. The web and the tests' client share it. */
import type { Call, Route } from './route.ts'

export interface WireRequest {
  readonly method: string
  /** Path and query, ready to be put behind an origin. */
  readonly path: string
  readonly headers: Record<string, string>
  readonly body: string | Blob | undefined
}

/** What a stream is asked for as. */
export const eventStream = 'text/event-stream'

/** What `toRequest` needs to know of a route; no schemas, so that a page need not load them. */
export type RouteAddress = Pick<Route, 'method' | 'path'> & {
  readonly upload?: unknown
  readonly stream?: unknown
  readonly streamOnRequest?: unknown
}

/**
 * Puts a call into the form of a request: path parameters encoded, query appended (absent values left out),
 * body as JSON, an upload as its raw bytes. Throws TypeError when a path parameter is missing.
 */
export const toRequest = <R extends Route>(route: R | RouteAddress, call: Call<R>): WireRequest => {
  const said = call as Said
  const headers: Record<string, string> = {
    accept: route.stream && !route.streamOnRequest ? eventStream : 'application/json',
  }
  if (route.upload) headers['content-type'] = said.file?.type || 'application/octet-stream'
  else if (said.body !== undefined) headers['content-type'] = 'application/json'
  return {
    method: route.method.toUpperCase(),
    path: fill(route.path, said.params ?? {}) + queryText(said.query ?? {}),
    headers,
    body: route.upload ? said.file : said.body === undefined ? undefined : JSON.stringify(said.body),
  }
}

interface Said {
  readonly params?: Record<string, unknown>
  readonly query?: Record<string, unknown>
  readonly body?: unknown
  readonly file?: Blob
}

const fill = (path: string, params: Record<string, unknown>): string =>
  path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = params[name]
    if (value === undefined || value === '') throw new TypeError(`${path} needs the parameter ${name}`)
    // A segment of only dots would be folded away by URL parsers, whether encoded or not.
    if (value === '.' || value === '..') throw new TypeError(`${path} cannot take ${value} as ${name}`)
    return encodeURIComponent(String(value))
  })

const queryText = (query: Record<string, unknown>): string => {
  const pairs = new URLSearchParams()
  for (const [name, value] of Object.entries(query))
    for (const one of Array.isArray(value) ? value : [value])
      if (one !== undefined && one !== null) pairs.append(name, String(one))
  const text = pairs.toString()
  return text && `?${text}`
}
