/** Temporary chats: begun by a switch or a key, in no list, kept with one button, deleted with another. */
import { chatRoutes } from '@atrium/contract/chat'
import { look } from '../harness/look.ts'
import { openTestApp } from '../harness/test-app.ts'
import { answered, ask, composer, pickModel, sidebar } from '../harness/talk.ts'
import { expect, phone, test } from '../harness/test.ts'

const testApp = openTestApp({ models: ['echo'] })

test('a temporary chat says what it is, stands in no list, and is deleted with one button', async ({ visit }) => {
  const page = await visit(testApp, testApp.admin)
  await page.goto('/')
  await pickModel(page, 'echo')
  await page.getByRole('button', { name: 'Temporary chat' }).click()
  const notice = page.getByRole('region', { name: 'Temporary chat' })
  await expect(notice).toContainText('deleted with its files 1 day after your last question')
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
  expect(items.map(({ title }) => title)).toEqual(['Worth keeping'])
})
