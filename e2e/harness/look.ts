/** Looks at a page as it stands: the rules of accessibility, and a picture to keep. */
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { AxeBuilder } from '@axe-core/playwright'
import { expect, type Page } from '@playwright/test'

export type Theme = 'light' | 'dark' | 'contrast'

const folder = fileURLToPath(new URL('../results/pages/', import.meta.url))
const rules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22a', 'wcag22aa']

/**
 * Checks the page against WCAG 2.2 AA in each theme and keeps a picture of each as `<name>-<theme>.png`. The account
 * must have left its theme to the system. Guests see a theme only from loading on: `reload` is for them.
 */
export async function look(
  page: Page,
  name: string,
  { themes = ['light', 'dark'], reload = false }: { themes?: readonly Theme[]; reload?: boolean } = {},
): Promise<void> {
  for (const [index, theme] of themes.entries()) {
    await show(page, theme, reload)
    await page.screenshot({ path: join(folder, `${name}-${theme}.png`) })
    // One frame, so it needs no page of its own to put results together. Only colours differ between themes.
    const axe = new AxeBuilder({ page }).setLegacyMode(true)
    const { violations } = await (index === 0 ? axe.withTags(rules) : axe.withRules(['color-contrast'])).analyze()
    expect.soft(violations.map(words), `${name}, ${theme}`).toEqual([])
  }
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
