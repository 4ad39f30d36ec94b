/** Two people in one channel: what one does, the other sees. */
import { channelsRoutes } from '@atrium/contract/channels'
import { settingsRoutes } from '@atrium/contract/settings'
import type { Page } from '@playwright/test'
import { look } from '../harness/look.ts'
import { notice, watchFor } from '../harness/notices.ts'
import { type Account, openTestApp } from '../harness/test-app.ts'
import { expect, onlyInAll, phone, smallPicture, test } from '../harness/test.ts'

const testApp = openTestApp({ models: ['echo', 'echo-drip-20', 'long-4000'] })

let ben: Account
test.beforeAll(async () => {
  ben = await testApp.account('ben')
})

const box = (page: Page) => page.locator('#composer')
const list = (page: Page) => page.getByRole('navigation', { name: 'Channels', exact: true })
const pane = (page: Page) => page.getByRole('complementary', { name: 'Side pane' })
const log = (page: Page) => page.getByRole('log', { name: /^Messages in/ })
const message = (page: Page, text: string) => log(page).getByRole('article').filter({ hasText: text })

async function say(page: Page, text: string): Promise<void> {
  await box(page).fill(text)
  await box(page).press('Enter')
}

/** A channel of both. */
const makeChannel = (name: string, type: 'public' | 'private' = 'private') =>
  testApp.admin.api.call(channelsRoutes.create, { body: { type, name, memberIds: [ben.user.id] } })
const post = (who: Account, channelId: string, content: string) =>
  who.api.call(channelsRoutes.post, { params: { channelId }, body: { content } })

