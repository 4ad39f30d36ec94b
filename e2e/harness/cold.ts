/** What a browser that has never been there has to wait for. */
import type { Browser } from '@playwright/test'

export interface ColdVisit {
  /** The paths that were asked for before something stood in the page, with that of the page itself. */
  readonly asked: readonly string[]
  /** What had come by then, and its bytes as they travel. */
  readonly came: readonly { readonly path: string; readonly bytes: number }[]
  /** Until then, from the beginning of the navigation. */
  readonly ms: number
}

/** A connection that is slower than this machine's own. */
export interface SlowLine {
  readonly bytesPerSecond: number
  readonly latencyMs: number
}

/** Opens a page of an account with an empty cache, and waits until the selector matches. */
export async function visitCold(
  browser: Browser,
  { url, token }: { url: string; token: string },
  { path, selector, line }: { path: string; selector: string; line?: SlowLine },
): Promise<ColdVisit> {
  const context = await browser.newContext({ serviceWorkers: 'block' })
  try {
    await context.addCookies([{ name: 'atrium_session', value: token, url, httpOnly: true, sameSite: 'Strict' }])
    const page = await context.newPage()
    if (line) {
      const { bytesPerSecond, latencyMs } = line
      const devTools = await context.newCDPSession(page)
      await devTools.send('Network.enable')
      await devTools.send('Network.emulateNetworkConditions', {
        offline: false,
        latency: latencyMs,
        downloadThroughput: bytesPerSecond,
        uploadThroughput: bytesPerSecond,
      })
    }
    await page.addInitScript({ content: rememberWhen(selector) })
    await page.goto(`${url}${path}`, { waitUntil: 'commit' })
    const { at, files } = await page.evaluate<{ at: number; files: { url: string; end: number; bytes: number }[] }>(
      `there.then((at) => {
        const all = ['navigation', 'resource'].flatMap((type) => performance.getEntriesByType(type))
        const begun = all.filter(({ startTime }) => startTime < at)
        return { at, files: begun.map((one) => ({ url: one.name, end: one.responseEnd, bytes: one.encodedBodySize })) }
      })`,
    )
    const pathOf = (url: string): string => new URL(url).pathname
    const came = files.filter(({ end }) => end > 0 && end <= at)
    return {
      asked: files.map(({ url }) => pathOf(url)),
      came: came.map(({ url, bytes: size }) => ({ path: pathOf(url), bytes: size })),
      ms: at,
    }
  } finally {
    await context.close()
  }
}

/**
 * Runs in the page before any script of it: notes when the selector matches for the first time. The name of the workspace
 * is known since the sign-in. What the page puts off for seconds comes after that, however slow the machine is.
 */
const rememberWhen = (selector: string): string => `
  const later = globalThis.setTimeout
  globalThis.setTimeout = (work, ms, ...rest) => later(work, ms >= 3000 ? 600_000 : ms, ...rest)
  localStorage.setItem('atrium.workspace', '{"name":"Atrium","logos":{}}')
  globalThis.there = new Promise((resolve) => {
    new MutationObserver((_, observer) => {
      if (!document.querySelector(${JSON.stringify(selector)})) return
      observer.disconnect()
      resolve(performance.now())
    }).observe(document, { childList: true, subtree: true })
  })`
