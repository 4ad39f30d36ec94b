/** Several versions of one conversation: edited, answered again, forked, cut off. */
import { makeChat, openHouse } from '../harness/house.ts'
import { answered, ask, lastMessage, sidebar } from '../harness/talk.ts'
import { expect, test } from '../harness/test.ts'

const house = openHouse({ models: ['echo', 'markdown'] })

test('an edited question is asked beside the old one, and both stay in reach', async ({ visit }) => {
  const id = await makeChat(house.admin, { title: 'Edits', messages: ['How tall is a door?', 'Two metres.'] })
  const page = await visit(house, house.admin)
  await page.goto(`/chats/${id}`)
  const question = page.getByRole('article', { name: /^You/ })
  await question.hover()
  await question.getByRole('button', { name: 'Edit' }).click()
  const box = page.getByRole('textbox', { name: 'Your message' })
  await expect(box).toHaveValue('How tall is a door?')
  await box.fill('How tall is a tower?')
  await page.getByRole('button', { name: 'Save and ask again' }).click()
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
  const id = await makeChat(house.admin, { title: 'Saved', messages: ['Was it her?', 'It was hymn.'] })
  const page = await visit(house, house.admin)
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

test('an answer can be given again, with a wish, and by another model', async ({ visit }) => {
  const id = await makeChat(house.admin, { title: 'Again', messages: ['What is new?', 'Nothing.'] })
  const page = await visit(house, house.admin)
  await page.goto(`/chats/${id}`)
  const answer = lastMessage(page)
  await answer.getByRole('button', { name: 'Answer again' }).click()
  await page.getByRole('menuitem', { name: 'Again', exact: true }).click()
  await expect(answer).toContainText('You said: What is new?')
  await expect(answer.getByRole('group', { name: 'Versions' })).toContainText('2 / 2')

  await answer.getByRole('button', { name: 'Answer again' }).click()
  await page.getByRole('menuitem', { name: 'With a wish…' }).click()
  await page.getByRole('textbox', { name: 'What should be different?' }).fill('in one word')
  await page.getByRole('dialog').getByRole('button', { name: 'Again' }).click()
  await expect(answer.getByRole('group', { name: 'Versions' })).toContainText('3 / 3')
  await answered(page)
  const wished = house.provider.requests.findLast(
    ({ path, body }) => path === '/api/chat' && JSON.stringify(body).includes('in one word'),
  )
  expect(wished).toBeDefined()

  await answer.getByRole('button', { name: 'Answer again' }).click()
  await page.getByRole('menuitem', { name: 'With another model…' }).click()
  await page.getByRole('combobox', { name: 'Search by name, id or provider' }).fill('markdown')
  await page.keyboard.press('Enter')
  await expect(answer.getByRole('heading', { name: 'A tour of Markdown' })).toBeVisible()
  await expect(answer.getByRole('group', { name: 'Versions' })).toContainText('4 / 4')
  // The chat itself keeps its model.
  await expect(page.getByRole('button', { name: /^Model: echo/ })).toBeVisible()
})

test('a chat can be forked from any message, and the copy says where it comes from', async ({ visit }) => {
  const messages = ['One?', 'Answer one.', 'Two?', 'Answer two.']
  const id = await makeChat(house.admin, { title: 'The trunk', messages })
  const page = await visit(house, house.admin)
  await page.goto(`/chats/${id}`)
  const first = page.getByRole('article').filter({ hasText: 'Answer one.' })
  await first.hover()
  await first.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Fork into a new chat from here' }).click()
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
  const id = await makeChat(house.admin, { title: 'Cut', messages })
  const page = await visit(house, house.admin)
  await page.goto(`/chats/${id}`)
  const second = page.getByRole('article').filter({ hasText: 'Two?' })
  await second.hover()
  await second.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Delete from here on' }).click()
  await expect(page.getByRole('article')).toHaveCount(2)
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByRole('article')).toHaveCount(4)
  await expect(lastMessage(page)).toContainText('Answer two.')
})

test('an answer can be rated, and tells how it was made', async ({ visit }) => {
  const page = await visit(house, house.admin)
  await page.goto('/')
  await ask(page, 'How was it made?')
  await answered(page)
  const good = lastMessage(page).getByRole('button', { name: 'Good answer' })
  await good.click()
  await expect(good).toHaveAttribute('aria-pressed', 'true')
  await page.reload()
  await expect(good).toHaveAttribute('aria-pressed', 'true')
  await lastMessage(page).getByRole('button', { name: 'About this answer' }).click()
  const about = page.getByRole('dialog', { name: 'About this answer' })
  await expect(about).toContainText('Tokens written')
  await expect(about).toContainText('First word after')
  await expect(about).toContainText('Context window')
  await expect(sidebar(page)).toBeVisible()
})
