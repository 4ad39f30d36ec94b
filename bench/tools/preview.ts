/** From opening an artifact of 100 KB to its page standing in the frame. */
import { chromium as player } from '@playwright/test'
import { startAtrium } from '../../e2e/atrium.ts'
import { chromium } from '../../e2e/chromium.ts'
import { callTo } from '../bed.ts'
import { spread } from '../load.ts'
import { ms, type Row } from '../row.ts'
import { signUp } from './servers.ts'

const visits = 12

export async function measurePreview(): Promise<Row[]> {
  const atrium = await startAtrium({ LOG_LEVEL: 'silent' })
  const own = await chromium()
  const browser = await player.launch({ executablePath: own.executablePath, args: [...own.args], env: own.env })
  try {
    const token = await signUp(atrium.url)
    const rows = Array.from(
      { length: 1100 },
      (_, n) => `<tr><td>${n}</td><td>${'some words of a table '.repeat(3)}</td></tr>`,
    )
    const content = `<h1>Table</h1><table>${rows.join('')}</table><p id="end">The end</p>`
    const body = { kind: 'html', title: 'Table', content }
    const { id } = await callTo(atrium.url)<{ id: string }>(token, 'POST', '/api/artifacts', body)
    const context = await browser.newContext({ serviceWorkers: 'block' })
    await context.request.post(`${atrium.url}/api/auth/login`, {
      data: { username: 'operator', password: 'a long enough password' },
    })
    const page = await context.newPage()
    await page.goto(`${atrium.url}/artifacts/${id}`)
    const shown = page.frameLocator('iframe[src="/api/artifacts/sandbox"]').locator('#end')
    await shown.waitFor()
    const figures: number[] = []
    for (let visit = 0; visit < visits; visit += 1) {
      await page.getByText('Code', { exact: true }).click()
      await shown.waitFor({ state: 'detached' })
      const began = performance.now()
      await page.getByText('Preview', { exact: true }).click()
      await shown.waitFor()
      figures.push(performance.now() - began)
    }
    const size = `${Math.round(content.length / 1000)} KB`
    return [
      [
        `Preview of a page of ${size}: median, longest`,
        `${ms(spread(figures).p50)}, ${ms(Math.max(...figures))}`,
        '≤ 500 ms',
      ],
    ]
  } finally {
    await browser.close()
    await atrium.close()
  }
}
