/** Every page at the widths of tablets, laptops and desktops, and enlarged to 200 %. */
import type { Page } from '@playwright/test'
import { misfitsOf } from '../harness/look.ts'
import { makeChat, openTestApp } from '../harness/test-app.ts'
import { expect, onlyInAll, test } from '../harness/test.ts'

const testApp = openTestApp({ models: ['echo'] })

/** The last is what is left of a window of 1280 px at 200 %. */
const widths = [1440, 1024, 768, 640]
const columns = ['/archive', '/trash', '/search', '/gallery', '/artifacts', '/notifications', '/automations', '/shared']
const wide = ['/usage', '/system', '/harness']
const panes = ['/', '/documents', '/channels', '/channels/threads', '/calendar', '/nowhere']

/** Goes there, and waits until all of it is shown. */
const open = async (page: Page, path: string) => {
  await page.goto(path)
  await expect(page.getByRole('heading', { level: 1 }).first()).toBeAttached()
  await expect(page.getByRole('status', { name: 'Loading' })).toHaveCount(0)
}

/** How far the heading of a page stands from the left edge of the page, in px. */
const leftEdge = (page: Page): Promise<number> =>
  page.evaluate<number>(`(() => {
    const left = (selector) => document.querySelector(selector).getBoundingClientRect().left
    return Math.round(left('main h1') - left('main'))
  })()`)

const softly = expect.configure({ soft: true })

const fitsAtEveryWidth = async (page: Page, path: string) => {
  for (const width of widths) {
    await page.setViewportSize({ width, height: width < 768 ? 450 : 900 })
    // Where the layout changes with the width, a moment later.
    await softly.poll(() => misfitsOf(page), { message: `${path} at ${width} px`, timeout: 10_000 }).toEqual([])
  }
}

test('every page fits from 640 to 1440 px, and their headings begin at one left edge', async ({ visit }) => {
  const id = await makeChat(testApp.admin, { title: 'A title '.repeat(12), messages: ['What?', 'This and that.'] })
  const page = await visit(testApp, testApp.admin)
  const edges: Record<string, number> = {}
  for (const path of [...columns, ...wide, ...panes, `/chats/${id}`]) {
    await page.setViewportSize({ width: 1440, height: 900 })
    await open(page, path)
    if (columns.includes(path) || wide.includes(path)) edges[path] = await leftEdge(page)
    await fitsAtEveryWidth(page, path)
  }
  expect(new Set(Object.values(edges)).size, JSON.stringify(edges)).toBe(1)

  // In a window of 1440 px at 200 % the areas scroll, and can be hit.
  await page.setViewportSize({ width: 720, height: 450 })
  const areas = page.getByRole('navigation', { name: 'Main navigation' }).getByRole('link')
  for (const area of await areas.all()) expect((await area.boundingBox())?.height).toBeGreaterThanOrEqual(24)
})

test('every section of the settings fits from 640 to 1440 px', onlyInAll, async ({ visit }) => {
  const page = await visit(testApp, testApp.admin)
  await page.setViewportSize({ width: 1440, height: 900 })
  await open(page, '/settings/appearance')
  const links = page.getByRole('main').locator('nav a[href^="/settings/"]')
  await expect(links.first()).toBeVisible()
  const sections = await page.evaluate<string[]>(
    `[...document.querySelectorAll('nav a[href^="/settings/"]')].map((link) => link.getAttribute('href'))`,
  )
  expect(sections.length).toBeGreaterThan(20)
  for (const path of sections) {
    await page.setViewportSize({ width: 1440, height: 900 })
    await open(page, path)
    await fitsAtEveryWidth(page, path)
  }
})
