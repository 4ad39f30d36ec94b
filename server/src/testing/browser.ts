/** A browser without a page, for tests: follows redirects and keeps cookies by place and path, as browsers do. */
export interface Browser {
  /** Goes to an address and on, until a page that is not of the interface; gives where it ended. `headers`: of the first step. */
  visit(address: string, headers?: Record<string, string>): Promise<URL>
  /** One request, with cookies, that is not followed. */
  fetch(address: string | URL, init?: RequestInit): Promise<Response>
  /** The value of a cookie whose name begins so; null for none. */
  cookie(name: string): string | null
  forget(name: string): void
}

interface StoredCookie {
  readonly host: string
  readonly path: string
  readonly name: string
  readonly value: string
}

/** `home`: where the app is; its pages are not loaded, only its interface. */
export const createBrowser = (home: string): Browser => {
  let kept: StoredCookie[] = []
  const hostOf = (url: URL) => url.host

  const keep = (url: URL, header: string): void => {
    const [pair = '', ...attributes] = header.split(';').map((part) => part.trim())
    const name = pair.slice(0, pair.indexOf('='))
    const value = pair.slice(pair.indexOf('=') + 1)
    const attribute = (key: string) =>
      attributes.find((each) => each.toLowerCase().startsWith(`${key}=`))?.slice(key.length + 1)
    const path = attribute('path') ?? '/'
    const expires = attribute('expires')
    kept = kept.filter((each) => each.host !== hostOf(url) || each.name !== name || each.path !== path)
    if (value !== '' && (expires === undefined || Date.parse(expires) > 0))
      kept.push({ host: hostOf(url), path, name, value })
  }
  const cookiesFor = (url: URL): string =>
    kept
      .filter(
        ({ host, path }) =>
          host === hostOf(url) &&
          (url.pathname === path || url.pathname.startsWith(path.endsWith('/') ? path : `${path}/`)),
      )
      .map(({ name, value }) => `${name}=${value}`)
      .join('; ')

  const request: Browser['fetch'] = async (address, init = {}) => {
    const url = new URL(address, home)
    const headers = new Headers(init.headers)
    const cookies = cookiesFor(url)
    if (cookies !== '') headers.set('cookie', cookies)
    const response = await fetch(url, { ...init, headers, redirect: 'manual' })
    for (const header of response.headers.getSetCookie()) keep(url, header)
    return response
  }

  return {
    fetch: request,
    async visit(address, headers = {}) {
      let url = new URL(address, home)
      for (let step = 0; step < 20; step++) {
        const isPage = url.origin === new URL(home).origin && !url.pathname.startsWith('/api/')
        if (isPage) return url
        const response = await request(url, step === 0 ? { headers } : {})
        const location = response.headers.get('location')
        if (location === null)
          throw new Error(`${url} answered ${response.status}: ${(await response.text()).slice(0, 500)}`)
        await response.body?.cancel()
        url = new URL(location, url)
      }
      throw new Error(`Too many redirects, the last one to ${url}`)
    },
    cookie: (name) => kept.find((each) => each.name.startsWith(name))?.value ?? null,
    forget(name) {
      kept = kept.filter((each) => !each.name.startsWith(name))
    },
  }
}