test('a channel is made, and two people talk in it, react, answer in a thread, pin, edit and delete', async ({
  visit,
}) => {
  const [mine, theirs] = [await visit(testApp, testApp.admin), await visit(testApp, ben)]
  await mine.goto('/channels')
  await expect(mine.getByRole('heading', { name: 'Pick up a conversation' })).toBeVisible()
  await look(mine, 'channels-empty')
  await mine.getByRole('main').getByRole('button', { name: 'New channel' }).click()
  const create = mine.getByRole('dialog', { name: 'New channel' })
  await create.getByLabel('Name').fill('Harvest')
  await create.getByText('Only people you add').click()
  await create.getByRole('combobox', { name: 'People' }).fill('ben')
  await create.getByRole('option', { name: 'ben' }).click()
  await look(mine, 'channels-create')
  await create.getByRole('button', { name: 'Create channel' }).click()
  await expect(mine.getByRole('heading', { name: 'Harvest', level: 1 })).toBeVisible()

  // It is in the other’s list without loading the page again.
  await theirs.goto('/channels')
  const harvest = list(theirs).getByRole('link', { name: /Harvest/ })
  await harvest.click()
  await expect(theirs.getByText('Nothing written yet')).toBeVisible()
  await say(mine, 'Apples are **ripe**\nand so are pears')
  await expect(message(theirs, 'Apples are ripe')).toBeVisible()
  await say(theirs, 'I will bring the ladder')
  await expect(message(mine, 'I will bring the ladder')).toBeVisible()

  // A name from the list, and a reaction that both see.
  const typing = theirs.getByText('ann is typing…')
  const typed = await watchFor(theirs, 'ann is typing…')
  await box(mine).pressSequentially('Thanks @be')
  await expect(mine.getByRole('option', { name: /ben/ })).toBeVisible()
  await typed()
  await box(mine).press('Enter')
  await expect(box(mine)).toHaveValue('Thanks @ben ')
  await box(mine).press('Enter')
  await expect(message(theirs, 'Thanks @ben')).toBeVisible()
  await expect(typing).toHaveCount(0)
  const ladder = message(mine, 'I will bring the ladder')
  await ladder.hover()
  await ladder.getByRole('button', { name: 'Add a reaction' }).click()
  await mine.getByRole('searchbox', { name: 'Search emoji' }).fill('thumbs up')
  await mine.getByRole('searchbox', { name: 'Search emoji' }).press('Enter')
  await message(theirs, 'I will bring the ladder').getByRole('button', { name: '👍 1: ann' }).click()
  await expect(ladder.getByRole('button', { name: /👍 2: you/ })).toHaveAttribute('aria-pressed', 'true')

  // A thread beside the channel.
  await ladder.hover()
  await ladder.getByRole('button', { name: 'Reply in thread' }).click()
  await mine.locator('#thread-composer').fill('Not the long one')
  await mine.locator('#thread-composer').press('Enter')
  await message(theirs, 'I will bring the ladder')
    .getByRole('button', { name: /1 reply/ })
    .click()
  await expect(theirs.getByRole('log', { name: 'Replies' })).toContainText('Not the long one')
  await theirs.locator('#thread-composer').fill('The short one')
  await theirs.getByLabel('Also send to the channel').check()
  await theirs.locator('#thread-composer').press('Enter')
  await expect(mine.getByRole('log', { name: 'Replies' })).toContainText('The short one')
  await expect(message(mine, 'The short one')).toContainText('Replied in a thread')
  await expect(ladder.getByRole('button', { name: /2 replies/ })).toBeVisible()
  await look(mine, 'channels-thread')
  await pane(mine).getByRole('button', { name: 'Close' }).click()

  // Up edits the last own message; both see that it was.
  await box(mine).press('ArrowUp')
  await mine.getByRole('textbox', { name: 'Edit message' }).fill('Thanks a lot @ben')
  await mine.getByRole('textbox', { name: 'Edit message' }).press('Enter')
  await expect(message(theirs, 'Thanks a lot')).toContainText('(edited)')
  await message(mine, 'Apples are').focus()
  await mine.keyboard.press('p')
  await pane(theirs).getByRole('button', { name: 'Close' }).click()
  await theirs.getByRole('button', { name: 'Pinned messages' }).click()
  await expect(theirs.getByRole('list', { name: 'Pinned messages' })).toContainText('Apples are ripe')
  await look(theirs, 'channels-pins')

  // Deleted, taken back, and deleted for good once the page is left.
  await message(mine, 'Thanks a lot').hover()
  await message(mine, 'Thanks a lot').getByRole('button', { name: 'More actions' }).click()
  await mine.getByRole('menuitem', { name: 'Delete' }).click()
  await expect(log(mine)).toContainText('This message was deleted.')
  await notice(mine, 'Message deleted.').getByRole('button', { name: 'Undo' }).click()
  await expect(message(mine, 'Thanks a lot')).toBeVisible()

  await mine.getByRole('button', { name: '2 members' }).click()
  await expect(mine.getByRole('list', { name: 'Members' })).toContainText('ben')
  // Who is there, and how they want to be seen, by keys alone.
  const member = mine.getByRole('list', { name: 'Members' }).getByRole('listitem').filter({ hasText: 'ben' })
  await expect(member).toContainText('Active')
  await theirs.getByRole('button', { name: 'Account: ben' }).press('ArrowDown')
  await theirs.getByRole('menuitem', { name: 'Set a status…' }).press('Enter')
  await theirs.getByLabel('What are you up to?').fill('Picking apples')
  await theirs.keyboard.press('Enter')
  await expect(member).toContainText('Picking apples')
  await theirs.getByRole('button', { name: 'Account: ben' }).press('ArrowDown')
  await theirs.getByRole('menuitem', { name: 'Do not disturb' }).press('ArrowRight')
  await theirs.getByRole('menuitem', { name: 'For an hour' }).press('Enter')
  await expect(member).toContainText('Do not disturb')
  await look(mine, 'channels-members')

  // The address of a reply opens its thread beside the channel.
  const channelId = new URL(mine.url()).pathname.split('/').at(-1) ?? ''
  const { items } = await ben.api.call(channelsRoutes.messages, { params: { channelId } })
  const root = items.find(({ content }) => content === 'I will bring the ladder')
  const thread = await ben.api.call(channelsRoutes.thread, { params: { messageId: root?.id ?? '' } })
  await theirs.goto(`/channels/${channelId}?message=${thread.items[0]?.id ?? ''}`)
  await expect(theirs.getByRole('log', { name: 'Replies' })).toContainText('Not the long one')
})

