/** The box where questions are written: nothing typed or attached is lost. */
import { openTestApp } from '../harness/test-app.ts'
import { answered, ask, composer, lastMessage, pickModel, saved } from '../harness/talk.ts'
import { expect, smallPicture, test } from '../harness/test.ts'

const testApp = openTestApp({ models: ['echo', 'thinker'] })

test('a draft survives a reload, on the new page and in a chat, and ends with sending', async ({ visit }) => {
  const page = await visit(testApp, testApp.admin)
  await page.goto('/')
  await composer(page).fill('Half a thought')
  await page.reload()
  await expect(composer(page)).toHaveValue('Half a thought')
  await page.getByRole('button', { name: 'Send' }).click()
  await answered(page)
  await composer(page).fill('Another half')
  await page.getByRole('link', { name: 'New chat' }).first().click()
  await expect(page).toHaveURL('/')
  await expect(composer(page)).toHaveValue('')
  await page.goBack()
  await expect(composer(page)).toHaveValue('Another half')
  await page.reload()
  await expect(composer(page)).toHaveValue('Another half')
})

test('thinking, a system message and options are there before the first message, and go with it', async ({ visit }) => {
  const page = await visit(testApp, await testApp.account('dora'))
  await page.goto('/')
  await pickModel(page, 'thinker')
  await page.getByRole('button', { name: 'Thinking: default' }).click()
  await page.getByRole('menuitemradio', { name: 'High' }).click()
  await expect(page.getByRole('button', { name: 'Thinking: high' })).toBeVisible()
  await page.getByRole('button', { name: 'Show chat settings' }).click()
  const saving = saved(page, '/api/chat/sessions/')
  await page.getByRole('textbox', { name: 'System message' }).fill('Answer like a pirate.')
  await saving
  await page.reload()
  await page.getByRole('button', { name: 'Show chat settings' }).click()
  await expect(page.getByRole('textbox', { name: 'System message' })).toHaveValue('Answer like a pirate.')
  await page.getByRole('button', { name: 'Hide chat settings' }).click()
  await pickModel(page, 'thinker')
  await ask(page, 'Who are you?')
  await answered(page)
  const asked = JSON.stringify(testApp.provider.requests.filter(({ path }) => path === '/api/chat'))
  expect(asked).toContain('Answer like a pirate.')
  expect(asked).toContain('"think":true')
  await expect(page.getByRole('button', { name: 'Thinking: high' })).toBeVisible()
  await page.getByRole('link', { name: 'New chat' }).first().click()
  await expect(page.getByRole('button', { name: 'Thinking: default' })).toBeVisible()
})

test('a draft written in one browser is there in another', async ({ visit }) => {
  const ben = await testApp.account('ben')
  const page = await visit(testApp, ben)
  await page.goto('/')
  const saved = page.waitForResponse(
    (answer) => answer.url().endsWith('/api/chat/draft') && answer.request().method() === 'PUT',
  )
  await composer(page).fill('From the other desk')
  await saved
  const other = await visit(testApp, ben)
  await other.goto('/')
  await expect(composer(other)).toHaveValue('From the other desk')
})

test('a long pasted text becomes a chip, and can be put into the text instead', async ({ visit }) => {
  const page = await visit(testApp, testApp.admin)
  await page.goto('/')
  const long = 'A line of a long text that was copied elsewhere.\n'.repeat(80)
  await page.evaluate(`navigator.clipboard.writeText(${JSON.stringify(long)})`)
  await composer(page).focus()
  await page.keyboard.press('Control+V')
  const chips = page.getByRole('list', { name: 'Attachments' })
  await expect(chips).toContainText('pasted-text')
  await expect(composer(page)).toHaveValue('')
  await chips.getByRole('button', { name: 'Put it into the text instead' }).click()
  await expect(chips).toHaveCount(0)
  await expect(composer(page)).toHaveValue(long)
  await composer(page).fill('')

  await page.keyboard.press('Control+V')
  await expect(chips).toContainText('tokens')
  await ask(page, 'What was copied?')
  await answered(page)
  const question = page.getByRole('article').first()
  await expect(question.getByRole('link', { name: /pasted-text/ })).toBeVisible()
  await expect(lastMessage(page)).toContainText('A line of a long text')
})

test('a pasted picture is shown, sent and seen by the model', async ({ visit }) => {
  const page = await visit(testApp, testApp.admin)
  await page.goto('/')
  const bytes = JSON.stringify([...smallPicture])
  await page.evaluate(
    `navigator.clipboard.write([new ClipboardItem({ 'image/png': new Blob([new Uint8Array(${bytes})], { type: 'image/png' }) })])`,
  )
  await composer(page).focus()
  await page.keyboard.press('Control+V')
  await expect(page.getByRole('list', { name: 'Attachments' })).toContainText('tokens')
  await ask(page, 'What do you see?')
  await expect(lastMessage(page)).toContainText('I see 1 image.')
  await page.getByRole('button', { name: /^Enlarge / }).click()
  await expect(page.getByRole('dialog').getByRole('img')).toBeVisible()
})

test('what cannot be attached says why, and does not hold up the rest', async ({ visit }) => {
  const page = await visit(testApp, testApp.admin)
  await page.goto('/')
  const choosing = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: 'Attach files' }).click()
  await (await choosing).setFiles([
    { name: 'notes.md', mimeType: 'text/markdown', buffer: Buffer.from('# Notes\n\nThe key is under the mat.\n') },
    { name: 'movie.mp4', mimeType: 'video/mp4', buffer: Buffer.from([0, 0, 0, 24, 102, 116, 121, 112, 0, 1, 2, 255]) },
  ])
  const chips = page.getByRole('list', { name: 'Attachments' }).getByRole('listitem')
  await expect(chips.filter({ hasText: 'movie.mp4' })).toContainText('Files of this kind cannot be read')
  await expect(chips.filter({ hasText: 'notes.md' })).toContainText('tokens')
  await ask(page, 'Where is the key?')
  await expect(lastMessage(page)).toContainText('under the mat')
})

test('up arrow in the empty box edits the last question; Escape gives the box back', async ({ visit }) => {
  const page = await visit(testApp, testApp.admin)
  await page.goto('/')
  await composer(page).fill('To be changed')
  await composer(page).press('Enter')
  await expect(lastMessage(page)).toContainText('You said: To be changed')
  await answered(page)
  await expect(composer(page)).toHaveValue('')
  await expect(composer(page)).toBeFocused()
  await composer(page).press('ArrowUp')
  const box = page.getByRole('textbox', { name: 'Your message' })
  await expect(box).toBeFocused()
  await box.press('Escape')
  await expect(box).toHaveCount(0)
})

test('a question that the server refuses comes back into the box with the reason', async ({ visit }) => {
  const page = await visit(testApp, testApp.admin)
  await page.goto('/')
  await ask(page, 'A first one')
  await answered(page)
  await page.route('**/generations', (route) => route.abort('connectionrefused'))
  await composer(page).fill('One that cannot go out')
  await composer(page).press('Enter')
  await expect(page.getByRole('alert')).toContainText('This was not sent')
  await expect(composer(page)).toHaveValue('One that cannot go out')
  await page.unroute('**/generations')
  await page.getByRole('alert').getByRole('button', { name: 'Try again' }).click()
  await expect(lastMessage(page)).toContainText('You said: One that cannot go out')
})
