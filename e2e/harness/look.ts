/** Looks at a page as it stands: that all of it fits, the rules of accessibility, and where it is wished a picture to keep. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { AxeBuilder } from '@axe-core/playwright'
import { expect, type Page } from '@playwright/test'

export type Theme = 'light' | 'dark' | 'contrast'

const folder = fileURLToPath(new URL('../results/pages/', import.meta.url))
const { PICTURES: pictures = '', ATRIUM_TEST_ALL: all = '' } = process.env
// Themes differ in colours alone, and every pair of them is computed in `tokens.test.ts`.
const inEveryTheme = pictures !== '' || all === '1'
const allRules = { type: 'tag', values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22a', 'wcag22aa'] }
// Only colours differ between themes.
const colours = { type: 'rule', values: ['color-contrast'] }

/**
 * Checks that nothing of the page is cut or beyond its sides, and the page against WCAG 2.2 AA: in the first theme, and in each of them in `npm run test:all` and with
 * `PICTURES=1`, which keeps a picture of each as `<name>-<theme>.png`. The theme is put on the page without the preferences, and the page has its own again afterwards:
 * that pages follow the system is for `settings.spec.ts`.
 */
export async function look(
  page: Page,
  name: string,
  { themes = ['light', 'dark'] }: { themes?: readonly Theme[] } = {},
): Promise<void> {
  if (!(await page.evaluate<boolean>('"axe" in window'))) await page.evaluate(axe)
  let misfits = await misfitsOf(page)
  // A window that has just changed its size is drawn anew a moment later.
  for (let tries = 0; misfits.length > 0 && tries < 20; tries += 1) {
    await page.waitForTimeout(250)
    misfits = await misfitsOf(page)
  }
  expect.soft(misfits, `${name} fits`).toEqual([])
  const before = await page.locator('html').getAttribute('data-theme')
  for (const [index, theme] of (inEveryTheme ? themes : themes.slice(0, 1)).entries()) {
    await page.evaluate(`(${showTheme})(${JSON.stringify(theme)})`)
    if (pictures !== '') await page.screenshot({ path: join(folder, `${name}-${theme}.png`) })
    // Nothing of what the rules would load beforehand is asked for by those that run.
    const options = { runOnly: index === 0 ? allRules : colours, resultTypes: ['violations'], preload: false }
    const violations = await page.evaluate<Violations>(
      `axe.run(document, ${JSON.stringify(options)}).then((found) => found.violations)`,
    )
    expect.soft(violations.map(words), `${name}, ${theme}`).toEqual([])
  }
  await page.evaluate(`document.documentElement.dataset.theme = ${JSON.stringify(before)}`)
}

/** What of the page is cut, beyond its sides or too narrow, as it stands now: a sentence each. */
export const misfitsOf = (page: Page): Promise<string[]> => page.evaluate<string[]>(`(${misfits})()`)

/** The source of axe, as `AxeBuilder` has it; that one loads it twice for each analysis, which costs more than all else. */
const axe = readFileSync(
  createRequire(import.meta.resolve('@axe-core/playwright')).resolve('axe-core/axe.min.js'),
  'utf8',
)

/**
 * Runs in the page. Names that people give may end in an ellipsis; words of the app may not be cut, no text may stand
 * beyond the sides where nothing scrolls there, and none may run down a column of a word or less.
 */
const misfits = `() => {
  const found = []
  const { scrollWidth, clientWidth } = document.documentElement
  if (scrollWidth > clientWidth) found.push('the page scrolls sideways: ' + scrollWidth + ' > ' + clientWidth)
  const scrolls = (element) => {
    for (let at = element.parentElement; at; at = at.parentElement)
      if (/auto|scroll|hidden/.test(getComputedStyle(at).overflowX) && at !== document.body) return true
    return false
  }
  const tell = (what, element) => found.push(what + ': ' + element.tagName + ' ' + element.textContent.trim().slice(0, 60))
  for (const element of document.querySelectorAll('body *')) {
    if (![...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim() !== '')) continue
    const box = element.getBoundingClientRect()
    const style = getComputedStyle(element)
    // What only screen readers read is a pixel wide.
    if (box.width < 2 || box.height < 2 || style.visibility === 'hidden' || element.closest('.sr-only, svg, pre, .katex')) continue
    const clips = style.overflowX !== 'visible' && style.textOverflow !== 'ellipsis' && style.display !== 'inline'
    if (clips && !/auto|scroll/.test(style.overflowX) && element.scrollWidth > element.clientWidth + 1) tell('cut', element)
    if ((box.right > clientWidth + 1 || box.left < -1) && !scrolls(element)) tell('beyond the side', element)
    if (box.width < 60 && box.height > 90 && style.display !== 'inline') tell('too narrow', element)
  }
  return found.slice(0, 10)
}`

/** Runs in the page. Colours that are inherited or in transition follow a frame later; what fades in has less of its own until then. */
const showTheme = `async (theme) => {
  document.documentElement.dataset.theme = theme
  const fading = document.getAnimations().filter(({ effect }) => effect?.getComputedTiming().endTime < Infinity)
  const over = Promise.allSettled(fading.map(({ finished }) => finished))
  await Promise.race([over, new Promise((late) => setTimeout(late, 3000))])
  await new Promise((done) => requestAnimationFrame(() => setTimeout(done, 50)))
}`

type Violations = Awaited<ReturnType<AxeBuilder['analyze']>>['violations']

const words = ({ id, nodes }: Violations[number]): string =>
  `${id}: ${nodes
    .slice(0, 5)
    .map(
      ({ target, failureSummary }) => `${target.join(' ')} (${failureSummary?.split('\n').slice(1).join(' ').trim()})`,
    )
    .join('; ')}`
