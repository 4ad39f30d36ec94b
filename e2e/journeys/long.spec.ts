/** Much of everything: a chat of hundreds of messages, hundreds of models, more than a hundred chats. */
import { chatRoutes } from '@atrium/contract/chat'
import type { Page } from '@playwright/test'
import { look } from '../harness/look.ts'
import { local, openTestApp } from '../harness/test-app.ts'
import { composer, lastMessage, sidebar } from '../harness/talk.ts'
import { expect, test } from '../harness/test.ts'

const messages = 600
const chats = 150
const longChat = 'long-chat-000'
const messageId = (n: number) => `message-${String(n).padStart(6, '0')}`

const testApp = openTestApp({
  async filled({ api }) {
    await api.call(chatRoutes.create, { body: { id: longChat, title: 'A very long talk', selection: local('echo') } })
    for (let n = 0; n < messages; n += 1) {
      const role = n % 2 === 0 ? 'user' : 'assistant'
      const content = `Message ${n}. ${'It has some more words. '.repeat(1 + (n % 7))}`
      await api.call(chatRoutes.addMessage, {
        params: { sessionId: longChat },
        body: { id: messageId(n), role, content },
      })
    }
    for (let n = 0; n < chats; n += 1) await api.call(chatRoutes.create, { body: { title: `Chat number ${n}` } })
  },
})

const rows = (page: Page) => page.getByRole('article')
/** Where a message stands on screen; null while it is not in the page. */
const placeOf = async (page: Page, id: string) => {
  const row = page.locator(`[data-message="${id}"]`)
  return (await row.count()) > 0 ? ((await row.boundingBox())?.y ?? null) : null
}

test('a chat of hundreds of messages opens at its end, with few of them in the page', async ({ visit }) => {
  const page = await visit(testApp, testApp.admin)
  await page.goto(`/chats/${longChat}`)
  await expect(lastMessage(page)).toContainText(`Message ${messages - 1}.`)
  await expect(lastMessage(page)).toBeInViewport()
  expect(await rows(page).count()).toBeLessThan(40)
})

test('scrolling up loads what came before, and what is read does not jump', async ({ visit }) => {
  const page = await visit(testApp, testApp.admin)
  await page.goto(`/chats/${longChat}`)
  await expect(lastMessage(page)).toBeInViewport()
  const log = page.getByRole('log')
  const box = await log.boundingBox()
  if (!box) throw new Error('no messages on screen')
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2)
  const jumps: number[] = []
  for (let step = 0; step < 16; step += 1) {
    const visible = await rows(page).evaluateAll(
      (all, top) =>
        all
          .map((row) => ({ id: row.dataset.message ?? '', y: row.getBoundingClientRect().y }))
          .find(({ y }) => y > top + 60),
      box.y,
    )
    if (!visible) throw new Error('no message in sight')
    await page.mouse.wheel(0, -400)
    await expect.poll(async () => (await placeOf(page, visible.id)) ?? 0).toBeGreaterThan(visible.y + 350)
    // Pages that arrive later must not move it any more.
    await page.waitForFunction(
      'new Promise((frame) => requestAnimationFrame(() => requestAnimationFrame(() => frame(true))))',
    )
    jumps.push(Math.round(((await placeOf(page, visible.id)) ?? 0) - visible.y - 400))
  }
  expect(Math.max(...jumps.map(Math.abs))).toBeLessThan(30)
  expect(await rows(page).count()).toBeLessThan(60)
  const first = await rows(page).first().getAttribute('data-message')
  expect(first && first < messageId(messages - 60)).toBe(true)

  await page.getByRole('button', { name: 'Jump to the end' }).click()
  await expect(lastMessage(page)).toContainText(`Message ${messages - 1}.`)
  await expect(lastMessage(page)).toBeInViewport()
})

