/**
 * The page of one chat: finding words over all of it, also where its rows are not in the page; temporary chats, begun by a
 * switch or a key, in no list, kept with one button, deleted with another; quotes above the box; and how much a browser
 * that has never been there asks for, as each request costs a round trip.
 */
import { chatRoutes } from '@atrium/contract/chat'
import type { Browser } from '@playwright/test'
import { visitCold } from '../harness/cold.ts'
import { look } from '../harness/look.ts'
import { answered, ask, composer, lastMessage, pickModel, sidebar } from '../harness/talk.ts'
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

test('the start page needs twelve requests and 196 KB at most before one can type, and three for the lists', async ({
  browser,
}) => {
  const { asked, came } = await visitOnce(browser, '/', '#composer')
  expect(withoutLists(asked).length, asked.join('\n')).toBeLessThanOrEqual(12)
  expect(asked.length, asked.join('\n')).toBeLessThanOrEqual(15)
  // What a slow line has to carry before that. The rows of the list come beside it, sooner or later.
  const needed = (await (await fetch(testApp.url)).text()).replace(/data-chat-parts="[^"]*"/, '')
  const files = came.filter(({ path }) => needed.includes(path))
  for (const { path } of files.filter((file) => file.path.endsWith('.js'))) {
    const script = await (await fetch(`${testApp.url}${path}`)).text()
    const imports = [...script.matchAll(/(?:from|import)"(\.[^"]+)"/g)].map(
      ([, to = '']) => new URL(to, `${testApp.url}${path}`),
    )
    expect(
      imports.map(({ pathname }) => pathname).filter((to) => !needed.includes(to)),
      path,
    ).toEqual([])
  }
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0)
  expect(bytes, JSON.stringify(files, null, 2)).toBeGreaterThan(100_000)
  expect(bytes, JSON.stringify(files, null, 2)).toBeLessThanOrEqual(196_000)
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

test('words of messages stand as quotes above the box, on every device, and before the question that is sent', async ({
  visit,
}) => {
  const page = await visit(testApp, testApp.admin)
  const id = await makeChat(testApp.admin, { title: 'Terns', messages: ['Which bird?', 'The tern.\n\nIt flies far.'] })
  await page.goto(`/chats/${id}`)
  const bar = page.getByRole('toolbar', { name: 'Selected text' })
  await lastMessage(page).getByText('The tern.').click({ clickCount: 3 })
  await bar.waitFor()
  await look(page, 'composer-quote')
  await bar.getByRole('button', { name: 'Quote' }).click()
  await expect(bar).toHaveCount(0)
  await expect(composer(page)).toBeFocused()
  await page.keyboard.type('Why?')
  await expect(composer(page)).toHaveValue('Why?')
  const chips = page.getByRole('list', { name: 'Quotes' }).getByRole('listitem')
  await expect(chips).toHaveText([/The tern\..*From /])

  await lastMessage(page).getByText('It flies far.').click({ clickCount: 3 })
  await bar.waitFor()
  await page.keyboard.press('Escape')
  await expect(bar).toHaveCount(0)
  await lastMessage(page).getByText('It flies far.').click({ clickCount: 3 })
  await bar.waitFor()
  await page.keyboard.press('Alt+Shift+Q')
  await expect(chips).toHaveText([/The tern\./, /It flies far\./])
  await expect(composer(page)).toHaveValue('Why?')

  // A chip shows all of its words, leads to them, and goes by a key, which the next one takes then.
  await chips.first().getByRole('button').first().click()
  const whole = page.getByRole('dialog', { name: /^From / })
  await expect(whole.getByRole('blockquote')).toHaveText('The tern.')
  await look(page, 'composer-quotes')
  await whole.getByRole('button', { name: 'Show message' }).click()
  await page.keyboard.press('Escape')
  await expect(whole).toHaveCount(0)
  await chips.first().getByRole('button').first().press('Delete')
  await expect(chips).toHaveText([/It flies far\./])
  await expect(chips.first().getByRole('button').first()).toBeFocused()
  await chips.first().getByRole('button', { name: 'Remove quote: It flies far.' }).click()
  await expect(chips).toHaveCount(0)
  await expect(composer(page)).toBeFocused()
  await composer(page).fill('')

  // What is asked about stands above a question that is typed over, and several things above the same one.
  for (const words of ['The tern.', 'It flies far.']) {
    await lastMessage(page).getByText(words).click({ clickCount: 3 })
    await bar.getByRole('button', { name: 'Ask about this' }).click()
    await expect(composer(page)).toBeFocused()
  }
  await expect(composer(page)).toHaveValue('Explain this.')
  // Not what stood there before, nor what was typed so far.
  const saved = page.waitForResponse(
    (response) =>
      response.url().endsWith(`/sessions/${id}/draft`) &&
      (response.request().postDataJSON() as { content?: string } | null)?.content === 'How far?',
  )
  await page.keyboard.type('How far?')
  await expect(composer(page)).toHaveValue('How far?')
  await saved

  // Another browser has them, and sends them.
  const other = await visit(testApp, testApp.admin)
  await other.goto(`/chats/${id}`)
  await expect(other.getByRole('list', { name: 'Quotes' }).getByRole('listitem')).toHaveText([/The tern/, /It flies/])
  await expect(composer(other)).toHaveValue('How far?')
  await other.route('**/generations', (route) => route.abort('connectionrefused'))
  await composer(other).press('Enter')
  await expect(other.getByRole('alert')).toContainText('Couldn’t send')
  await expect(other.getByRole('list', { name: 'Quotes' }).getByRole('listitem')).toHaveCount(2)
  await expect(composer(other)).toHaveValue('How far?')
  await other.unroute('**/generations')
  await other.getByRole('alert').getByRole('button', { name: 'Try again' }).click()
  await expect(lastMessage(other)).toContainText('You said: > The tern.')
  await answered(other)
  await expect(other.getByRole('list', { name: 'Quotes' })).toHaveCount(0)
  const sent = other.locator('[data-message]').filter({ hasText: 'How far?' }).first()
  await expect(sent.getByRole('blockquote')).toHaveText([/^The tern\./, /^It flies far\./])

  // Each leads to where it is from, in whichever branch, until that is gone.
  const { api } = testApp.admin
  const tern = (await api.call(chatRoutes.read, { params: { sessionId: id }, query: {} })).messages.items[1]?.id ?? ''
  const body = { content: 'The gull.' }
  await api.call(chatRoutes.addBranch, { params: { sessionId: id, messageId: tern }, body })
  await expect(lastMessage(other)).toContainText('The gull.')
  await ask(other, 'And this one?')
  await answered(other)
  await other.goto(`/chats/${id}?message=${tern}`)
  await expect(sent.getByRole('button', { name: 'Show message' })).toHaveCount(2)
  await look(other, 'chat-quote-sources')
  await sent.getByRole('button', { name: 'Show message' }).first().click()
  await expect(other.locator(`[data-message="${tern}"]`)).toBeInViewport()

  await sent.focus()
  await other.keyboard.press('q')
  await expect(other.getByRole('list', { name: 'Quotes' }).getByRole('listitem')).toHaveText([/From your message/])
})