test('a model that is asked answers in the thread, seen by everybody as it writes, and stopped by whoever asked', async ({
  visit,
}) => {
  const channel = await makeChannel('Kitchen')
  await post(ben, channel.id, 'The ladder is in the shed.')
  const [mine, theirs] = [await visit(testApp, testApp.admin), await visit(testApp, ben)]
  const replies = (page: Page) => page.getByRole('log', { name: 'Replies' })
  for (const page of [mine, theirs]) await page.goto(`/channels/${channel.id}`)
  await box(mine).pressSequentially('@echo-d')
  await mine.getByRole('option', { name: /echo-drip-20/ }).click()
  await expect(mine.getByRole('list', { name: 'Models that answer' })).toContainText('echo-drip-20')
  await expect(mine.getByText(/none of your documents, memory or tools/)).toBeVisible()
  await look(mine, 'channels-ask-model')
  await say(mine, 'Where is the ladder?')

  const asked = message(theirs, 'Where is the ladder?')
  await asked.getByRole('button', { name: /1 reply/ }).click()
  for (const page of [mine, theirs]) {
    await expect(replies(page)).toContainText('asked by ann')
    await expect(replies(page)).toContainText('The ladder is in the shed.')
    await expect(replies(page)).toContainText('I received 1 messages.')
  }
  await expect(mine.getByRole('list', { name: 'Models that answer' })).toHaveCount(0)

  testApp.provider.control({ holdAfter: 40 })
  await mine.locator('#thread-composer').pressSequentially('@long')
  await mine.getByRole('option', { name: /long-4000/ }).click()
  await mine.locator('#thread-composer').fill('Tell us more')
  await mine.locator('#thread-composer').press('Enter')
  await expect(replies(theirs)).toContainText('word20')
  await expect(replies(theirs).getByRole('button', { name: 'Stop' })).toHaveCount(0)
  await look(mine, 'channels-answer')
  await replies(mine).getByRole('button', { name: 'Stop' }).click()
  for (const page of [mine, theirs]) await expect(replies(page)).toContainText('Stopped.')
  await expect(replies(theirs).getByRole('button', { name: 'Ask again' })).toHaveCount(0)
  await expect(replies(mine).getByRole('button', { name: 'Ask again' })).toBeVisible()
  testApp.provider.control({ holdAfter: null })
})

test('a count waits where one was not, goes once the message was on screen, and a line says what is new', async ({
  visit,
}) => {
  const { id } = await makeChannel('News')
  const other = await makeChannel('Other')
  for (let index = 1; index <= 60; index++) await post(testApp.admin, id, `Line ${index}`)
  const theirs = await visit(testApp, ben)
  await theirs.goto(`/channels/${other.id}`)
  const row = list(theirs).getByRole('link', { name: /News/ })
  await expect(row).toContainText('60 unread')
  await post(testApp.admin, id, 'One more, @ben')
  await expect(row).toContainText('61 unread, 1 mention')
  await expect(theirs.getByRole('navigation', { name: 'Main navigation' })).toContainText('61 unread messages')
  await row.click()
  await expect(theirs.getByRole('separator').filter({ hasText: 'New since' })).toBeInViewport()
  await expect(message(theirs, 'Line 1').first()).toBeInViewport()
  // As many as the inbox holds: that ben was let into channels is news, too.
  await expect(theirs).toHaveTitle(/^\(\d+\) News/)
  // Only what was on screen is read.
  await expect
    .poll(async () => (await ben.api.call(channelsRoutes.read, { params: { channelId: id } })).unreadCount)
    .toBeLessThan(61)
  expect((await ben.api.call(channelsRoutes.read, { params: { channelId: id } })).unreadCount).toBeGreaterThan(5)
  await theirs.getByRole('button', { name: /new message|latest message/ }).click()
  await expect(message(theirs, 'One more')).toBeInViewport()
  await expect
    .poll(async () => (await ben.api.call(channelsRoutes.read, { params: { channelId: id } })).unreadCount)
    .toBe(0)
  await look(theirs, 'channels-channel')
})

test('threads that one follows wait in a list, and are read by opening them, on every device', async ({ visit }) => {
  const { id } = await makeChannel('Harbour')
  const root = await post(testApp.admin, id, 'Which pier?')
  await ben.api.call(channelsRoutes.post, {
    params: { channelId: id },
    body: { content: 'Pier two', parentId: root.id },
  })
  const [mine, other] = [await visit(testApp, testApp.admin), await visit(testApp, testApp.admin)]
  await mine.goto('/channels')
  const link = list(mine).getByRole('link', { name: /^Threads.*with unread replies/ })
  await link.click()
  await other.goto('/channels/threads')
  const item = (page: Page) => page.getByRole('main').getByRole('listitem').filter({ hasText: 'Which pier?' })
  for (const page of [mine, other]) await expect(item(page)).toContainText('1 unread reply')
  await look(mine, 'channels-threads')
  await item(mine).getByRole('link').click()
  const replies = mine.getByRole('log', { name: 'Replies' })
  await expect(replies).toContainText('Pier two')
  await expect(replies.getByRole('separator')).toContainText('New since')
  await expect(item(other)).not.toContainText('unread')
  await replies.getByRole('article').filter({ hasText: 'Pier two' }).focus()
  await mine.keyboard.press('u')
  await expect(item(other)).toContainText('1 unread reply')
  await item(other).getByRole('button', { name: 'Mark thread as read' }).click()
  await expect(item(other)).not.toContainText('unread')
})