test('the map beside the scroll bar leads to questions by keys and by pointer, and is not on phones', async ({
  visit,
}) => {
  const page = await visit(testApp, testApp.admin)
  await page.goto(`/chats/${longChat}`)
  const map = page.getByRole('slider', { name: 'Questions in this chat' })
  const told = async () => Number(/Message (\d+)/.exec((await map.getAttribute('aria-valuetext')) ?? '')?.[1])
  const from = await told()
  await map.press('ArrowUp')
  await expect.poll(told).toBe(from - 2)
  await expect(page.locator(`[data-message="${messageId(from - 2)}"]`)).toBeInViewport()
  await map.hover({ position: { x: 10, y: 8 } })
  await expect(map.getByText(/^Message \d+/).first()).toBeVisible()
  await look(page, 'message-map')
  await map.click({ position: { x: 10, y: 8 } })
  await expect.poll(told).toBeLessThan(from - 8)
  await page.setViewportSize({ width: 390, height: 844 })
  await expect(map).toHaveCount(0)
})

test('a link to an old message opens there, marks it, and the end is one click away', async ({ visit }) => {
  const page = await visit(testApp, testApp.admin, { own: true })
  // It is marked for a moment only, which a slow machine would miss from outside: the page notes it.
  await page.addInitScript(`
    globalThis.marked = new Set()
    new MutationObserver(() => {
      for (const row of document.querySelectorAll('.anim-flash')) marked.add(row.dataset.message)
    }).observe(document, { childList: true, subtree: true, attributes: true })`)
  await page.goto(`/chats/${longChat}?message=${messageId(200)}`)
  const old = page.locator(`[data-message="${messageId(200)}"]`)
  await expect(old).toBeInViewport()
  await expect.poll(() => page.evaluate<string[]>('[...marked]')).toEqual([messageId(200)])
  await expect(old).not.toHaveClass(/anim-flash/)
  await expect(old).toBeInViewport()
  await page.getByRole('button', { name: 'Jump to the end' }).click()
  await expect(lastMessage(page)).toContainText(`Message ${messages - 1}.`)
  await composer(page).fill('One more')
  await page.getByRole('button', { name: 'Send' }).click()
  await expect(lastMessage(page)).toContainText('You said: One more')
})

test('more than a hundred chats are listed as one scrolls, with few of them in the page', async ({ visit }) => {
  const page = await visit(testApp, testApp.admin)
  await page.goto('/')
  const list = sidebar(page).getByRole('list', { name: 'Chats' })
  await expect(list.getByRole('link', { name: `Chat number ${chats - 1}`, exact: true })).toBeVisible()
  expect(await list.getByRole('listitem').count()).toBeLessThan(70)
  await list.hover()
  const oldest = list.getByRole('link', { name: 'Chat number 0', exact: true })
  await expect(async () => {
    await page.mouse.wheel(0, 4000)
    await expect(oldest).toBeInViewport({ timeout: 300 })
  }).toPass()
  expect(await list.getByRole('listitem').count()).toBeLessThan(70)
})

test('one of three hundred and fifty models is found and chosen by keyboard alone', async ({ visit }) => {
  testApp.provider.control({ extraModels: 345 })
  const page = await visit(testApp, testApp.admin)
  await page.goto('/settings/connections')
  const check = page.getByRole('button', { name: 'Check again' })
  await check.click()
  await expect(check).toBeEnabled()
  await page.goto('/')
  await expect(composer(page)).toBeFocused()
  await page.keyboard.press('Control+Shift+M')
  const grid = page.getByRole('grid', { name: 'Choose a model' })
  await expect(page.getByRole('combobox')).toBeFocused()
  await expect(grid).toHaveAttribute('aria-rowcount', '351')
  expect(await grid.getByRole('row').count()).toBeLessThan(30)
  await page.keyboard.type('vendor7 model-320')
  await expect(grid.getByRole('row').first()).toContainText('vendor7/model-320')
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('Enter')
  await expect(grid.getByRole('button', { name: /^Remove vendor7\/model-320.* from favourites$/ })).toBeVisible()
  await page.keyboard.press('ArrowLeft')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('button', { name: /^Model: vendor7\/model-320/ })).toBeVisible()
  await expect(composer(page)).toBeFocused()

  await page.keyboard.press('Control+Shift+M')
  await page.getByRole('button', { name: /^Favourites/ }).click()
  await expect(grid.getByRole('row')).toHaveCount(1)
})