test('words of a temporary chat are quoted in it, and lead to their message', async ({ visit }) => {
  const page = await visit(testApp, testApp.admin)
  const { id } = await testApp.admin.api.call(chatRoutes.create, {
    body: { selection: local('echo'), temporary: true },
  })
  const said = { role: 'assistant' as const, content: 'The plover.' }
  await testApp.admin.api.call(chatRoutes.addMessage, { params: { sessionId: id }, body: said })
  await page.goto(`/chats/${id}`)
  await lastMessage(page).focus()
  await page.keyboard.press('q')
  const chips = page.getByRole('list', { name: 'Quotes' }).getByRole('listitem')
  await expect(chips).toHaveText([/The plover\..*From /])
  await ask(page, 'Does it swim?')
  await answered(page)
  await expect(chips).toHaveCount(0)
  const sent = page.locator('[data-message]').filter({ hasText: 'Does it swim?' }).first()
  await expect(sent.getByRole('blockquote')).toHaveText(/^The plover\./)
  await sent.getByRole('button', { name: 'Show message' }).click()
  await expect(page.getByRole('alert')).toHaveCount(0)
})

test('quotes of the draft of the start page begin the chat that is made by its first message', async ({ visit }) => {
  const { api } = testApp.admin
  const quote = { id: 'quote-of-the-start', messageId: 'message-of-before', author: null, text: 'The curlew.' }
  await api.call(chatRoutes.saveNewDraft, { body: { content: 'How long is its bill?', quotes: [quote] } })
  const page = await visit(testApp, testApp.admin)
  await page.goto('/')
  await expect(page.getByRole('list', { name: 'Quotes' }).getByRole('listitem')).toHaveText([/The curlew\./])
  await expect(composer(page)).toHaveValue('How long is its bill?')
  await composer(page).press('Enter')
  await answered(page)
  const sent = page.locator('[data-message]').first()
  await expect(sent.getByRole('blockquote')).toHaveText('The curlew.')
  await expect(sent).toContainText('How long is its bill?')
  // What it quotes is in no chat, so that nothing leads to it.
  await page.reload()
  await expect(sent.getByRole('blockquote')).toHaveText('The curlew.')
  await expect(sent.getByRole('button', { name: 'Show message' })).toHaveCount(0)
  expect(await api.call(chatRoutes.newDraft, {})).toMatchObject({ content: '', quotes: [] })
})
