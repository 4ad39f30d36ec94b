/**
 * The page of one chat: finding words over all of it, also where its rows are not in the page; temporary chats, begun by a
 * switch or a key, in no list, kept with one button, deleted with another; and how much a browser that has never been there
 * asks for, as each request costs a round trip.
 */
import { chatRoutes } from '@atrium/contract/chat'
import type { Browser } from '@playwright/test'
import { visitCold } from '../harness/cold.ts'
import { look } from '../harness/look.ts'
import { answered, ask, composer, pickModel, sidebar } from '../harness/talk.ts'
import { local, makeChat, openTestApp } from '../harness/test-app.ts'
import { expect, phone, test } from '../harness/test.ts'

const testApp = openTestApp({ models: ['echo'] })
const filler = (n: number) => Array.from({ length: 12 }, () => `Message ${n} says little.`).join('\n\n')
const messages = [
  'Where does the **narwhal** live?',
  ...Array.from({ length: 70 }, (_, n) => filler(n)),
  `${filler(71)}\n\nA second Narwhal, and a third narwhal.`,
]

test('words are found over the whole chat, gone to in turn, and marked', async ({ visit }) => {
  const id = await makeChat(testApp.admin, { title: 'Long', messages })
  const page = await visit(testApp, testApp.admin)
  await page.goto(`/chats/${id}`)
  await expect(page.getByRole('article').last()).toBeVisible()
  await page.keyboard.press('ControlOrMeta+f')
  const bar = page.getByRole('search', { name: 'Find in this chat' })
  const field = bar.getByRole('searchbox')
  await expect(field).toBeFocused()
  await field.fill('narwhal')
  await expect(bar.getByRole('status')).toHaveText('3 of 3')
  await look(page, 'find', { themes: ['light', 'dark', 'contrast'] })
  const marked = () =>
    page.evaluate<string | null>(`(() => {
      const [range] = [...(CSS.highlights.get('find-now') ?? [])]
      const box = range?.getBoundingClientRect()
      return box && box.top > 0 && box.bottom < innerHeight ? range.toString() : null
    })()`)
  await expect.poll(marked).toBe('narwhal')
  await field.press('Enter')
  await expect(bar.getByRole('status')).toHaveText('1 of 3')
  await expect(page.getByRole('article').first()).toContainText('Where does the narwhal live?')
  await expect.poll(marked).toBe('narwhal')
  await field.press('Shift+Enter')
  await field.press('Shift+Enter')
  await expect(bar.getByRole('status')).toHaveText('2 of 3')
  await expect.poll(marked).toBe('Narwhal')
  await field.fill('walrus')
  await expect(bar.getByRole('status')).toHaveText('No matches')
  await field.press('Escape')
  await expect(bar).toHaveCount(0)
})

test('on a phone the bar is opened from the menu of the chat', async ({ visit }) => {
  const id = await makeChat(testApp.admin, { title: 'Short', messages: ['A narwhal'] })
  const page = await visit(testApp, testApp.admin, phone)
  await page.goto(`/chats/${id}`)
  await page.getByRole('button', { name: 'Chat menu' }).click()
  await page.getByRole('menuitem', { name: 'Find in this chat' }).click()
  const bar = page.getByRole('search', { name: 'Find in this chat' })
  await bar.getByRole('searchbox').fill('narwhal')
  await expect(bar.getByRole('status')).toHaveText('1 of 1')
  await look(page, 'find-phone')
})

