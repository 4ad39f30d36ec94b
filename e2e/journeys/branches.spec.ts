/** Several versions of one conversation: edited, answered again, forked, cut off. */
import { chatRoutes } from '@atrium/contract/chat'
import { local, makeChat, openTestApp } from '../harness/test-app.ts'
import { answered, ask, lastMessage, pickModel, saved, sidebar } from '../harness/talk.ts'
import { look } from '../harness/look.ts'
import { expect, phone, test } from '../harness/test.ts'

const testApp = openTestApp({ models: ['echo', 'markdown', 'long-5000-drip-50'] })

test('an edited question is asked beside the old one, and both stay in reach', async ({ visit }) => {
  const id = await makeChat(testApp.admin, { title: 'Edits', messages: ['How tall is a door?', 'Two metres.'] })
  const page = await visit(testApp, testApp.admin)
  await page.goto(`/chats/${id}`)
  const question = page.getByRole('article', { name: /^You/ })
  await question.hover()
  await question.getByRole('button', { name: 'Edit' }).click()
  const box = page.getByRole('textbox', { name: 'Your message' })
  await expect(box).toHaveValue('How tall is a door?')
  await box.fill('How tall is a tower?')
  await page.getByRole('button', { name: 'Save and resend' }).click()
  await expect(lastMessage(page)).toContainText('You said: How tall is a tower?')
  await expect(page.getByText('Two metres.')).toHaveCount(0)
  await answered(page)

  const versions = question.getByRole('group', { name: 'Versions' })
  await expect(versions).toContainText('2 / 2')
  await versions.getByRole('button', { name: 'Previous version' }).click()
  await expect(lastMessage(page)).toContainText('Two metres.')
  await page.reload()
  await expect(lastMessage(page)).toContainText('Two metres.')
  await versions.getByRole('button', { name: 'Next version' }).click()
  await expect(lastMessage(page)).toContainText('You said: How tall is a tower?')
})

test('saving an edit without asking changes only the text', async ({ visit }) => {
  const id = await makeChat(testApp.admin, { title: 'Saved', messages: ['Was it her?', 'It was hymn.'] })
  const page = await visit(testApp, testApp.admin)
  await page.goto(`/chats/${id}`)
  const answer = lastMessage(page)
  await answer.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Edit' }).click()
  await page.getByRole('textbox', { name: 'The answer' }).fill('It was him.')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(answer).toContainText('It was him.')
  await page.reload()
  await expect(answer).toContainText('It was him.')
  await expect(page.getByRole('group', { name: 'Versions' })).toHaveCount(0)
})

test('an edited question that could not be sent is still in its box, with the reason', async ({ visit }) => {
  const id = await makeChat(testApp.admin, { title: 'Denied', messages: ['How wide?', 'One metre.'] })
  const page = await visit(testApp, testApp.admin)
  await page.goto(`/chats/${id}`)
  const question = page.getByRole('article', { name: /^You/ })
  await question.hover()
  await question.getByRole('button', { name: 'Edit' }).click()
  const box = page.getByRole('textbox', { name: 'Your message' })
  await box.fill('How wide is it, in feet?')
  await page.route('**/generations', (route) => route.abort('connectionrefused'))
  await page.getByRole('button', { name: 'Save and resend' }).click()
  await expect(question.getByRole('alert')).toBeVisible()
  await expect(box).toHaveValue('How wide is it, in feet?')
  await page.unroute('**/generations')
  await page.getByRole('button', { name: 'Save and resend' }).click()
  await expect(lastMessage(page)).toContainText('You said: How wide is it, in feet?')
})

