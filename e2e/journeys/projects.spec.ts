/** Projects: instructions, files, a model and chats on a page of their own. */
import { chatRoutes } from '@atrium/contract/chat'
import { pdf } from '../harness/documents.ts'
import { look } from '../harness/look.ts'
import { local, makeChat, openTestApp } from '../harness/test-app.ts'
import { answered, ask, lastMessage, sidebar } from '../harness/talk.ts'
import { expect, onlyInAll, phone, test } from '../harness/test.ts'

const testApp = openTestApp({ models: ['echo', 'markdown'] })
const handbook = pdf('kites.pdf', ['A tail keeps a kite steady.', 'The altitude record of a kite is 4879 metres.'])

test('a project with instructions and files answers from them, from the first visit on', async ({ visit }) => {
  testApp.provider.control({ answers: [{ match: 'altitude record', answer: 'It stands at **4879 metres** [1].' }] })
  const page = await visit(testApp, testApp.admin)
  await page.goto('/')
  await sidebar(page).getByRole('button', { name: 'New project' }).click()
  await page.getByRole('textbox', { name: 'Name of the project' }).fill('Kites')
  await page.getByRole('button', { name: 'Make project' }).click()
  await expect(page).toHaveURL(/\/projects\//)
  const main = page.getByRole('main')
  await expect(main.getByRole('heading', { level: 1, name: 'Kites' })).toBeVisible()
  await look(page, 'project-empty')

  await main.getByRole('button', { name: 'Add instructions' }).click()
  await page.getByRole('textbox', { name: 'Project instructions' }).fill('Answer like a pilot.')
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
  await expect(main.getByText('Answer like a pilot.')).toBeVisible()
  await main.locator('input[type=file]').setInputFiles(handbook)
  const file = main.getByRole('list', { name: 'Files' }).getByRole('listitem').filter({ hasText: 'kites.pdf' })
  await expect(file).toContainText(/\d (k|kilo)?B/i)

  await main.getByRole('link', { name: 'New chat' }).click()
  await expect(page.getByText('In the project Kites')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Model: echo' })).toBeVisible()
  await ask(page, 'What is the altitude record of a kite?')
  await answered(page)
  await expect(lastMessage(page).getByRole('link', { name: /^Source 1: kites\.pdf, Page 2/ })).toBeVisible()
  const sent = testApp.provider.requests.map(({ body }) => JSON.stringify(body)).join('\n')
  expect(sent).toContain('Instructions of the project \\"Kites\\":\\nAnswer like a pilot.')

  await page.getByRole('banner').or(main).getByRole('link', { name: 'Kites' }).first().click()
  await expect(main.getByRole('list', { name: 'Chats' })).toContainText('altitude record')
  await look(page, 'project')
})

test('chats are dragged onto projects, which lie in each other and hand their model down', async ({ visit }) => {
  const { api } = testApp.admin
  const { id: outer } = await api.call(chatRoutes.createFolder, { body: { name: 'Sky' } })
  const { id: inner } = await api.call(chatRoutes.createFolder, { body: { name: 'Balloons', parentId: outer } })
  await api.call(chatRoutes.updateFolder, {
    params: { folderId: outer },
    body: { settings: { selection: local('markdown') } },
  })
  await makeChat(testApp.admin, { title: 'Hot air', messages: ['How hot?'] })
  const page = await visit(testApp, testApp.admin)
  await page.goto('/')
  const target = sidebar(page).getByRole('link', { name: /^Balloons/ })
  // Nothing may move between the two once the pointer is down.
  await expect(target).toBeVisible()
  await expect(sidebar(page).getByRole('link', { name: 'Hot air' })).toBeVisible()
  await sidebar(page).getByRole('link', { name: 'Hot air' }).dragTo(target)
  await expect(target).toHaveText(/^Balloons1/)
  await expect(sidebar(page).getByRole('link', { name: 'Hot air' }).getByLabel('in the project Balloons')).toBeVisible()
  await sidebar(page).getByRole('button', { name: 'Show the chats of Balloons' }).click()
  await expect(sidebar(page).getByRole('list', { name: 'Chats' })).toContainText(/Balloons.*Hot air/)
  await expect(sidebar(page).getByRole('link', { name: 'Hot air' })).toHaveCount(1)
  await look(page, 'projects-list')
  await target.click()
  const main = page.getByRole('main')
  await expect(main.getByRole('link', { name: /^Hot air/ })).toBeVisible()
  await expect(main.getByRole('link', { name: 'Sky' })).toBeVisible()
  await expect(page).toHaveURL(`/projects/${inner}`)
  await page.keyboard.press('ControlOrMeta+Shift+o')
  await expect(page.getByText('In the project Balloons')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Model: markdown' })).toBeVisible()

  // A project is dragged into another, and not into one that lies in it; its menu takes it out.
  const parentOf = async (id: string) =>
    (await api.call(chatRoutes.folders, {})).items.find((folder) => folder.id === id)?.parentId
  const { id: ground } = await api.call(chatRoutes.createFolder, { body: { name: 'Ground' } })
  const list = sidebar(page)
  await expect(list.getByRole('link', { name: /^Ground/ })).toBeVisible()
  await list.getByRole('link', { name: /^Sky/ }).dragTo(list.getByRole('link', { name: /^Ground/ }))
  await expect.poll(() => parentOf(outer)).toBe(ground)
  await list.getByRole('link', { name: /^Ground/ }).dragTo(target)
  await list.getByRole('button', { name: 'Menu of the project Balloons' }).click()
  await page.getByRole('menuitem', { name: 'Move to project' }).press('ArrowRight')
  await page.getByRole('menuitemradio', { name: 'No project' }).click()
  await expect.poll(() => parentOf(inner)).toBe(null)
  expect(await parentOf(ground)).toBe(null)

  // By the palette a chat is moved, and a project made.
  await list.getByRole('link', { name: 'Hot air' }).first().click()
  await expect(lastMessage(page)).toContainText('How hot?')
  await page.keyboard.press('ControlOrMeta+k')
  await page.getByRole('combobox').fill('move this chat')
  await page.keyboard.press('Enter')
  const moving = page.getByRole('dialog', { name: 'Move to project' })
  await moving.getByLabel('Project').selectOption({ label: 'Ground' })
  await look(page, 'projects-move')
  await moving.getByRole('button', { name: 'Move', exact: true }).click()
  await expect(page.getByRole('main').getByRole('link', { name: 'Ground' })).toBeVisible()
  await page.keyboard.press('ControlOrMeta+k')
  await page.getByRole('combobox').fill('new project')
  await page.keyboard.press('Enter')
  await page.getByRole('dialog', { name: 'New project' }).getByRole('textbox').fill('Water')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1, name: 'Water' })).toBeVisible()
  const choosing = page.waitForEvent('filechooser')
  await page.keyboard.press('ControlOrMeta+k')
  await page.getByRole('combobox').fill('upload documents')
  await page.getByRole('option', { name: 'Upload documents', exact: true }).click()
  await (await choosing).setFiles({ name: 'tides.txt', mimeType: 'text/plain', buffer: Buffer.from('High at noon.') })
  await expect(page).toHaveURL('/documents')
  await expect(page.getByRole('main').getByText('tides.txt').first()).toBeVisible()
})

test('a project fits a phone', onlyInAll, async ({ visit }) => {
  const { api } = testApp.admin
  const { id } = await api.call(chatRoutes.createFolder, { body: { name: 'A pocket project with a rather long name' } })
  const sessionId = await makeChat(testApp.admin, { title: 'A chat in the pocket', messages: ['Hello'] })
  await api.call(chatRoutes.update, { params: { sessionId }, body: { folderId: id } })
  const page = await visit(testApp, testApp.admin, phone)
  await page.goto(`/projects/${id}`)
  await expect(page.getByRole('link', { name: /A chat in the pocket/ })).toBeVisible()
  expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
  await look(page, 'project-phone')
})