test('what one missed is summed up by one’s own model, and each sentence leads to its message', async ({ visit }) => {
  const { id } = await makeChannel('Orchard')
  for (let index = 1; index <= 8; index++) await post(testApp.admin, id, `Basket ${index} is full, @ben`)
  const sentences = [{ text: 'The third basket is full.', message: 3 }]
  testApp.provider.control({ answers: [{ match: 'Basket 3', answer: JSON.stringify({ sentences }) }] })
  const theirs = await visit(testApp, ben)
  await theirs.goto(`/channels/${id}`)
  await theirs.getByRole('button', { name: 'What did I miss?' }).click()
  const pane = theirs.getByRole('region', { name: 'Summary' })
  await look(theirs, 'channels-missed')
  await pane.getByRole('link', { name: 'The third basket is full.' }).click()
  await expect(message(theirs, 'Basket 3')).toBeInViewport()
  await expect(pane).toBeVisible()
})

test('what is written without a network waits in sight, and goes out once when it is back', async ({ visit }) => {
  const { id } = await makeChannel('Train')
  await post(ben, id, 'Are you on board?')
  const mine = await visit(testApp, testApp.admin, {
    own: true,
    baseURL: testApp.url.replace('127.0.0.1', 'atrium.localhost'),
  })
  await mine.goto(`/channels/${id}`)
  await expect(message(mine, 'Are you on board?')).toBeVisible()
  // What comes after the first view is there, too.
  await mine.waitForLoadState('networkidle')
  await mine.context().setOffline(true)
  await say(mine, 'In the tunnel')
  await expect(message(mine, 'In the tunnel')).toContainText('Sends when you’re back online')
  await post(ben, id, 'Hello?')
  await mine.context().setOffline(false)
  await expect(message(mine, 'In the tunnel')).not.toContainText('Sends when')
  await expect(message(mine, 'Hello?')).toBeVisible()
  const { items } = await ben.api.call(channelsRoutes.messages, { params: { channelId: id } })
  expect(items.filter(({ content }) => content === 'In the tunnel')).toHaveLength(1)

  // A file, as it is pasted or chosen.
  await mine
    .locator('input[type="file"]')
    .first()
    .setInputFiles({ name: 'view.png', mimeType: 'image/png', buffer: smallPicture })
  await expect(mine.getByRole('list', { name: 'Files to send' })).toContainText(/view\.png.*bytes/)
  await box(mine).press('Enter')
  await expect(mine.getByRole('button', { name: 'Enlarge view.png' })).toBeVisible()
})

test('on a phone the list is a page, and a channel is read and written in', async ({ visit }) => {
  const { id } = await makeChannel('Pocket', 'public')
  await post(
    testApp.admin,
    id,
    'A picture that nobody fetches: ![x](https://example.org/x.png) <img src=x onerror=alert(1)>',
  )
  const page = await visit(testApp, ben, phone)
  await page.goto('/channels')
  await expect(page.getByRole('link', { name: /Pocket/ })).toBeVisible()
  await look(page, 'channels-phone-list')
  await page.getByRole('link', { name: /Pocket/ }).tap()
  await expect(message(page, 'A picture that nobody fetches')).toBeVisible()
  await box(page).tap()
  await box(page).fill('From my pocket')
  await page.getByRole('button', { name: 'Send', exact: true }).tap()
  await expect(message(page, 'From my pocket')).toBeVisible()
  await expect(message(page, 'From my pocket')).not.toContainText('Sending')
  await look(page, 'channels-phone')
  await page.getByRole('link', { name: 'Show my channels' }).tap()
  await expect(page.getByRole('link', { name: /Pocket/ })).toBeVisible()
  await page.getByRole('link', { name: /^Threads/ }).tap()
  await expect(page.getByRole('heading', { name: 'Threads' })).toBeVisible()
  await look(page, 'channels-phone-threads')
})

test('a channel that is not for one is not there', async ({ visit }) => {
  const { id } = await testApp.admin.api.call(channelsRoutes.create, { body: { type: 'private', name: 'Secret' } })
  const theirs = await visit(testApp, ben)
  await theirs.goto(`/channels/${id}`)
  await expect(theirs.getByRole('heading', { name: 'Channel not found' })).toBeVisible()
})