test('an answer can be given again, with a wish, and by another model', async ({ visit }) => {
  const id = await makeChat(testApp.admin, { title: 'Again', messages: ['What is new?', 'Nothing.'] })
  const page = await visit(testApp, testApp.admin)
  await page.goto(`/chats/${id}`)
  const answer = lastMessage(page)
  await answer.getByRole('button', { name: 'Regenerate' }).click()
  await page.getByRole('menuitem', { name: 'Try again', exact: true }).click()
  await expect(answer).toContainText('You said: What is new?')
  await expect(answer.getByRole('group', { name: 'Versions' })).toContainText('2 / 2')

  await answer.getByRole('button', { name: 'Regenerate' }).click()
  await page.getByRole('menuitem', { name: 'With instructions…' }).click()
  await page.getByRole('textbox', { name: 'What should be different?' }).fill('in one word')
  await page.getByRole('dialog').getByRole('button', { name: 'Try again' }).click()
  await expect(answer.getByRole('group', { name: 'Versions' })).toContainText('3 / 3')
  await answered(page)
  const wished = testApp.provider.requests.findLast(
    ({ path, body }) => path === '/api/chat' && JSON.stringify(body).includes('in one word'),
  )
  expect(wished).toBeDefined()

  await answer.getByRole('button', { name: 'Regenerate' }).click()
  await page.getByRole('menuitem', { name: 'With another model…' }).click()
  await page.getByRole('combobox', { name: 'Search by name, id or provider' }).fill('markdown')
  await page.keyboard.press('Enter')
  await expect(answer.getByRole('heading', { name: 'A tour of Markdown' })).toBeVisible()
  await expect(answer.getByRole('group', { name: 'Versions' })).toContainText('4 / 4')
  // The chat itself keeps its model.
  await expect(page.getByRole('button', { name: /^Model: echo/ })).toBeVisible()
  await answered(page)

  // All of them side by side, and one is chosen there.
  await answer.getByRole('button', { name: 'Compare versions' }).click()
  const versions = page.getByRole('dialog', { name: 'Compare versions' })
  await expect(versions.getByRole('listitem').filter({ has: page.getByRole('heading', { level: 3 }) })).toHaveCount(4)
  await expect(versions.getByRole('heading', { name: 'A tour of Markdown' })).toBeVisible()
  await look(page, 'chat-versions')
  await versions.getByRole('button', { name: 'Use this version: Version 1 of 4' }).click()
  await expect(versions).toBeHidden()
  await expect(answer).toContainText('Nothing.')
})

test('a chat can be forked from any message, and the copy says where it comes from', async ({ visit }) => {
  const messages = ['One?', 'Answer one.', 'Two?', 'Answer two.']
  const id = await makeChat(testApp.admin, { title: 'The trunk', messages })
  const page = await visit(testApp, testApp.admin)
  await page.goto(`/chats/${id}`)
  const first = page.getByRole('article').filter({ hasText: 'Answer one.' })
  await first.hover()
  await first.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Fork into a new chat' }).click()
  await expect(page).not.toHaveURL(`/chats/${id}`)
  await expect(page.getByRole('article')).toHaveCount(2)
  await expect(page.getByText('Answer two.')).toHaveCount(0)
  await ask(page, 'Another two?')
  await expect(lastMessage(page)).toContainText('You said: Another two?')
  await page.getByRole('link', { name: 'The trunk', exact: true }).last().click()
  await expect(page).toHaveURL(new RegExp(`/chats/${id}`))
  await expect(lastMessage(page)).toContainText('Answer two.')
})

test('messages can be deleted from one on, and brought back', async ({ visit }) => {
  const messages = ['One?', 'Answer one.', 'Two?', 'Answer two.']
  const id = await makeChat(testApp.admin, { title: 'Cut', messages })
  const page = await visit(testApp, testApp.admin)
  await page.goto(`/chats/${id}`)
  const second = page.getByRole('article').filter({ hasText: 'Two?' })
  await second.hover()
  await second.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Delete from here' }).click()
  await expect(page.getByRole('article')).toHaveCount(2)
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByRole('article')).toHaveCount(4)
  await expect(lastMessage(page)).toContainText('Answer two.')

  const first = page.getByRole('article').filter({ hasText: 'One?' })
  await first.hover()
  await first.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Delete question and answer' }).click()
  await expect(page.getByRole('article')).toHaveCount(2)
  await expect(lastMessage(page)).toContainText('Answer two.')
  await page.getByRole('button', { name: 'Undo' }).last().click()
  await expect(page.getByRole('article')).toHaveCount(4)
  await expect(first).toBeVisible()
})

