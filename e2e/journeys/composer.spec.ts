/** The box where questions are written: nothing typed or attached is lost. */
import { documentsRoutes } from '@atrium/contract/documents'
import { chip } from '../harness/documents.ts'
import { look } from '../harness/look.ts'
import { makeChat, openTestApp } from '../harness/test-app.ts'
import { answered, ask, composer, lastMessage, pickModel } from '../harness/talk.ts'
import { expect, phone, smallPicture, test } from '../harness/test.ts'

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
  // Not the level of thinking, which is saved meanwhile.
  const saving = page.waitForResponse((answer) => answer.request().postData()?.includes('like a pirate') ?? false)
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

test('signs open a list of actions, models and what can be read along, all by keys', async ({ visit }) => {
  const eva = await testApp.account('eva')
  const upload = new FormData()
  upload.append('document', new Blob(['Herons wait without moving.'], { type: 'text/plain' }), 'herons.txt')
  await eva.api.raw('/api/documents/upload', { method: 'POST', body: upload })
  // Only what was read can be read along.
  const states = async () => (await eva.api.call(documentsRoutes.list, {})).items.map((each) => each.processingStatus)
  await expect.poll(states).toEqual(['completed'])
  await eva.api.call(documentsRoutes.createCollection, { body: { name: 'Bird books' } })
  await makeChat(eva, { title: 'Talk about owls', messages: ['Owls turn their heads.'] })
  const page = await visit(testApp, eva)
  await page.goto('/')
  const list = page.getByRole('listbox')
  const box = composer(page)
  await box.pressSequentially('Ask @thin')
  await expect(list.getByRole('option', { name: 'thinker' })).toHaveAttribute('aria-selected', 'true')
  await expect(box).toHaveAttribute('aria-activedescendant', /.+/)
  await look(page, 'composer-models')
  await box.press('Enter')
  await expect(page.getByRole('button', { name: 'Model: thinker' })).toBeVisible()
  await expect(box).toHaveValue('Ask ')

  await box.pressSequentially('#her')
  await list.getByRole('option', { name: 'herons.txt' }).click()
  await expect(chip(page, 'herons.txt')).toContainText(/in full|excerpts/)
  await box.pressSequentially('#bird')
  await expect(list.getByRole('option')).toHaveText([/Bird books/])
  await box.press('Tab')
  await expect(page.getByRole('list', { name: 'Collections that are searched' })).toContainText('Bird books')
  await box.pressSequentially('#owls')
  await expect(list.getByRole('option')).toHaveText([/Talk about owls/])
  await box.press('Enter')
  await expect(chip(page, 'Talk about owls.md')).toContainText('tokens')
  await look(page, 'composer-chips')

  // Escape keeps what was typed, also while one types on; what fits nothing is text, and Enter is Enter.
  await box.pressSequentially('and/or #ow')
  await expect(list).toBeVisible()
  await box.press('Escape')
  await box.pressSequentially('l')
  await expect(list).toHaveCount(0)
  await expect(box).toHaveValue('Ask and/or #owl')
  await box.fill('What do herons and owls do?')
  await box.press('Enter')
  await answered(page)
  const asked = JSON.stringify(testApp.provider.requests.filter(({ path }) => path === '/api/chat'))
  expect(asked).toContain('Herons wait without moving.')
  expect(asked).toContain('Owls turn their heads.')

  await box.press('/')
  await expect(list.getByRole('option', { name: 'Duplicate this chat' })).toBeVisible()
  await look(page, 'composer-actions')
  await box.pressSequentially('rename')
  await box.press('Enter')
  await expect(page.getByRole('main').getByRole('textbox', { name: 'Rename' })).toBeFocused()
  await expect(box).toHaveValue('')
  // A letter that nothing takes lands in the box.
  await page.keyboard.press('Escape')
  await page.evaluate('document.activeElement.blur()')
  await page.keyboard.type('Anywhere')
  await expect(box).toHaveValue('Anywhere')
  // So does one after a click on a message, and is no command of it.
  await page.getByRole('article').first().getByText('What do herons and owls do?').click()
  await page.keyboard.type('regret')
  await expect(box).toHaveValue('Anywhereregret')
})

