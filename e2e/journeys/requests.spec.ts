/** How much a browser that has never been there asks for, as each request costs a round trip. */
import { chatRoutes } from '@atrium/contract/chat'
import type { Browser } from '@playwright/test'
import { local, openTestApp } from '../harness/test-app.ts'
import { expect, test } from '../harness/test.ts'

const testApp = openTestApp({ models: ['echo'] })

/** Requests that a browser without a cache begins before something stands in the page, with that of the page itself. */
async function requestsUntil(browser: Browser, path: string, selector: string): Promise<string[]> {
  const context = await browser.newContext({ serviceWorkers: 'block' })
  try {
    const { token: value } = testApp.admin
    await context.addCookies([{ name: 'atrium_session', value, url: testApp.url, httpOnly: true, sameSite: 'Strict' }])
    const page = await context.newPage()
    await page.addInitScript({ content: rememberWhen(selector) })
    await page.goto(`${testApp.url}${path}`)
    const asked = await page.evaluate<string[]>(`there.then((at) => {
      const begun = performance.getEntriesByType('resource').filter(({ startTime }) => startTime < at)
      return [location.href, ...begun.map(({ name }) => name)]
    })`)
    return asked.map((url) => new URL(url).pathname)
  } finally {
    await context.close()
  }
}

/**
 * Runs in the page before any script of it: notes when the selector matches for the first time. The name of the workspace
 * is known since the sign-in.
 */
const rememberWhen = (selector: string): string => `
  localStorage.setItem('atrium.workspace', '{"name":"Atrium","logos":{}}')
  globalThis.there = new Promise((resolve) => {
    new MutationObserver((_, observer) => {
      if (!document.querySelector(${JSON.stringify(selector)})) return
      observer.disconnect()
      resolve(performance.now())
    }).observe(document, { childList: true, subtree: true })
  })`

/** Lists beside the page are asked for meanwhile: how many of them have begun depends on who is quicker. */
const isList = (path: string): boolean => ['/api/chat/sessions', '/api/chat/folders'].includes(path)
const withoutLists = (asked: readonly string[]): string[] => asked.filter((path) => !isList(path))

test('the start page needs twelve requests at most before one can type, and three for the lists', async ({
  browser,
}) => {
  const asked = await requestsUntil(browser, '/', '#composer')
  expect(withoutLists(asked).length, asked.join('\n')).toBeLessThanOrEqual(12)
  expect(asked.length, asked.join('\n')).toBeLessThanOrEqual(15)
})

test('a chat needs twenty requests at most before it can be read, and no library that it does not use', async ({
  browser,
}) => {
  const { api } = testApp.admin
  const { id } = await api.call(chatRoutes.create, { body: { title: 'Few requests', selection: local('echo') } })
  await api.call(chatRoutes.generate, { params: { sessionId: id }, body: { message: 'Hello **there**' } })
  const asked = await requestsUntil(browser, `/chats/${id}`, '[data-message] .markdown')
  expect(withoutLists(asked).length, asked.join('\n')).toBeLessThanOrEqual(20)
  expect(asked.length, asked.join('\n')).toBeLessThanOrEqual(24)
  expect(asked.filter((path) => /uPlot|pdf|katex|mermaid/i.test(path))).toEqual([])
})