test('a temporary chat says what it is, stands in no list, and is deleted with one button', async ({ visit }) => {
  await testApp.admin.api.call(chatRoutes.createFolder, { body: { name: 'Gardens' } })
  const page = await visit(testApp, testApp.admin)
  await page.goto('/')
  await pickModel(page, 'echo')
  await page.getByRole('button', { name: 'Temporary chat' }).click()
  const notice = page.getByRole('region', { name: 'Temporary chat' })
  await expect(notice).toContainText('deleted with its files 1 day after your last question')
  // It stays one in a project, and when it leaves it.
  await composer(page).pressSequentially('#gard')
  await page.getByRole('option', { name: 'Gardens' }).click()
  await page.getByRole('button', { name: 'Remove from this project' }).click()
  await expect(page.getByRole('button', { name: 'Remove from this project' })).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Temporary chat' })).toHaveAttribute('aria-pressed', 'true')
  await look(page, 'temporary-new')
  await ask(page, 'Something fleeting')
  await expect(page).toHaveURL(/\/chats\//)
  await answered(page)
  await expect(notice).toContainText('is deleted with its files on')
  await expect(sidebar(page).getByRole('link', { name: 'Something fleeting' })).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Share this chat' })).toHaveCount(0)
  await look(page, 'temporary-chat')
  const address = page.url()
  await page.reload()
  await expect(page.getByRole('article').first()).toContainText('Something fleeting')
  await notice.getByRole('button', { name: 'Delete now' }).click()
  await expect(page).toHaveURL('/')
  await page.goto(address)
  await expect(page.getByRole('heading', { name: 'Chat not found' })).toBeVisible()
})

test('a temporary chat is begun by its keys and kept with one button', async ({ visit }) => {
  const page = await visit(testApp, testApp.admin, phone)
  await page.goto('/')
  await expect(composer(page)).toBeVisible()
  await page.keyboard.press("ControlOrMeta+Shift+'")
  const notice = page.getByRole('region', { name: 'Temporary chat' })
  await expect(notice).toBeVisible()
  await ask(page, 'Worth keeping')
  await answered(page)
  await look(page, 'temporary-phone')
  await notice.getByRole('button', { name: 'Keep this chat' }).click()
  await expect(notice).toHaveCount(0)
  const { items } = await testApp.admin.api.call(chatRoutes.list, { query: {} })
  const titles = items.map(({ title }) => title)
  expect(titles.filter((title) => ['Something fleeting', 'Worth keeping'].includes(title))).toEqual(['Worth keeping'])
})

const visitOnce = (browser: Browser, path: string, selector: string) =>
  visitCold(browser, { url: testApp.url, token: testApp.admin.token }, { path, selector })

/** Lists beside the page are asked for meanwhile: how many of them have begun depends on who is quicker. */
const isList = (path: string): boolean => ['/api/chat/sessions', '/api/chat/folders'].includes(path)
const withoutLists = (asked: readonly string[]): string[] => asked.filter((path) => !isList(path))

test('the start page needs twelve requests and 195 KB at most before one can type, and three for the lists', async ({
  browser,
}) => {
  const { asked, came } = await visitOnce(browser, '/', '#composer')
  expect(withoutLists(asked).length, asked.join('\n')).toBeLessThanOrEqual(12)
  expect(asked.length, asked.join('\n')).toBeLessThanOrEqual(15)
  // What a slow line has to carry before that. The rows of the list come beside it, sooner or later.
  const needed = (await (await fetch(testApp.url)).text()).replace(/data-chat-parts="[^"]*"/, '')
  const files = came.filter(({ path }) => needed.includes(path))
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0)
  expect(bytes, JSON.stringify(files, null, 2)).toBeGreaterThan(100_000)
  expect(bytes, JSON.stringify(files, null, 2)).toBeLessThanOrEqual(195_000)
  // Begun before the app was there, and not again by it.
  expect(asked.filter((path) => path === '/api/auth/me')).toHaveLength(1)
})

test('a chat needs twenty requests at most before it can be read, and no library that it does not use', async ({
  browser,
}) => {
  const { api } = testApp.admin
  const { id } = await api.call(chatRoutes.create, { body: { title: 'Few requests', selection: local('echo') } })
  await api.call(chatRoutes.generate, { params: { sessionId: id }, body: { message: 'Hello **there**' } })
  const { asked } = await visitOnce(browser, `/chats/${id}`, '[data-message] .markdown')
  expect(withoutLists(asked).length, asked.join('\n')).toBeLessThanOrEqual(20)
  expect(asked.length, asked.join('\n')).toBeLessThanOrEqual(24)
  expect(asked.filter((path) => /uPlot|pdf|katex|mermaid/i.test(path))).toEqual([])
})