test('the lists of signs stay open under keyboards of phones, which compose every word', async ({ visit }) => {
  const page = await visit(testApp, await testApp.account('fay'), phone)
  await page.goto('/')
  const box = composer(page)
  await box.tap()
  await box.pressSequentially('Ask @')
  const keyboard = await page.context().newCDPSession(page)
  for (const text of ['t', 'th', 'thin']) {
    await keyboard.send('Input.imeSetComposition', { text, selectionStart: text.length, selectionEnd: text.length })
    await expect(box).toHaveValue(`Ask @${text}`)
  }
  await page.getByRole('listbox').getByRole('option', { name: 'thinker' }).tap()
  await expect(page.getByRole('button', { name: 'Model: thinker' })).toBeVisible()
  await expect(box).toHaveValue('Ask ')
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
  await chips.getByRole('button', { name: 'Insert as text instead' }).click()
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

test('a question that is sent during an upload leaves with its file, unless one writes on', async ({ visit }) => {
  const page = await visit(testApp, testApp.admin)
  await page.goto('/')
  const { promise: mayArrive, resolve: letGo } = Promise.withResolvers<void>()
  await page.route(/\/api\/chat\/attachments/, async (route) => {
    await mayArrive
    await route.continue()
  })
  const attach = async (name: string) => {
    const choosing = page.waitForEvent('filechooser')
    await page.getByRole('button', { name: 'Add', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Attach files' }).click()
    await (await choosing).setFiles([{ name, mimeType: 'text/markdown', buffer: Buffer.from(`# ${name}\n`) }])
  }
  const waits = page.getByRole('button', { name: 'Sends when uploads finish. Select to cancel.' })

  await attach('first.md')
  await composer(page).fill('What is')
  await composer(page).press('Enter')
  await expect(waits).toBeVisible()
  await composer(page).pressSequentially(' this?')
  await expect(waits).toHaveCount(0)
  await composer(page).press('Enter')
  await expect(waits).toBeVisible()
  await expect(page.getByRole('article')).toHaveCount(0)
  // Taking the file away takes back that it leaves.
  await page.getByRole('button', { name: 'Remove first.md' }).click()
  await expect(waits).toHaveCount(0)
  await expect(composer(page)).toHaveValue('What is this?')
  await attach('second.md')
  await composer(page).press('Enter')
  await expect(page.getByRole('status').filter({ hasText: 'Sends when uploads finish.' })).toBeAttached()
  letGo()
  await expect(lastMessage(page)).toContainText('What is this?')
  await expect(page.getByRole('article').first()).toContainText('second.md')
  await page.unroute(/\/api\/chat\/attachments/)
})

test('what cannot be attached says why, and does not hold up the rest', async ({ visit }) => {
  const page = await visit(testApp, testApp.admin)
  await page.goto('/')
  const choosing = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: 'Add', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Attach files' }).click()
  await (await choosing).setFiles([
    { name: 'notes.md', mimeType: 'text/markdown', buffer: Buffer.from('# Notes\n\nThe key is under the mat.\n') },
    { name: 'movie.mp4', mimeType: 'video/mp4', buffer: Buffer.from([0, 0, 0, 24, 102, 116, 121, 112, 0, 1, 2, 255]) },
  ])
  const chips = page.getByRole('list', { name: 'Attachments' }).getByRole('listitem')
  await expect(chips.filter({ hasText: 'movie.mp4' })).toContainText('This file type isn’t supported.')
  await expect(chips.filter({ hasText: 'notes.md' })).toContainText('tokens')
  await ask(page, 'Where is the key?')
  await expect(lastMessage(page)).toContainText('under the mat')
})

test('a pasted address can be read, a pasted table become Markdown or a file, and the menu leads to the rest', async ({
  visit,
}) => {
  const page = await visit(testApp, testApp.admin)
  await makeChat(testApp.admin, { title: 'Something to attach', messages: ['Hello'] })
  await page.goto('/')
  const box = composer(page)
  const paste = async (kinds: Record<string, string>) => {
    await page.evaluate(`navigator.clipboard.write([new ClipboardItem(Object.fromEntries(
      Object.entries(${JSON.stringify(kinds)}).map(([type, text]) => [type, new Blob([text], { type })])))])`)
    await box.focus()
    await page.keyboard.press('Control+V')
  }
  // The server reads public pages only, and says so on the chip.
  await paste({ 'text/plain': `${testApp.provider.url}/page` })
  await page.getByRole('button', { name: 'Read this page' }).click()
  await expect(page.getByRole('list', { name: 'Attachments' })).toContainText('private network')
  await expect(box).toBeFocused()
  await page.getByRole('button', { name: /^Remove / }).click()
  await box.fill('')

  const table = {
    'text/html': '<table><tr><th>Bird</th><th>Eggs</th></tr><tr><td>Tern</td><td>2 | 3</td></tr></table>',
    'text/plain': 'Bird\tEggs\nTern\t2 | 3',
  }
  await paste(table)
  await expect(box).toHaveValue('Bird\tEggs\nTern\t2 | 3')
  await look(page, 'composer-paste')
  await page.getByRole('button', { name: 'As Markdown' }).click()
  await expect(box).toHaveValue('| Bird | Eggs |\n| --- | --- |\n| Tern | 2 \\| 3 |\n')
  await box.fill('')
  await paste(table)
  await page.getByRole('button', { name: 'As CSV file' }).click()
  await expect(chip(page, 'pasted-table.csv')).toContainText('tokens')
  await expect(box).toHaveValue('')
  await page.getByRole('button', { name: 'Remove pasted-table.csv' }).click()

  await page.getByRole('button', { name: 'Add', exact: true }).click()
  await look(page, 'composer-plus')
  await page.getByRole('menuitem', { name: 'Documents and chats' }).click()
  await expect(page.getByRole('listbox').getByRole('option', { name: 'Something to attach' })).toBeVisible()
  await expect(box).toBeFocused()
  await box.press('Escape')
  await box.fill('')
  await page.getByRole('button', { name: 'Add', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Web page' }).click()
  await page.getByRole('dialog').getByRole('textbox', { name: 'Address' }).fill('nothing')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog')).toContainText('Enter the address of a web page.')
  await page.keyboard.press('Escape')
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
  await expect(page.getByRole('alert')).toContainText('Couldn’t send')
  await expect(composer(page)).toHaveValue('One that cannot go out')
  await page.unroute('**/generations')
  await page.getByRole('alert').getByRole('button', { name: 'Try again' }).click()
  await expect(lastMessage(page)).toContainText('You said: One that cannot go out')
})
