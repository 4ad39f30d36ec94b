/** The script that a browser fetches before the composer of a chat takes text. */
import { chromium as player } from '@playwright/test'
import { startAtrium } from '../e2e/atrium.ts'
import { chromium } from '../e2e/chromium.ts'
import { type ColdVisit, type SlowLine, visitCold } from '../e2e/harness/cold.ts'
import { startProvider } from '../e2e/provider/provider.ts'

export interface PageFigures {
  readonly scripts: number
  /** As they travel: compressed. */
  readonly scriptBytes: number
  readonly styleBytes: number
  readonly interactiveMs: number
  /** Over a line of 100 kB/s and 300 ms, from an empty cache: medians. */
  readonly slow: { readonly start: ColdVisit; readonly chat: ColdVisit }
}

const slowLine: SlowLine = { bytesPerSecond: 100_000, latencyMs: 300 }
const visits = 3

/** Signs up, then opens the new-chat page with an empty cache, and adds up what came. */
export async function measurePage(): Promise<PageFigures> {
  const atrium = await startAtrium({ LOG_LEVEL: 'silent' })
  const own = await chromium()
  const browser = await player.launch({ executablePath: own.executablePath, args: [...own.args], env: own.env })
  try {
    const context = await browser.newContext({ serviceWorkers: 'block' })
    const signedUp = await context.request.post(`${atrium.url}/api/auth/signup`, {
      data: { username: 'operator', password: 'a long enough password' },
    })
    const { token } = (await signedUp.json()) as { token: string }
    const page = await context.newPage()
    const began = performance.now()
    await page.goto(atrium.url)
    await page.getByRole('textbox', { name: /message/i }).waitFor()
    const interactiveMs = performance.now() - began
    const entries = await page.evaluate(() =>
      performance.getEntriesByType('resource').map((entry) => {
        const { name, encodedBodySize = 0 } = entry as { name: string; encodedBodySize?: number }
        return { name, size: encodedBodySize }
      }),
    )
    const sum = (end: string) =>
      entries.filter(({ name }) => name.endsWith(end)).reduce((all, { size }) => all + size, 0)
    const path = await writeChat(atrium.url, token)
    const at = { url: atrium.url, token }
    const slow = {
      start: await median(() => visitCold(browser, at, { path: '/', selector: '#composer', line: slowLine })),
      chat: await median(() => visitCold(browser, at, { path, selector: '[data-message] .markdown', line: slowLine })),
    }
    return {
      scripts: entries.filter(({ name }) => name.endsWith('.js')).length,
      scriptBytes: sum('.js'),
      styleBytes: sum('.css'),
      interactiveMs,
      slow,
    }
  } finally {
    await browser.close()
    await atrium.close()
  }
}

/**
 * From the key to the list of models that it opens, painted, while there are so many models. Median of ten, in ms.
 */
export async function measureList(models: number): Promise<number> {
  const provider = await startProvider()
  provider.control({ models: Array.from({ length: models }, (_, n) => `echo:${n}`) })
  const atrium = await startAtrium({ LOG_LEVEL: 'silent', OLLAMA_BASE_URL: provider.url })
  const own = await chromium()
  const browser = await player.launch({ executablePath: own.executablePath, args: [...own.args], env: own.env })
  try {
    const context = await browser.newContext({ serviceWorkers: 'block' })
    await context.request.post(`${atrium.url}/api/auth/signup`, {
      data: { username: 'operator', password: 'a long enough password' },
    })
    const page = await context.newPage()
    await page.goto(atrium.url)
    const composer = page.getByRole('textbox', { name: 'Message' })
    await composer.fill('Ask ')
    const took: number[] = []
    for (let n = 0; n < 10; n += 1) {
      const painted = page.evaluate<number>(untilPainted)
      await composer.press('@')
      took.push(await painted)
      await composer.press('Escape')
      await composer.fill('Ask ')
    }
    return took.toSorted((a, b) => a - b)[Math.floor(took.length / 2)] ?? 0
  } finally {
    await browser.close()
    await atrium.close()
    await provider.close()
  }
}

/** Runs in the page: from the next key to the frame after the first entry of a list is there, in ms. */
const untilPainted = `new Promise((resolve) => addEventListener('keydown', () => {
  const began = performance.now()
  const look = () => requestAnimationFrame(() => {
    if (!document.querySelector('[role="listbox"] [role="option"]')) return look()
    requestAnimationFrame(() => resolve(performance.now() - began))
  })
  look()
}, { once: true, capture: true }))`

/** A chat with an answer in it; gives its address. */
async function writeChat(url: string, token: string): Promise<string> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const post = async (path: string, body: object) =>
    (await (await fetch(`${url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })).json()) as {
      id: string
    }
  const { id } = await post('/api/chat/sessions', { title: 'A chat' })
  await post(`/api/chat/sessions/${id}/messages`, { role: 'user', content: 'How does it read?' })
  await post(`/api/chat/sessions/${id}/messages`, { role: 'assistant', content: 'It reads **well**.' })
  return `/chats/${id}`
}

async function median(visit: () => Promise<ColdVisit>): Promise<ColdVisit> {
  const all: ColdVisit[] = []
  for (let n = 0; n < visits; n += 1) all.push(await visit())
  return all.toSorted((a, b) => a.ms - b.ms)[Math.floor(visits / 2)] as ColdVisit
}