test('branches stand in a tree, and pinned messages in a list, from which each is shown in its branch', async ({
  visit,
}) => {
  const messages = ['How tall is a door?', 'Two metres.', 'And how wide?', 'Ninety centimetres.']
  const id = await makeChat(testApp.admin, { title: 'Doors', messages })
  const page = await visit(testApp, testApp.admin)
  await page.goto(`/chats/${id}`)
  const chatMenu = async (item: string) => {
    await page.getByRole('button', { name: 'Chat menu' }).click()
    await page.getByRole('menuitem', { name: item }).click()
  }
  const pane = page.getByRole('complementary', { name: 'Side pane' })
  await chatMenu('Branches')
  await expect(pane.getByText('Only one branch')).toBeVisible()

  await lastMessage(page).focus()
  await page.keyboard.press('p')
  await expect(lastMessage(page).getByText('Pinned', { exact: true })).toBeVisible()
  const { api } = testApp.admin
  const read = () => api.call(chatRoutes.read, { params: { sessionId: id }, query: {} })
  const [, first, question] = (await read()).messages.items
  const addBranch = (messageId = '', content: string) =>
    api.call(chatRoutes.addBranch, { params: { sessionId: id, messageId }, body: { content } })
  await addBranch(question?.id, 'And how deep?')
  const other = await addBranch(first?.id, 'It depends.')

  // The page follows what was done elsewhere.
  const tree = pane.getByRole('tree', { name: 'Branches' })
  const rows = tree.getByRole('treeitem')
  await expect(rows).toHaveCount(5)
  await expect(lastMessage(page)).toContainText('It depends.')
  await expect(tree.locator('[aria-current]')).toHaveText([/How tall is a door\?/, /It depends\./])
  await expect(rows.nth(4)).toHaveAttribute('aria-level', '3')
  await look(page, 'chat-branches')
  await rows.nth(1).focus()
  await page.keyboard.press('ArrowRight')
  await expect(rows.nth(2)).toBeFocused()
  await page.keyboard.press('ArrowDown')
  await expect(rows.nth(3)).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(lastMessage(page)).toContainText('And how deep?')

  await pane.getByRole('searchbox', { name: 'Find in all branches' }).fill('depends')
  const found = pane.getByRole('list', { name: 'Find in all branches' })
  await expect(found.getByRole('listitem')).toContainText(['It depends.'])
  await found.getByRole('button').click()
  await expect(lastMessage(page)).toContainText('It depends.')

  // One hit after another: the question goes to the branch on screen, also where the marks of the hits are outdated.
  await pane.getByRole('searchbox', { name: 'Find in all branches' }).fill('de')
  await expect(found.getByRole('listitem')).toContainText(['And how wide?', 'And how deep?', 'It depends.'])
  await page.route('**/branch-map/find?*', (route) => route.abort('connectionrefused'))
  await found.getByRole('button', { name: /^And how deep/ }).click()
  await expect(lastMessage(page)).toContainText('And how deep?')
  await found.getByRole('button', { name: /^It depends/ }).click()
  await expect(lastMessage(page)).toContainText('It depends.')
  await page.unroute('**/branch-map/find?*')
  await ask(page, 'On what?')
  await expect(lastMessage(page)).toContainText('You said: On what?')
  await answered(page)
  const said = async () => (await read()).messages.items.map(({ content }) => content)
  expect((await said()).slice(0, 3)).toEqual(['How tall is a door?', 'It depends.', 'On what?'])
  await found.getByRole('button', { name: /^And how deep/ }).click()
  await expect(lastMessage(page)).toContainText('And how deep?')
  const deep = found.getByRole('listitem').filter({ hasText: 'And how deep?' })
  await expect(deep.getByText('In another branch')).toHaveCount(0)

  // A pinned message in a branch that was left is found, and brings its branch back.
  await page.getByRole('button', { name: '1 pinned message' }).click()
  const pins = pane.getByRole('list', { name: 'Pinned messages' })
  await expect(pins.getByRole('listitem')).toContainText(['In another branch'])
  await look(page, 'chat-pins')
  await pins.getByRole('button', { name: /^Ninety centimetres/ }).click()
  await expect(lastMessage(page)).toContainText('Ninety centimetres.')
  await expect(pins.getByText('In another branch')).toHaveCount(0)
  // So does a link to one, once: what is read later stays when the page is loaded again.
  await page.goto(`/chats/${id}?message=${other.id}`)
  await expect(lastMessage(page)).toContainText('You said: On what?')
  await expect.poll(said).toContain('It depends.')
  await chatMenu('Pinned messages')
  await pins.getByRole('button', { name: /^Ninety centimetres/ }).click()
  await expect(lastMessage(page)).toContainText('Ninety centimetres.')
  await page.reload()
  await expect(lastMessage(page)).toContainText('Ninety centimetres.')
  await expect(page).toHaveURL(`/chats/${id}`)
  expect(await said()).toContain('Ninety centimetres.')

  // While an answer is being written, its branch stays on screen.
  const { assistantMessage } = await api.call(chatRoutes.startGeneration, {
    params: { sessionId: id },
    body: { message: 'And how heavy?', modelOverride: local('long-5000-drip-50') },
  })
  // It is told for a moment only, perhaps before all of the page has come.
  await page.goto(`/chats/${id}?message=${other.id}`, { waitUntil: 'commit' })
  await expect(page.getByText('An answer is being written in this chat').first()).toBeVisible()
  await expect(page.getByText('And how heavy?')).toBeVisible()
  // What changes no words of it can be done.
  await lastMessage(page).focus()
  await page.keyboard.press('p')
  await expect.poll(async () => (await read()).pinnedCount).toBe(2)
  await page.getByRole('button', { name: 'Stop the answer' }).click()
  await answered(page)
  expect((await read()).activeLeafId).toBe(assistantMessage.id)

  // The keyboard keeps its place among the pinned messages.
  await chatMenu('Pinned messages')
  const unpin = pins.getByRole('button', { name: /^Unpin/ })
  await expect(unpin).toHaveCount(2)
  await unpin.first().press('Enter')
  await expect(unpin).toHaveCount(1)
  await expect(unpin).toBeFocused()
  await unpin.press('Enter')
  await expect(pane.getByText('No pinned messages')).toBeVisible()
  await expect(pane.locator(':focus')).toHaveCount(1)
  await expect(lastMessage(page).getByText('Pinned', { exact: true })).toHaveCount(0)
})

