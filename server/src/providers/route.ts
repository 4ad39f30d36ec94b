/** Where the calls of a connection go: pure, from the definition and what an administrator set. */

/** What a route is resolved from. Empty strings count as not set. */
export interface RouteParts {
  /** The endpoint that the definition declares. It and the others may hold `{model}`. */
  readonly endpoint: string
  /** A full endpoint that overrides the rest, unless it equals `endpoint`. */
  readonly override?: string | undefined
  readonly baseUrl?: string | undefined
  readonly apiPath?: string | undefined
  readonly modelsEndpoint?: string | undefined
  readonly apiMode?: 'chat_completions' | 'responses' | undefined
  /** The path under a base URL for formats that have one of their own; else it follows the mode. */
  readonly defaultPath?: string | undefined
}

export interface ResolvedRoute {
  /** May still hold `{model}`. */
  readonly url: string
  /** How requests are worded: by the path's known suffix, else by the mode that was chosen. */
  readonly semantics: 'chat_completions' | 'completions' | 'responses'
  readonly modelsUrl: string
}

export const defaultPaths = { chat_completions: '/chat/completions', responses: '/responses' } as const
const suffixes = ['/chat/completions', '/completions', '/responses', '/embeddings', '/messages'] as const

/**
 * Resolves a completion route: an override, else base URL and path, else the declared endpoint. Throws a plain Error
 * with a sentence when the parts make no sound address.
 */
export function resolveRoute(parts: RouteParts): ResolvedRoute {
  const mode = parts.apiMode ?? 'chat_completions'
  const url = routeUrl(parts, mode)
  const modelsUrl = parts.modelsEndpoint ? addressOf(parts.modelsEndpoint) : modelsUrlOf(url)
  return { url, semantics: semanticsOf(url) ?? mode, modelsUrl }
}

function routeUrl(parts: RouteParts, mode: 'chat_completions' | 'responses'): string {
  if (parts.override && parts.override !== parts.endpoint) return addressOf(parts.override)
  if (!parts.baseUrl) {
    if (parts.apiPath) throw new Error('A path needs a base URL.')
    return addressOf(parts.endpoint)
  }
  if (/[?#]/.test(parts.baseUrl)) throw new Error('A base URL can’t have a query or a fragment.')
  const path = parts.apiPath ? soundPath(parts.apiPath) : (parts.defaultPath ?? defaultPaths[mode])
  return trimmed(addressOf(parts.baseUrl)) + path
}

/**
 * The route of a capability: its own endpoint, unless that was set otherwise. Where chat goes says nothing about it.
 * Throws a plain Error with a sentence.
 */
export const resolveCapability = (declared: string, override?: string): string => addressOf(override || declared)

/** An address as it is kept: sound, absolute, and with its place for the model readable. */
export const addressOf = (written: string): string => parseAddress(written).href.replace(/%7Bmodel%7D/gi, '{model}')

/** The address of one call, with the model where it stands in it, each of its segments encoded. */
export const withModel = (route: string, model: string): string =>
  route.replace(/\{model\}|%7Bmodel%7D/gi, () => model.split('/').map(encodeURIComponent).join('/'))

/** The address that lists the models of a compatible route. */
export function modelsUrlOf(route: string): string {
  const url = parseAddress(route)
  // What stands behind the place of a model belongs to that model.
  const path = trimmed(url.pathname.replace(/\/(\{|%7B)model(\}|%7D).*$/i, ''))
  if (trimmed(url.pathname).endsWith('/models')) return url.href
  if (path.endsWith('/models')) {
    url.pathname = path
    return url.href
  }
  const suffix = suffixes.find((known) => path.endsWith(known))
  url.pathname = `${suffix ? path.slice(0, -suffix.length) : path}/models`
  return url.href
}

/** An absolute http or https address without name and password, or an Error with a sentence. */
export function parseAddress(address: string): URL {
  if (!URL.canParse(address)) throw new Error('The address must begin with http:// or https://.')
  const url = new URL(address)
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw new Error('The address must begin with http:// or https://.')
  }
  if (url.username || url.password) throw new Error('The address can’t contain a user name or password.')
  url.hash = ''
  return url
}

function semanticsOf(route: string): ResolvedRoute['semantics'] | null {
  const path = trimmed(new URL(route).pathname)
  if (path.endsWith('/chat/completions')) return 'chat_completions'
  if (path.endsWith('/completions')) return 'completions'
  return path.endsWith('/responses') ? 'responses' : null
}

function soundPath(path: string): string {
  let decoded = path
  for (let round = 0; round < 8; round += 1) {
    if (!decoded.startsWith('/') || /\/\/|[?#\\]|(^|\/)\.\.?(\/|$)/.test(decoded)) {
      throw new Error('A path must begin with one slash and can’t contain "//", "..", "?" or "#".')
    }
    const next = decodeOnce(decoded)
    if (next === decoded) return path
    decoded = next
  }
  throw new Error('The path is encoded too many times.')
}

function decodeOnce(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    throw new Error('The path contains an invalid escape sequence.')
  }
}

const trimmed = (path: string): string => path.replace(/\/+$/, '')
