/** A chat that is shared by a link: read by a browser that has never been here, followed, and gone when it is taken back. */
import { accessRoutes } from '@atrium/contract/access'
import { chatRoutes } from '@atrium/contract/chat'
import { settingsRoutes } from '@atrium/contract/settings'
import { look } from '../harness/look.ts'
import { makeChat, openTestApp } from '../harness/test-app.ts'
import { answered, ask } from '../harness/talk.ts'
import { expect, phone, smallPicture, test } from '../harness/test.ts'

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
  await window.getByRole('button', { name: /^Change link created/ }).click()
  const change = window.getByRole('form', { name: 'Change link' })
  await change.getByRole('combobox', { name: 'Password' }).selectOption({ label: 'New password' })
  await change.getByRole('textbox', { name: 'New password' }).fill('battery staple')
  await look(mine, 'chat-link-made')
  await change.getByRole('button', { name: 'Save' }).click()
  await expect(change).toHaveCount(0)

  const theirs = await visit(testApp, null, phone)
  const asked: string[] = []
  theirs.on('request', (request) => asked.push(request.url()))
  await theirs.goto(url)
  await expect(theirs.getByRole('heading', { name: 'Enter the password' })).toBeVisible()
  await theirs.getByLabel('Password', { exact: true }).fill('wrong horse')
  await theirs.getByRole('button', { name: 'Open chat' }).click()
  await expect(theirs.getByText('Incorrect password.')).toBeVisible()
  await look(theirs, 'linked-chat-password')
  await theirs.getByLabel('Password', { exact: true }).fill('battery staple')
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

test('what one shares is listed with its end, and each share is taken back with one click', async ({ visit }) => {
  const { api } = testApp.admin
  await api.call(settingsRoutes.updateInstance, { body: { chatLinks: true } })
  const ben = await testApp.account('ben')
  const id = await makeChat(testApp.admin, { title: 'Plans for May', model: 'echo', messages: ['What?', 'Much.'] })
  await api.call(accessRoutes.grant, {
    body: { resourceType: 'chat', resourceId: id, principalType: 'account', principalId: ben.user.id },
  })
  await api.call(chatRoutes.addLink, { params: { sessionId: id }, body: { withFiles: true } })

  const page = await visit(testApp, testApp.admin)
  await page.goto(`/chats/${id}`)
  await page.getByRole('button', { name: 'shared', exact: true }).click()
  await page.getByRole('button', { name: 'Why ben has access' }).click()
  await expect(page.getByText('Shared with this person · Can view')).toBeVisible()
  await look(page, 'share-why')
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click()

  await page.goto('/shared')
  await page.getByRole('main').getByRole('link', { name: 'Shared by me' }).click()
  await expect(page.getByRole('heading', { name: 'Shared by me' })).toBeVisible()
  const [people, byLinks] = [
    page.getByRole('list', { name: 'With people and groups' }),
    page.getByRole('list', { name: 'By link' }),
  ]
  await expect(people).toContainText('Chat · with ben · can view')
  await expect(byLinks).toContainText('Text, attachments and sources · until')
  await look(page, 'shared-by-me')
  await byLinks.getByRole('button', { name: 'Revoke link to “Plans for May”' }).click()
  await expect(byLinks).toHaveCount(0)
  await people.getByRole('button', { name: 'Stop sharing “Plans for May” with ben' }).click()
  await expect(page.getByText('Nothing shared with people or groups')).toBeVisible()
  expect((await api.call(chatRoutes.read, { params: { sessionId: id }, query: {} })).shared).toBe(false)
})

test('a link with files shows pictures, and saves what is attached', async ({ visit }) => {
  const { api } = testApp.admin
  await api.call(settingsRoutes.updateInstance, { body: { chatLinks: true } })
  const id = await makeChat(testApp.admin, { title: 'A map', model: 'echo', messages: ['Which way?', '**Left**.'] })
  const picture = await api.call(chatRoutes.attach, {
    query: { name: 'map.png' },
    file: new Blob([smallPicture], { type: 'image/png' }),
  })
  const note = await api.call(chatRoutes.attach, {
    query: { name: 'note.md' },
    file: new Blob(['# Note'], { type: 'text/markdown' }),
  })
  await api.call(chatRoutes.addMessage, {
    params: { sessionId: id },
    body: { role: 'user', content: 'And here?', attachmentIds: [picture.id, note.id] },
  })
  const form = new FormData()
  form.append('sessionId', id)
  form.append('document', new Blob(['Turn left at the mill.'], { type: 'text/plain' }), 'route.txt')
  const sent = await api.raw('/api/documents/upload', { method: 'POST', body: form })
  const documentIds = [((await sent.json()) as { id: string }).id]
  await api.call(chatRoutes.generate, { params: { sessionId: id }, body: { message: 'By which road?', documentIds } })
  const { url } = await api.call(chatRoutes.addLink, { params: { sessionId: id }, body: { withFiles: true } })
  const page = await visit(testApp, null, { viewport: { width: 1280, height: 800 } })
  await page.goto(url)
  await expect(page.getByRole('img', { name: 'map.png' })).toBeVisible()
  const saved = page.waitForEvent('download')
  await page.getByRole('button', { name: /^note\.md/ }).click()
  expect((await saved).suggestedFilename()).toBe('note.md')
  const document = page.waitForEvent('download')
  await page.getByRole('button', { name: /^route\.txt/ }).click()
  expect((await document).suggestedFilename()).toBe('route.txt')
  await look(page, 'linked-chat-files')
})
