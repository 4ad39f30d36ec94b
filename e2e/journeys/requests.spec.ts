/** How much a browser that has never been there asks for, as each request costs a round trip. */
import { chatRoutes } from '@atrium/contract/chat'
import type { Browser, Page } from '@playwright/test'
import { openTestApp } from '../harness/test-app.ts'
import { expect, test } from '../harness/test.ts'

const testApp = openTestApp({ models: ['echo'] })

/** Requests until a page can be used, in a browser without a cache. */
async function requestsUntil(browser: Browser, path: string, ready: (page: Page) => Promise<void>): Promise<string[]> {
  const context = await browser.newContext({ serviceWorkers: 'block' })
  try {
    const { token: value } = testApp.admin
    await context.addCookies([{ name: 'atrium_session', value, url: testApp.url, httpOnly: true, sameSite: 'Strict' }])
    const page = await context.newPage()
    const asked: string[] = []
    page.on('requestfinished', (request) => asked.push(new URL(request.url()).pathname))
    await page.goto(`${testApp.url}${path}`)
    await ready(page)
    return [...asked]
  } finally {
    await context.close()
  }
}

test('the start page takes twelve files at most before one can type', async ({ browser }) => {
  const asked = await requestsUntil(browser, '/', async (page) => {
    await page.getByRole('textbox', { name: 'Message' }).waitFor()
  })
  expect(asked.filter((path) => path.startsWith('/assets/')).length).toBeLessThanOrEqual(12)
})

test('a chat waits for no library that it does not use', async ({ browser }) => {
  const { api } = testApp.admin
  const { id } = await api.call(chatRoutes.create, { body: { title: 'Few requests' } })
  const asked = await requestsUntil(browser, `/chats/${id}`, async (page) => {
    await page.getByRole('heading', { name: 'Few requests' }).waitFor()
  })
  expect(asked.filter((path) => /uPlot|pdf|katex|mermaid/i.test(path))).toEqual([])
})
