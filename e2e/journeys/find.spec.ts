/** Finding words in one chat: over all of it, also where its rows are not in the page. */
import { look } from '../harness/look.ts'
import { makeChat, openTestApp } from '../harness/test-app.ts'
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
