/** Chats and folders that others read: shared, followed live, gone on with, taken back. */
import { accessRoutes } from '@atrium/contract/access'
import { chatRoutes } from '@atrium/contract/chat'
import { documentsRoutes } from '@atrium/contract/documents'
import type { Locator, Page } from '@playwright/test'
import { type Account, makeChat, openTestApp } from '../harness/test-app.ts'
import { look } from '../harness/look.ts'
import { answered, ask, composer, lastMessage, sidebar } from '../harness/talk.ts'
import { expect, onlyInAll, phone, smallPicture, test } from '../harness/test.ts'

const testApp = openTestApp({ models: ['echo', 'long-90'] })
test.afterEach(() => testApp.provider.control({ holdAfter: null }))

let ben: Account
test.beforeAll(async () => {
  ben = await testApp.account('ben')
})

const shared = (page: Page) => sidebar(page).getByRole('region', { name: 'Shared with me' })
const bar = (page: Page) => page.getByRole('region', { name: 'This chat is shared with you' })

/** In the open window: shares with somebody, and closes it. */
async function shareWith(page: Page, name: string): Promise<void> {
  const window = page.getByRole('dialog', { name: /^Share “/ })
  await window.getByRole('combobox', { name: 'Person or group' }).fill(name)
  await window.getByRole('option', { name }).click()
  await window.getByRole('button', { name: `Share with ${name}` }).click()
  await expect(window.getByRole('list', { name: 'People with access' })).toContainText(name)
  await window.getByRole('button', { name: 'Close' }).click()
  await expect(window).toHaveCount(0)
}

const grant = (resourceType: 'chat' | 'folder' | 'collection', resourceId: string) =>
  testApp.admin.api.call(accessRoutes.grant, {
    body: { resourceType, resourceId, principalType: 'account', principalId: ben.user.id },
  })

test('a chat is shared, an answer is seen while it is written, and the reader goes on in a copy', async ({ visit }) => {
  const id = await makeChat(testApp.admin, {
    title: 'Trip to Ghent',
    model: 'long-90',
    messages: ['Where to?', 'Ghent.'],
  })
  const [mine, theirs] = [await visit(testApp, testApp.admin), await visit(testApp, ben)]
  await theirs.goto('/')
  await expect(shared(theirs)).toHaveCount(0)
  await mine.goto(`/chats/${id}`)
  await mine.getByRole('button', { name: 'Chat menu' }).click()
  await mine.getByRole('menuitem', { name: 'Share…' }).click()
  await expect(mine.getByRole('dialog')).toContainText('They see everything in it')
  await shareWith(mine, 'ben')
  await expect(mine.getByRole('button', { name: 'shared', exact: true })).toBeVisible()
  await expect(
    sidebar(mine)
      .getByRole('link', { name: /Trip to Ghent/ })
      .getByLabel('shared'),
  ).toBeVisible()

  // It appears without loading the page again.
  await shared(theirs)
    .getByRole('link', { name: /Trip to Ghent/ })
    .click()
  await expect(theirs.getByText('Shared by ann.')).toBeVisible()
  await expect(theirs.getByRole('article', { name: /^ann/ })).toContainText('Where to?')
  await expect(composer(theirs)).toHaveCount(0)
  for (const name of ['Edit', 'Regenerate', 'Good answer'])
    await expect(theirs.getByRole('button', { name })).toHaveCount(0)

  testApp.provider.control({ holdAfter: 5 })
  await ask(mine, 'Tell me more')
  await expect(lastMessage(theirs)).toContainText('word3 ')
  await expect(lastMessage(theirs)).not.toContainText('word90')
  testApp.provider.control({ holdAfter: null })
  await answered(mine)
  await expect(lastMessage(theirs)).toContainText('word90')
  await look(theirs, 'shared-chat')

  await bar(theirs).getByRole('button', { name: 'Continue in my own copy' }).click()
  await expect(composer(theirs)).toBeVisible()
  await expect(theirs).not.toHaveURL(new RegExp(id))
  await expect(lastMessage(theirs)).toContainText('word90')
  await ask(theirs, 'And then?')
  await answered(theirs)
  await expect(mine.getByText('And then?')).toHaveCount(0)
})

