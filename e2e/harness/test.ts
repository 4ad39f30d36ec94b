/** The tests’ browser: every page is watched for requests that leave for another origin and for errors of scripts. */
import { type BrowserContext, type BrowserContextOptions, test as base, expect, type Page } from '@playwright/test'
import type { Account, House } from './house.ts'

/** `elsewhere`: the one other origin that the browser may go to, as a provider of sign-ins is. */
export type VisitOptions = BrowserContextOptions & { readonly elsewhere?: string }
export type Visit = (house: House, who: Account | null, options?: VisitOptions) => Promise<Page>

interface Fixtures {
  /** Opens a browser of its own at the house, signed in as an account or as a guest. */
  readonly visit: Visit
}

export const test = base.extend<Fixtures>({
  visit: async ({ browser }, use) => {
    const foreign: string[] = []
    const errors: string[] = []
    const contexts: BrowserContext[] = []
    await use(async (house, who, { elsewhere, ...options } = {}) => {
      const home = options.baseURL ?? house.url
      const context = await browser.newContext({
        baseURL: home,
        reducedMotion: 'reduce',
        serviceWorkers: 'block',
        permissions: ['clipboard-read', 'clipboard-write'],
        ...options,
      })
      contexts.push(context)
      // Watched, not routed: a context with a route has no cache, and every page would load all of the app anew.
      const watch = (address: string) => {
        const { protocol, origin, host } = new URL(address)
        const own = [home, elsewhere].some((url) => url !== undefined && new URL(url).host === host)
        if (/^(https?|wss?):$/.test(protocol) && !own) foreign.push(origin)
      }
      context.on('request', (request) => watch(request.url()))
      context.on('page', (page) => page.on('websocket', (socket) => watch(socket.url())))
      context.on('weberror', (event) => errors.push(event.error().stack ?? event.error().message))
      context.on('console', (message) => {
        // What the network refuses is looked at by the tests where it matters.
        const refused =
          /^Failed to load resource|ERR_CONNECTION|ERR_INTERNET|ERR_EMPTY_RESPONSE|ERR_INCOMPLETE|^Problem\n/
        if (message.type() === 'error' && !refused.test(message.text())) errors.push(message.text())
      })
      if (who) {
        const cookie = { name: 'atrium_session', value: who.token, url: home }
        await context.addCookies([{ ...cookie, httpOnly: true, sameSite: 'Strict' }])
      }
      return context.newPage()
    })
    for (const context of contexts) await context.close()
    expect(foreign, 'requests for other origins').toEqual([])
    expect(errors, 'errors of scripts').toEqual([])
  },
})

export { expect }

/** Two by two pixels, as PNG. */
export const smallPicture = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAYAAABytg0kAAAAEUlEQVR4nGPQqMj7D8IMMAYARPAINd35duIAAAAASUVORK5CYII=',
  'base64',
)
