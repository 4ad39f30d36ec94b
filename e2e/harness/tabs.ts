/**
 * Tabs of the tests' browser. One that was emptied is given to the next test, as the browser then has all that it
 * compiled of the app at hand; a new one costs twice the work for each page.
 */
import type { Browser, BrowserContext, BrowserContextOptions, Page } from '@playwright/test'

/**
 * `elsewhere`: the one other origin that the browser may go to, as a provider of sign-ins is. `own`: nobody had the
 * tab before, and nobody has it after; for what cannot be taken back, such as a clock, and for requests that are held
 * back, which a warm cache might answer.
 */
export type TabOptions = BrowserContextOptions & { readonly elsewhere?: string; readonly own?: boolean }

export interface Tab {
  readonly page: Page
  readonly context: BrowserContext
  /** What it asked of other origins and which errors its scripts had since it was given. */
  readonly foreign: string[]
  readonly errors: string[]
  /** Which tests may have it next; null for none. */
  readonly kind: string | null
  readonly home: string
  readonly watchSockets: (page: Page) => void
}

export interface Tabs {
  /** Gives an empty tab at an address, in a browser context without cookies. */
  take(home: string, options: TabOptions): Promise<Tab>
  /** Takes a tab back: empties it for the next test, or closes it. What it recorded stands until it is given again. */
  giveBack(tab: Tab): Promise<void>
  close(): Promise<void>
}

/** What a tab of a certain size has to be made with, all else can be set later. */
const lasting = ['hasTouch', 'isMobile']
const usualSize = { width: 1440, height: 900 }

export function openTabs(browser: Browser): Tabs {
  const idle: Tab[] = []

  return {
    async take(home, options) {
      const kind = kindOf(home, options)
      const place = idle.findIndex((tab) => kind !== null && tab.kind === kind)
      const [found] = place === -1 ? [] : idle.splice(place, 1)
      const tab = found ?? (await openTab(browser, home, kind, options))
      tab.foreign.length = 0
      tab.errors.length = 0
      const size = options.viewport ?? usualSize
      const now = tab.page.viewportSize()
      if (now?.width !== size.width || now.height !== size.height) await tab.page.setViewportSize(size)
      return tab
    },
    async giveBack(tab) {
      // Where a page of somebody else is open, what is stored cannot be emptied.
      if (tab.kind !== null && tab.page.url().startsWith(`${tab.home}/`)) {
        await empty(tab)
        idle.push(tab)
        // Those of apps that are closed are never asked for again.
        for (const old of idle.splice(0, idle.length - most)) await old.context.close()
      } else await tab.context.close()
    },
    async close() {
      for (const { context } of idle) await context.close()
    },
  }
}

/** More than any test has at once. */
const most = 4
const stored = 'local_storage,indexeddb,cache_storage,service_workers,file_systems'

const kindOf = (home: string, { viewport: _, ...others }: TabOptions): string | null =>
  Object.keys(others).every((name) => lasting.includes(name)) ? `${home} ${JSON.stringify(others)}` : null

async function openTab(browser: Browser, home: string, kind: string | null, options: TabOptions): Promise<Tab> {
  const { elsewhere, own: _, ...others } = options
  const context = await browser.newContext({
    baseURL: home,
    reducedMotion: 'reduce',
    serviceWorkers: 'block',
    permissions: ['clipboard-read', 'clipboard-write'],
    ...others,
  })
  const foreign: string[] = []
  const errors: string[] = []
  // Watched, not routed: a context with a route has no cache, and every page would load all of the app anew.
  const watch = (address: string) => {
    const { protocol, origin, host } = new URL(address)
    const own = [home, elsewhere].some((url) => url !== undefined && new URL(url).host === host)
    if (/^(https?|wss?):$/.test(protocol) && !own) foreign.push(origin)
  }
  context.on('request', (request) => watch(request.url()))
  const watchSockets = (page: Page) => void page.on('websocket', (socket) => watch(socket.url()))
  context.on('page', watchSockets)
  context.on('weberror', (event) => errors.push(event.error().stack ?? event.error().message))
  context.on('console', (message) => {
    // What the network refuses is looked at by the tests where it matters.
    const refused =
      /^Failed to load resource|ERR_CONNECTION|ERR_INTERNET|ERR_EMPTY_RESPONSE|ERR_INCOMPLETE|^Problem\n|HTTP Authentication failed|WebSocket is closed before/
    if (message.type() === 'error' && !refused.test(message.text())) errors.push(message.text())
  })
  const page = await context.newPage()
  return { page, foreign, errors, context, kind, home, watchSockets }
}

/** Leaves nothing of a test in its tab but what the browser compiled and what the network may keep. */
async function empty({ page, context, home, watchSockets }: Tab): Promise<void> {
  for (const other of context.pages()) if (other !== page) await other.close()
  // The page itself goes there: led there from outside, it would get a new process, and lose what is compiled.
  await page.evaluate(`location.replace('about:blank')`)
  await page.waitForURL('about:blank')
  // An empty page has the origin of the one that led to it, and the storage of the tab with it.
  await page.evaluate('sessionStorage.clear()')
  const session = await context.newCDPSession(page)
  await session.send('Storage.clearDataForOrigin', { origin: home, storageTypes: stored })
  await session.send('Page.resetNavigationHistory')
  await session.detach()
  await context.clearCookies()
  await context.unrouteAll()
  await page.unrouteAll()
  page.removeAllListeners()
  watchSockets(page)
  await page.mouse.move(0, 0)
  await page.emulateMedia({ media: 'screen', colorScheme: 'light', contrast: 'no-preference', reducedMotion: 'reduce' })
}
