/** A chat that is shared by a link: read by a browser that has never been here, followed, and gone when it is taken back. */
import { settingsRoutes } from '@atrium/contract/settings'
import { look } from '../harness/look.ts'
import { makeChat, openTestApp } from '../harness/test-app.ts'
import { answered, ask } from '../harness/talk.ts'
import { expect, phone, test } from '../harness/test.ts'

const testApp = openTestApp({ models: ['echo'] })

test('a chat is read by its link without an account, and is gone when the link is taken back', async ({ visit }) => {
  const id = await makeChat(testApp.admin, { title: 'Trip to Ghent', model: 'echo', messages: ['Where to?', 'Ghent.'] })
  const mine = await visit(testApp, testApp.admin)
  await mine.goto(`/chats/${id}`)
  const share = () => mine.getByRole('button', { name: 'Share this chat' })
  await share().click()
  const window = mine.getByRole('dialog', { name: /^Share “/ })
  await expect(window).toContainText('Only you have access')
  await expect(window.getByRole('region', { name: 'Links' })).toHaveCount(0)
  await window.getByRole('button', { name: 'Close' }).click()

  await mine.goto('/settings/instance')
  await mine.getByRole('switch', { name: 'Public chat links' }).click()
  await expect.poll(async () => (await testApp.admin.api.call(settingsRoutes.instance, {})).chatLinks.value).toBe(true)
  await mine.goto(`/chats/${id}`)
  await share().click()
  await window.getByRole('button', { name: 'Create link' }).click()
  await window.getByLabel('Password', { exact: true }).fill('correct horse')
  await look(mine, 'chat-link-form')
  await window.getByRole('button', { name: 'Create link' }).click()
  const url = (await window.getByText(/#atc_/).textContent()) ?? ''
  await look(mine, 'chat-link-made')

  const theirs = await visit(testApp, null, phone)
  const asked: string[] = []
  theirs.on('request', (request) => asked.push(request.url()))
  await theirs.goto(url)
  await expect(theirs.getByRole('heading', { name: 'Enter the password' })).toBeVisible()
  await theirs.getByLabel('Password', { exact: true }).fill('wrong horse')
  await theirs.getByRole('button', { name: 'Open chat' }).click()
  await expect(theirs.getByText('Incorrect password.')).toBeVisible()
  await look(theirs, 'linked-chat-password')
  await theirs.getByLabel('Password', { exact: true }).fill('correct horse')
  await theirs.getByRole('button', { name: 'Open chat' }).click()
  await expect(theirs.getByRole('heading', { name: 'Trip to Ghent' })).toBeVisible()
  await expect(theirs.getByRole('article').first()).toContainText('Where to?')
  await look(theirs, 'linked-chat-phone')

  await window.getByRole('button', { name: 'Close' }).click()
  await ask(mine, 'Anything else?')
  await answered(mine)
  await expect(theirs.getByRole('article').last()).toContainText('You said: Anything else?')
  expect(asked.filter((address) => address.includes('atc_') && !address.includes('#'))).toEqual([])

  await mine.getByRole('button', { name: 'shared', exact: true }).click()
  await window.getByRole('button', { name: /^Revoke link/ }).click()
  await expect(theirs.getByRole('heading', { name: 'This link doesn’t work' })).toBeVisible()
  await expect(theirs.getByText('Ghent')).toHaveCount(0)
  await look(theirs, 'linked-chat-gone')
  await theirs.reload()
  await expect(theirs.getByRole('heading', { name: 'This link doesn’t work' })).toBeVisible()
})
