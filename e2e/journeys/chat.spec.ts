/** Asking, and what one sees while an answer is written. */
import { settingsRoutes } from '@atrium/contract/settings'
import { openTestApp } from '../harness/test-app.ts'
import { look } from '../harness/look.ts'
import { answered, ask, composer, lastMessage, pickModel, sidebar } from '../harness/talk.ts'
import { expect, onlyInAll, test } from '../harness/test.ts'

const testApp = openTestApp({ models: ['echo', 'markdown', 'thinker', 'long-90', 'long-400'] })
/** Answers stand still at their twelfth word until they are let go, so that no test depends on how fast a machine is. */
const hold = () => testApp.provider.control({ holdAfter: 12 })
const letGo = () => testApp.provider.control({ holdAfter: null })
test.afterEach(() => letGo())
const words = (count: number) => Array.from({ length: count }, (_, n) => `word${n + 1}`).join(' ')

test('a picked model answers, and its text appears in pieces', async ({ visit }) => {
  const page = await visit(testApp, testApp.admin)
  await page.goto('/')
  await pickModel(page, 'long-90')
  hold()
  await ask(page, 'Tell me a long story')
  await expect(page).toHaveURL(/\/chats\//)
  const answer = lastMessage(page)
  await expect(answer).toContainText('word3 ')
  await expect(answer).not.toContainText('word90')
  await expect(page.getByRole('button', { name: 'Stop the answer' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Regenerate' })).toHaveCount(0)
  letGo()
  await answered(page)
  await expect(answer).toContainText(words(90))
  await expect(sidebar(page).getByRole('link', { name: 'Tell me a long story' })).toHaveAttribute(
    'aria-current',
    'page',
  )
})

test('the question stands at the top while its answer grows, and nothing moves when the answer ends', async ({
  visit,
}) => {
  const page = await visit(testApp, testApp.admin)
  await page.goto('/')
  await pickModel(page, 'markdown')
  await ask(page, 'A first question')
  await answered(page)
  await pickModel(page, 'long-90')
  hold()
  await ask(page, 'A second question')
  const log = await page.getByRole('log').boundingBox()
  const question = page.getByRole('article', { name: /^You/ }).last()
  const place = async () => ((await question.boundingBox())?.y ?? 0) - (log?.y ?? 0)
  await expect.poll(place).toBeLessThan(60)
  await expect(lastMessage(page)).toContainText('word9 ')
  const before = await place()
  expect(before).toBeGreaterThanOrEqual(0)
  letGo()
  await answered(page)
  expect(Math.abs((await place()) - before)).toBeLessThan(2)
  await expect(lastMessage(page)).toBeInViewport()
})

test('a page that is reloaded in mid-answer, and a second one, show the whole answer from its beginning', async ({
  visit,
}) => {
  const page = await visit(testApp, testApp.admin)
  await page.goto('/')
  await pickModel(page, 'long-400')
  hold()
  await ask(page, 'Once more, please')
  await expect(lastMessage(page)).toContainText('word8 ')
  const second = await page.context().newPage()
  await Promise.all([page.reload(), second.goto(page.url())])
  for (const each of [page, second]) {
    await expect(lastMessage(each)).toContainText('word1 word2 word3')
    await expect(each.getByRole('button', { name: 'Stop the answer' })).toBeVisible()
  }
  letGo()
  for (const each of [page, second]) {
    await answered(each)
    await expect(lastMessage(each).locator('.markdown')).toHaveText(words(400))
  }
})

test('Stop ends the call at the provider and keeps what was written; Continue goes on from there', async ({
  visit,
}) => {
  const page = await visit(testApp, testApp.admin)
  await page.goto('/')
  await pickModel(page, 'long-400')
  hold()
  await ask(page, 'Stop me')
  const answer = lastMessage(page)
  await expect(answer).toContainText('word5 ')
  await page.getByRole('button', { name: 'Stop the answer' }).click()
  await expect(answer).toContainText('Stopped by you. The text so far is kept.')
  const call = testApp.provider.requests.findLast(({ model }) => model === 'long-400:latest')
  await expect.poll(() => call?.ended).toBe('aborted')
  const kept = await answer.locator('.markdown').innerText()
  expect(kept).toMatch(/^word1 word2 .*word5/)
  await page.reload()
  await expect(answer.locator('.markdown')).toHaveText(kept)

  await answer.getByRole('button', { name: 'Continue' }).click()
  await expect(answer.locator('.markdown')).toContainText(new RegExp(`^${kept}.+word3 `))
  await page.getByRole('button', { name: 'Stop the answer' }).click()
  await expect(answer).toContainText('Stopped by you.')
})

test('what a model thinks stands folded above what it says', async ({ visit }) => {
  const page = await visit(testApp, testApp.admin)
  await page.goto('/')
  await pickModel(page, 'thinker')
  await ask(page, 'Hello')
  await answered(page)
  await page.getByRole('button', { name: 'Thinking: Default' }).click()
  await page.getByRole('menuitemradio', { name: 'On' }).click()
  await expect(page.getByRole('button', { name: 'Thinking: On' })).toBeVisible()
  await ask(page, 'Think about it')
  await answered(page)
  const answer = lastMessage(page)
  await expect(answer).toContainText('You said: Think about it')
  await expect(answer).not.toContainText('First I look at the question')
  await answer.getByRole('button', { name: /^Thought|^Thinking/ }).click()
  await expect(answer).toContainText('First I look at the question')
})

test('questions wait in a queue while an answer is written, and are sent one after the other', async ({ visit }) => {
  const page = await visit(testApp, testApp.admin)
  await page.goto('/')
  hold()
  await pickModel(page, 'long-400')
  await ask(page, 'The first one')
  await expect(lastMessage(page)).toContainText('word1 ')
  for (const next of ['The second one', 'A third one', 'Not this one']) {
    await composer(page).fill(next)
    await page.getByRole('button', { name: 'Send after this answer' }).click()
  }
  const queue = page.getByRole('region', { name: 'Queued' })
  await expect(queue.getByRole('listitem')).toHaveCount(3)
  await expect(composer(page)).toHaveValue('')

  // The queue stands on the server.
  await page.reload()
  await expect(queue.getByRole('listitem')).toHaveCount(3)
  await queue.getByRole('listitem').filter({ hasText: 'Not this one' }).getByRole('button', { name: 'Remove' }).click()
  await queue.getByRole('listitem').filter({ hasText: 'A third one' }).getByRole('button', { name: 'Move up' }).click()
  await expect(queue.getByRole('listitem').first()).toContainText('A third one')
  const third = queue.getByRole('listitem').filter({ hasText: 'A third one' })
  await third.getByRole('button', { name: 'Stop the answer and send now' }).click()
  await expect(page.getByRole('article').filter({ hasText: 'Stopped by you' })).toBeVisible()
  letGo()
  await expect(queue).toHaveCount(0)
  await answered(page)
  const questions = page.getByRole('article', { name: /^You/ })
  await expect(questions).toContainText(['The first one', 'A third one', 'The second one'])

  // Stop pauses what waits, here and in another tab, until it is resumed.
  hold()
  await ask(page, 'The fourth one')
  await expect(lastMessage(page)).toContainText('word1 ')
  for (const next of ['The fifth one', 'The sixth one']) {
    await composer(page).fill(next)
    await page.getByRole('button', { name: 'Send after this answer' }).click()
  }
  await expect(queue.getByRole('listitem')).toHaveCount(2)
  await page.getByRole('button', { name: 'Stop the answer', exact: true }).click()
  await expect(queue).toContainText('2 queued')
  await look(page, 'chat-queue-paused')
  await page.reload()
  await expect(queue).toContainText('2 queued')
  await expect(questions.last()).toContainText('The fourth one')
  letGo()
  await queue.getByRole('button', { name: 'Resume' }).press('Enter')
  await expect(queue).toHaveCount(0)
  await expect(questions.last()).toContainText('The sixth one')
  await answered(page)
  await expect(lastMessage(page)).toContainText('word1 word2')
})

test('questions that could come next are offered below the answer, and asked with a click', async ({ visit }) => {
  const { api } = testApp.admin
  await api.call(settingsRoutes.update, { body: { chat: { generateTitles: true, followUps: true } } })
  testApp.provider.control({
    answers: [
      { match: 'Name this conversation', answer: 'A court with a fountain' },
      { match: 'Answer:\nYou said', answer: '1. **How deep is it?**\nWho built it?\nIt is old.' },
    ],
  })
  const page = await visit(testApp, testApp.admin)
  await page.goto('/')
  await pickModel(page, 'echo')
  await ask(page, 'What is in the court?')
  const next = page.getByRole('region', { name: 'Suggested questions' })
  await next.getByRole('button', { name: 'How deep is it?' }).click()
  await expect(lastMessage(page)).toContainText('You said: How deep is it?')
  // The chat was named by the model meanwhile.
  await expect(sidebar(page).getByRole('link', { name: 'A court with a fountain' })).toBeVisible()
  await expect(page).toHaveTitle(/A court with a fountain/)
})

test(
  'a model that is gone stays chosen, greyed and with the reason, and is not replaced',
  onlyInAll,
  async ({ visit }) => {
    const page = await visit(testApp, testApp.admin)
    await page.goto('/')
    await pickModel(page, 'thinker')
    await ask(page, 'Will you stay?')
    await answered(page)
    testApp.provider.control({ models: ['echo'] })
    await page.goto('/settings/connections')
    const check = page.getByRole('button', { name: 'Check again' })
    await check.click()
    await expect(check).toBeEnabled()
    await page.goBack()
    await expect(page.getByRole('button', { name: /^Model: thinker.*, unavailable\. Choose another/ })).toBeVisible()
    await composer(page).fill('Are you there?')
    await expect(page.getByRole('button', { name: 'The selected model is unavailable' })).toBeVisible()
    await pickModel(page, 'echo')
    await page.getByRole('button', { name: 'Send' }).click()
    await expect(lastMessage(page)).toContainText('You said: Are you there?')
  },
)