test('a branch is named from a message or in the tree, by keyboard too, and is found by its name', async ({
  visit,
}) => {
  const id = await makeChat(testApp.admin, {
    title: 'Towers',
    messages: ['How tall is it?', 'Nine metres.', 'And now?'],
  })
  const { api } = testApp.admin
  const read = () => api.call(chatRoutes.read, { params: { sessionId: id }, query: {} })
  const [, first] = (await read()).messages.items
  const body = { content: 'It depends on the tide.' }
  await api.call(chatRoutes.addBranch, { params: { sessionId: id, messageId: first?.id ?? '' }, body })
  const page = await visit(testApp, testApp.admin)
  await page.goto(`/chats/${id}`)
  const versions = lastMessage(page).getByRole('group', { name: 'Versions' })
  await expect(versions).toContainText('2 / 2')
  await lastMessage(page).getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Name branch…' }).click()
  const box = page.getByRole('dialog', { name: 'Name branch' }).getByRole('textbox', { name: 'Name' })
  await expect(box).toBeFocused()
  await page.keyboard.type('  With the tide ')
  await page.keyboard.press('Enter')
  await expect(versions.getByText('With the tide')).toBeVisible()
  await versions.getByRole('button', { name: 'Compare versions' }).click()
  await expect(page.getByRole('dialog').getByText('With the tide')).toBeVisible()
  await page.keyboard.press('Escape')

  await page.getByRole('button', { name: 'Chat menu' }).click()
  await page.getByRole('menuitem', { name: 'Branches' }).click()
  const pane = page.getByRole('complementary', { name: 'Side pane' })
  const rows = pane.getByRole('treeitem')
  await expect(rows).toContainText(['How tall is it?', 'With the tide', 'Nine metres.'])
  await rows.nth(2).focus()
  await page.keyboard.press('F2')
  await page.keyboard.type('Plain')
  await page.keyboard.press('Enter')
  await expect(rows.nth(2)).toContainText('Plain')
  await expect(rows.nth(2)).toBeFocused()
  await look(page, 'chat-branch-names')
  // What is called so elsewhere is so here, too.
  await api.call(chatRoutes.updateMessage, {
    params: { sessionId: id, messageId: first?.id ?? '' },
    body: { branchName: 'Measured' },
  })
  await expect(rows.nth(2)).toContainText('Measured')

  await rows.nth(1).hover()
  await rows.nth(1).getByRole('button', { name: 'Rename branch: With the tide' }).click()
  const rename = page.getByRole('dialog', { name: 'Rename branch' })
  await expect(rename.getByRole('textbox')).toHaveValue('With the tide')
  await look(page, 'chat-branch-name-dialog')
  await rename.getByRole('textbox').fill('')
  await page.keyboard.press('Enter')
  await expect(rename).toHaveCount(0)
  await expect(rows.nth(1)).not.toContainText('With the tide')
  await expect(versions.getByText('With the tide')).toHaveCount(0)

  await pane.getByRole('searchbox', { name: 'Find in all branches' }).fill('measur')
  const found = pane.getByRole('list', { name: 'Find in all branches' })
  await expect(found.getByRole('listitem')).toContainText(['Measured'])
  await found.getByRole('button').click()
  await expect(lastMessage(page)).toContainText('And now?')
})

