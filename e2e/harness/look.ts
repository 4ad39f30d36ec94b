/** Looks at a page as it stands: the rules of accessibility, and where it is wished a picture to keep. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { AxeBuilder } from '@axe-core/playwright'
import { expect, type Page } from '@playwright/test'

export type Theme = 'light' | 'dark' | 'contrast'

const folder = fileURLToPath(new URL('../results/pages/', import.meta.url))
const { PICTURES: pictures = '' } = process.env
const allRules = { type: 'tag', values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22a', 'wcag22aa'] }
// Only colours differ between themes.
const colours = { type: 'rule', values: ['color-contrast'] }
type Rules = typeof allRules

/**
 * Checks the page against WCAG 2.2 AA in each theme; with `PICTURES=1` it keeps a picture of each as
 * `<name>-<theme>.png`. The account must have left its theme to the system. Guests see a theme only from loading on:
 * `reload` is for them.
 */
export async function look(
  page: Page,
  name: string,
  { themes = ['light', 'dark'], reload = false }: { themes?: readonly Theme[]; reload?: boolean } = {},
): Promise<void> {
  for (const [index, theme] of themes.entries()) {
    await show(page, theme, reload)
    if (pictures !== '') await page.screenshot({ path: join(folder, `${name}-${theme}.png`) })
    const violations = await broken(page, index === 0 ? allRules : colours)
    expect.soft(violations.map(words), `${name}, ${theme}`).toEqual([])
  }
}

/** The source of axe, as `AxeBuilder` has it; that one loads it twice for each analysis, which costs more than all else. */
const axe = readFileSync(
  createRequire(import.meta.resolve('@axe-core/playwright')).resolve('axe-core/axe.min.js'),
  'utf8',
)

/** The rules that the page breaks. Axe stays in it until it is left. */
async function broken(page: Page, runOnly: Rules): Promise<Violations> {
  if (!(await page.evaluate<boolean>('"axe" in window'))) await page.evaluate(axe)
  const options = JSON.stringify({ runOnly, resultTypes: ['violations'] })
  return await page.evaluate<Violations>(`axe.run(document, ${options}).then(({ violations }) => violations)`)
}

/** Lets the system of the page ask for a theme. */
export async function show(page: Page, theme: Theme, reload = false): Promise<void> {
  await page.emulateMedia({
    colorScheme: theme === 'dark' ? 'dark' : 'light',
    contrast: theme === 'contrast' ? 'more' : 'no-preference',
  })
  if (reload) {
    await page.reload()
    await page.getByRole('heading').first().waitFor()
  }
  await expect(page.locator('html')).toHaveAttribute('data-theme', theme)
  // Colours that are inherited follow a frame later.
  await page.evaluate('new Promise((done) => requestAnimationFrame(() => setTimeout(done, 50)))')
}

type Violations = Awaited<ReturnType<AxeBuilder['analyze']>>['violations']

const words = ({ id, nodes }: Violations[number]): string =>
  `${id}: ${nodes
    .slice(0, 5)
    .map(
      ({ target, failureSummary }) => `${target.join(' ')} (${failureSummary?.split('\n').slice(1).join(' ').trim()})`,
    )
    .join('; ')}`
