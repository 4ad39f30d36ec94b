/** The script that a browser fetches before the composer of a chat takes text. */
import { chromium as player } from '@playwright/test'
import { startAtrium } from '../e2e/atrium.ts'
import { chromium } from '../e2e/chromium.ts'

export interface PageFigures {
  readonly scripts: number
  /** As they travel: compressed. */
  readonly scriptBytes: number
  readonly styleBytes: number
  readonly interactiveMs: number
}

/** Signs up, then opens the new-chat page with an empty cache, and adds up what came. */
export async function measurePage(): Promise<PageFigures> {
  const atrium = await startAtrium({ LOG_LEVEL: 'silent' })
  const own = await chromium()
  const browser = await player.launch({ executablePath: own.executablePath, args: [...own.args], env: own.env })
  try {
    const context = await browser.newContext({ serviceWorkers: 'block' })
    await context.request.post(`${atrium.url}/api/auth/signup`, {
      data: { username: 'operator', password: 'a long enough password' },
    })
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
    return {
      scripts: entries.filter(({ name }) => name.endsWith('.js')).length,
      scriptBytes: sum('.js'),
      styleBytes: sum('.css'),
      interactiveMs,
    }
  } finally {
    await browser.close()
    await atrium.close()
  }
}
