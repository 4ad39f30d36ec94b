/** How much a browser that has never been there asks for, as each request costs a round trip. */
import { chatRoutes } from '@atrium/contract/chat'
import type { Browser } from '@playwright/test'
import { visitCold } from '../harness/cold.ts'
import { local, openTestApp } from '../harness/test-app.ts'
import { expect, test } from '../harness/test.ts'

const testApp = openTestApp({ models: ['echo'] })

const requestsUntil = async (browser: Browser, path: string, selector: string): Promise<readonly string[]> =>
  (await visitCold(browser, { url: testApp.url, token: testApp.admin.token }, { path, selector })).asked

/** Lists beside the page are asked for meanwhile: how many of them have begun depends on who is quicker. */
const isList = (path: string): boolean => ['/api/chat/sessions', '/api/chat/folders'].includes(path)
const withoutLists = (asked: readonly string[]): string[] => asked.filter((path) => !isList(path))

test('the start page needs twelve requests at most before one can type, and three for the lists', async ({
  browser,
}) => {
  const asked = await requestsUntil(browser, '/', '#composer')
  expect(withoutLists(asked).length, asked.join('\n')).toBeLessThanOrEqual(12)
  expect(asked.length, asked.join('\n')).toBeLessThanOrEqual(15)
  // Begun before the app was there, and not again by it.
  expect(asked.filter((path) => path === '/api/auth/me')).toHaveLength(1)
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