test('a branch is named with a finger on a phone', async ({ visit }) => {
  const id = await makeChat(testApp.admin, { title: 'Piers', messages: ['How long is it?', 'Nine metres.'] })
  const { api } = testApp.admin
  const [, first] = (await api.call(chatRoutes.read, { params: { sessionId: id }, query: {} })).messages.items
  const params = { sessionId: id, messageId: first?.id ?? '' }
  await api.call(chatRoutes.addBranch, { params, body: { content: 'It depends on the tide.' } })
  const name = 'The short answer that everybody at the harbour office asks for'
  await api.call(chatRoutes.updateMessage, { params, body: { branchName: name } })
  const page = await visit(testApp, testApp.admin, phone)
  await page.goto(`/chats/${id}`)
  await page.getByRole('button', { name: 'Chat menu' }).tap()
  await page.getByRole('menuitem', { name: 'Branches' }).tap()
  const rows = page.getByRole('treeitem')
  await expect(rows.nth(2)).toContainText(name)
  await look(page, 'chat-branch-names-phone')
  await rows.nth(1).getByRole('button', { name: 'Name branch: It depends' }).tap()
  const box = page.getByRole('dialog', { name: 'Name branch' }).getByRole('textbox', { name: 'Name' })
  await box.fill('With the tide')
  await page.getByRole('button', { name: 'Save' }).tap()
  await expect(rows.nth(1)).toContainText('With the tide')
  await rows.nth(2).tap()
  await expect(lastMessage(page)).toContainText('Nine metres.')
  await expect(lastMessage(page).getByText(name)).toBeVisible()
  await look(page, 'chat-branch-versions-phone')
})

test('an answer can be rated, and tells how it was made', async ({ visit }) => {
  const page = await visit(testApp, testApp.admin)
  await page.goto('/')
  // The model that was used last may take its time.
  await pickModel(page, 'echo')
  await ask(page, 'How was it made?')
  await answered(page)
  const good = lastMessage(page).getByRole('button', { name: 'Good answer' })
  const kept = saved(page, '/api/chat/sessions/')
  await good.click()
  await expect(good).toHaveAttribute('aria-pressed', 'true')
  await kept
  await page.reload()
  await expect(good).toHaveAttribute('aria-pressed', 'true')
  await lastMessage(page).getByRole('button', { name: 'About this answer' }).click()
  const about = page.getByRole('dialog', { name: 'About this answer' })
  await expect(about).toContainText('Output tokens')
  await expect(about).toContainText('Time to first token')
  await expect(about).toContainText('Context window')
  await expect(sidebar(page)).toBeVisible()
})