test('who is meant can be typed while the window of sharing is on its way', async ({ visit }) => {
  const id = await makeChat(testApp.admin, { title: 'Trip to Lier', messages: ['Where to?', 'Lier.'] })
  const page = await visit(testApp, testApp.admin, { own: true })
  let arrive = () => {}
  const arrived = new Promise<void>((resolve) => (arrive = resolve))
  await page.route(/share-dialog.*\.js$/, async (route) => {
    await arrived
    await route.continue()
  })
  await page.goto(`/chats/${id}`)
  await page.getByRole('button', { name: 'Chat menu' }).click()
  await page.getByRole('menuitem', { name: 'Share…' }).press('Enter')
  await page.keyboard.type('bem')
  await page.keyboard.press('Backspace')
  await page.keyboard.type('n')
  await page.keyboard.press('Enter')
  arrive()
  const window = page.getByRole('dialog', { name: 'Share “Trip to Lier”' })
  await expect(window.getByRole('button', { name: 'Share with ben' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(window).toHaveCount(0)
  await expect(composer(page)).toHaveValue('')
})

test('what is taken back is gone at once, with a word about it that is no error', async ({ visit }) => {
  const id = await makeChat(testApp.admin, { title: 'For a while', model: 'long-90', messages: ['One', 'Two'] })
  await grant('chat', id)
  const [mine, theirs] = [await visit(testApp, testApp.admin), await visit(testApp, ben)]
  await theirs.goto(`/chats/${id}`)
  await mine.goto(`/chats/${id}`)
  testApp.provider.control({ holdAfter: 5 })
  await ask(mine, 'Slowly')
  await expect(lastMessage(theirs)).toContainText('word2 ')
  await mine.getByRole('button', { name: 'shared', exact: true }).click()
  await mine.getByRole('button', { name: 'Stop sharing with ben' }).click()
  await expect(theirs.getByRole('heading', { name: 'This chat is no longer shared with you' })).toBeVisible()
  await expect(theirs.getByText('word2')).toHaveCount(0)
  await expect(shared(theirs).getByRole('link', { name: /For a while/ })).toHaveCount(0)
  testApp.provider.control({ holdAfter: null })
  await mine
    .getByRole('dialog', { name: /^Share “/ })
    .getByRole('button', { name: 'Close' })
    .click()
  await answered(mine)
  await expect(mine.getByRole('button', { name: 'shared', exact: true })).toHaveCount(0)

  // It is shared again: the page that was left open shows it again.
  await grant('chat', id)
  await expect(bar(theirs)).toBeVisible()
})

test('a project shares the chats in it, those that come later too, and can be left', async ({ visit }) => {
  const { id: folderId } = await testApp.admin.api.call(chatRoutes.createFolder, { body: { name: 'Reading circle' } })
  const first = await makeChat(testApp.admin, { title: 'First book', messages: ['Who reads?', 'All of us.'] })
  await testApp.admin.api.call(chatRoutes.update, { params: { sessionId: first }, body: { folderId } })
  const [mine, theirs] = [await visit(testApp, testApp.admin), await visit(testApp, ben)]
  await theirs.goto('/shared')
  await mine.goto('/')
  const row = sidebar(mine).getByRole('listitem').filter({ hasText: 'Reading circle' })
  await row.hover()
  await row.getByRole('button', { name: 'Menu of the project Reading circle' }).click()
  await mine.getByRole('menuitem', { name: 'Share…' }).click()
  await expect(mine.getByRole('dialog')).toContainText('They see every chat in it')
  await shareWith(mine, 'ben')
  await expect(row.getByLabel('shared')).toBeVisible()

  const main = theirs.getByRole('main')
  await expect(main.getByRole('link', { name: /Reading circle/ })).toContainText('Project · by ann · Can view')
  // Every kind stands in the same list.
  const { id: collectionId } = await testApp.admin.api.call(documentsRoutes.createCollection, {
    body: { name: 'Our books' },
  })
  await grant('collection', collectionId)
  await expect(main.getByRole('link', { name: /Our books/ })).toContainText('Collection · by ann')
  await look(theirs, 'shared-with-me')
  await main.getByRole('link', { name: /Reading circle/ }).click()
  await expect(main.getByRole('link', { name: /First book/ })).toBeVisible()
  const second = await makeChat(testApp.admin, { title: 'Second book', messages: ['And this one?', 'That too.'] })
  await testApp.admin.api.call(chatRoutes.update, { params: { sessionId: second }, body: { folderId } })
  await expect(main.getByRole('link', { name: /Second book/ })).toBeVisible()
  await look(theirs, 'shared-folder')
  await main.getByRole('link', { name: /Second book/ }).click()
  await expect(theirs.getByText('That too.')).toBeVisible()

  // Moved out of the project, it is out of reach.
  await testApp.admin.api.call(chatRoutes.update, { params: { sessionId: second }, body: { folderId: null } })
  await expect(theirs.getByText('This chat is no longer shared with you')).toBeVisible()
  await theirs.getByRole('main').getByRole('button', { name: 'Shared with me' }).click()
  await main.getByRole('link', { name: /Reading circle/ }).click()
  await main.getByRole('button', { name: 'Leave' }).click()
  await theirs.getByRole('alertdialog').or(theirs.getByRole('dialog')).getByRole('button', { name: 'Leave' }).click()
  await expect(main.getByRole('heading', { name: 'Shared with me' })).toBeVisible()
  await expect(main.getByRole('link', { name: /Reading circle/ })).toHaveCount(0)
  await theirs.goto(`/shared/folders/${folderId}`)
  await expect(theirs.getByText('This project isn’t shared with you')).toBeVisible()
})

test('shared chats are read and left on a phone', onlyInAll, async ({ visit }) => {
  const id = await makeChat(testApp.admin, { title: 'Small screen', messages: ['Does it fit?', 'It fits.'] })
  await grant('chat', id)
  const page = await visit(testApp, ben, phone)
  await page.goto('/shared')
  const row = page.getByRole('main').getByRole('link', { name: /Small screen/ })
  await expect(row).toBeVisible()
  await look(page, 'shared-with-me-phone')
  await row.tap()
  await expect(page.getByText('It fits.')).toBeVisible()
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390)
  await look(page, 'shared-chat-phone')
  await bar(page).getByRole('button', { name: 'Leave' }).tap()
  await page.getByRole('alertdialog').or(page.getByRole('dialog')).getByRole('button', { name: 'Leave' }).tap()
  await expect(page.getByRole('heading', { name: 'Shared with me' })).toBeVisible()
  await expect(page.getByRole('main').getByRole('link', { name: /Small screen/ })).toHaveCount(0)
})

test('sharing, reading and copying need no mouse', onlyInAll, async ({ visit }) => {
  const id = await makeChat(testApp.admin, { title: 'By keys alone', messages: ['Which key?', 'Any key.'] })
  const mine = await visit(testApp, testApp.admin)
  await mine.goto(`/chats/${id}`)
  await expect(composer(mine)).toBeVisible()
  await mine.keyboard.press('Control+K')
  await expect(mine.getByRole('combobox', { name: /./ }).last()).toBeFocused()
  await mine.keyboard.type('share this chat')
  await expect(mine.getByRole('option', { name: 'Share this chat', exact: true })).toHaveAttribute(
    'aria-selected',
    'true',
  )
  await mine.keyboard.press('Enter')
  const window = mine.getByRole('dialog', { name: 'Share “By keys alone”' })
  const who = window.getByRole('combobox', { name: 'Person or group' })
  await who.focus()
  await mine.keyboard.type('ben')
  await expect(window.getByRole('option', { name: 'ben' })).toHaveAttribute('aria-selected', 'true')
  await mine.keyboard.press('Enter')
  await window.getByRole('button', { name: 'Share with ben' }).focus()
  await mine.keyboard.press('Enter')
  await expect(window.getByRole('list', { name: 'People with access' })).toContainText('ben')
  await mine.keyboard.press('Escape')
  await expect(window).toHaveCount(0)

  const theirs = await visit(testApp, ben)
  await theirs.goto('/')
  await expect(composer(theirs)).toBeFocused()
  await theirs.keyboard.press('Control+K')
  await theirs.keyboard.type('shared with me')
  await expect(theirs.getByRole('option', { name: 'Shared with me', exact: true })).toHaveAttribute(
    'aria-selected',
    'true',
  )
  await theirs.keyboard.press('Enter')
  const link = theirs.getByRole('main').getByRole('link', { name: /By keys alone/ })
  await link.focus()
  await theirs.keyboard.press('Enter')
  await expect(theirs.getByText('Any key.')).toBeVisible()
  // Keys that change a message do nothing here.
  await lastMessage(theirs).focus()
  await theirs.keyboard.press('e')
  await expect(theirs.getByRole('textbox', { name: /Edit/ })).toHaveCount(0)
  await bar(theirs).getByRole('button', { name: 'Continue in my own copy' }).focus()
  await theirs.keyboard.press('Enter')
  await expect(composer(theirs)).toBeVisible()
})

const widthOf = (picture: Locator) => picture.evaluate(({ naturalWidth }: { naturalWidth: number }) => naturalWidth)

test('a picture is cut on the page, and stands beside the name wherever others see it', async ({ visit }) => {
  const page = await visit(testApp, testApp.admin)
  await page.goto('/settings/profile')
  const row = page.locator('#picture')
  await row.locator('input[type=file]').setInputFiles({
    name: 'me.svg',
    mimeType: 'image/svg+xml',
    buffer: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'),
  })
  await expect(page.getByText('Choose a PNG, JPEG or WebP picture.')).toBeVisible()
  await row.locator('input[type=file]').setInputFiles({ name: 'me.png', mimeType: 'image/png', buffer: smallPicture })
  await expect(row.getByRole('button', { name: 'Remove picture' })).toBeVisible()
  const own = page.getByRole('button', { name: /^Account/ }).locator('img')
  await expect.poll(() => widthOf(own)).toBe(256)

  const id = await makeChat(testApp.admin, { title: 'With a face', model: 'echo', messages: ['Hi'] })
  await grant('chat', id)
  const theirs = await visit(testApp, ben)
  await theirs.goto('/shared')
  const seen = theirs.getByRole('listitem').filter({ hasText: 'With a face' }).locator('img').first()
  await expect.poll(() => widthOf(seen)).toBe(256)
  await row.getByRole('button', { name: 'Remove picture' }).click()
  await expect(own).toHaveCount(0)
})

test('ownership is offered, accepted on a phone, and the former owner goes on as a reader', async ({ visit }) => {
  const id = await makeChat(testApp.admin, { title: 'Allotment plan', model: 'echo', messages: ['Beans?', 'Beans.'] })
  const mine = await visit(testApp, testApp.admin)
  await mine.goto(`/chats/${id}`)
  await mine.getByRole('button', { name: 'Chat menu' }).click()
  await mine.getByRole('menuitem', { name: 'Share…' }).click()
  await mine.getByRole('button', { name: 'Transfer ownership…' }).click()
  const offer = mine.getByRole('dialog', { name: 'Transfer “Allotment plan”' })
  await offer.getByRole('combobox', { name: 'New owner' }).fill('ben')
  await offer.getByRole('option', { name: 'ben' }).click()
  await look(mine, 'transfer-offer')
  await offer.getByRole('button', { name: 'Offer' }).click()
  await expect(offer).toHaveCount(0)

  const theirs = await visit(testApp, ben, phone)
  await theirs.goto('/shared/transfers')
  const offers = theirs.getByRole('list', { name: 'Offered to you' })
  await expect(offers).toContainText('Allotment plan')
  await look(theirs, 'transfers-phone')
  await offers.getByRole('button', { name: 'Accept' }).click()
  await expect(offers).toHaveCount(0)

  await mine.goto(`/chats/${id}`)
  await expect(bar(mine)).toBeVisible()
  await expect(mine.getByText('Beans.', { exact: true })).toBeVisible()
})