test('from right to left, everything stands the other way round and fits', onlyInAll, async ({ visit }) => {
  const carol = await testApp.account('carol')
  await carol.api.call(settingsRoutes.update, { body: { language: 'ar' } })
  const { id } = await testApp.admin.api.call(channelsRoutes.create, {
    body: { type: 'public', name: 'Souk', topic: 'Prices of the day', memberIds: [carol.user.id] },
  })
  const first = await post(testApp.admin, id, 'مرحبا @carol، how is business?')
  await post(carol, id, 'بخير')
  await carol.api.call(channelsRoutes.react, { params: { messageId: first.id }, body: { emoji: '👍' } })
  await carol.api.call(channelsRoutes.post, {
    params: { channelId: id },
    body: { content: 'In a thread', parentId: first.id },
  })
  for (const [name, options] of [
    ['channels-arabic', {}],
    ['channels-arabic-phone', phone],
  ] as const) {
    const page = await visit(testApp, carol, options)
    await page.goto(`/channels/${id}?thread=${first.id}`)
    await expect(page.getByText('In a thread')).toBeVisible()
    await look(page, name)
  }
})

test('a draft follows, a message is sent later and forwarded, and a muted channel is quiet', async ({ visit }) => {
  const { id } = await makeChannel('Orchard')
  const { id: otherId } = await makeChannel('Kitchen')
  await post(ben, id, 'The pears are ripe')
  const mine = await visit(testApp, testApp.admin)
  const phoneOfMine = await visit(testApp, testApp.admin, { own: true })
  await mine.goto(`/channels/${id}`)
  await phoneOfMine.goto(`/channels/${id}`)
  await expect(message(phoneOfMine, 'The pears are ripe')).toBeVisible()
  await box(mine).fill('Who picks')
  await expect(box(phoneOfMine)).toHaveValue('Who picks')
  await box(phoneOfMine).fill('Who picks them?')
  await expect(box(mine)).toHaveValue('Who picks them?')

  // At another time: it waits in a list of its own, and goes out from there.
  await mine.getByRole('button', { name: 'Send later' }).click()
  await mine.getByRole('menuitem', { name: /^In an hour/ }).click()
  await expect(box(mine)).toHaveValue('')
  await expect(box(phoneOfMine)).toHaveValue('')
  await mine.getByRole('button', { name: 'Scheduled messages and reminders' }).click()
  const later = mine.getByRole('dialog', { name: 'Scheduled and reminders' })
  await expect(later.getByText('Who picks them?')).toBeVisible()
  await look(mine, 'channels-later')
  await later.getByRole('button', { name: 'Edit' }).click()
  await mine.getByRole('menuitem', { name: 'Send now' }).click()
  await expect(later.getByText('Nothing is scheduled')).toBeVisible()
  await mine.keyboard.press('Escape')
  await expect(message(mine, 'Who picks them?')).toBeVisible()

  // Forwarded, with its way back for whoever is there.
  await message(mine, 'The pears are ripe').hover()
  await message(mine, 'The pears are ripe').getByRole('button', { name: 'More actions' }).click()
  await mine.getByRole('menuitem', { name: 'Forward…' }).click()
  const forward = mine.getByRole('dialog', { name: 'Forward message' })
  await forward.getByRole('combobox', { name: 'To' }).selectOption('Kitchen')
  await forward.getByLabel('Add a message (optional)').fill('For the cake')
  await look(mine, 'channels-forward')
  await forward.getByRole('button', { name: 'Forward' }).click()
  await expect(forward).toHaveCount(0)
  await mine.goto(`/channels/${otherId}`)
  await expect(message(mine, 'For the cake')).toContainText('The pears are ripe')
  await look(mine, 'channels-forwarded')
  await message(mine, 'For the cake').getByRole('link', { name: 'Show the message' }).click()
  await expect(mine.getByRole('heading', { name: 'Orchard', level: 1 })).toBeVisible()

  // Muted: it says how much there is, and calls nobody.
  await mine.getByRole('button', { name: 'Channel menu' }).click()
  await mine.getByRole('menuitem', { name: 'Notifications' }).press('ArrowRight')
  await mine.getByRole('menuitem', { name: 'For an hour' }).click()
  const orchard = list(mine).getByRole('link', { name: /Orchard/ })
  await expect(orchard.getByRole('img', { name: 'muted' })).toBeVisible()
  await mine.goto('/settings/notifications')
  await mine.getByRole('textbox', { name: 'Keywords' }).fill('harvest')
  await mine.getByRole('button', { name: 'Add', exact: true }).click()
  await expect(mine.getByRole('list', { name: 'Keywords' })).toContainText('harvest')
  await expect(mine.getByRole('button', { name: 'Unmute Orchard' })).toBeVisible()
  await look(mine, 'settings-notifications-channels')
})
