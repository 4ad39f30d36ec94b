/** Documents in a chat: dropped, read, searched, cited to the page, sent whole; and the honest word when nothing matched. */
import { webSearchRoutes } from '@atrium/contract/web-search'
import { chip, drop, markdown, pdf, readable } from '../harness/documents.ts'
import { makeChat, openTestApp } from '../harness/test-app.ts'
import { look } from '../harness/look.ts'
import { answered, ask, composer, lastMessage, pickModel, sidebar } from '../harness/talk.ts'
import { expect, onlyInAll, phone, test } from '../harness/test.ts'

const testApp = openTestApp({ models: ['echo', 'long-400'] })

const handbook = pdf('kite-handbook.pdf', [
  'This handbook tells everything about kites.',
  'A tail keeps a kite steady in strong wind.',
  'The altitude record of a single kite stands at 4879 metres. Its line was light.',
])
/** Long enough to be a document rather than a text that travels with the message. */
const bread = markdown(
  'bread.md',
  `# Bread\n\n## Oven\n\nBake the loaf at 230 degrees for forty minutes.\n\n## Notes\n\n${'Flour, water, salt and patience. '.repeat(700)}\n`,
)

test('documents dropped into a new chat are read while one writes, and the answer cites the page', async ({
  visit,
}) => {
  testApp.provider.control({
    answers: [{ match: 'altitude record', answer: 'A single kite reached **4879 metres** [1]. No source says [99].' }],
  })
  const page = await visit(testApp, testApp.admin)
  await page.goto('/')
  // The first look at the models may still be under way in an app that was just opened.
  await expect(page.getByRole('button', { name: 'Model: echo' })).toBeVisible()
  await composer(page).fill('What is the altitude record')
  await drop(page, [handbook, bread])
  await readable(page, 'kite-handbook.pdf')
  await readable(page, 'bread.md')
  // The chat begins with its question: until then nothing moves, and nothing is in the list.
  await expect(page).toHaveURL('/')
  await expect(composer(page)).toBeFocused()
  await expect(sidebar(page).getByRole('listitem')).toHaveCount(0)
  await page.reload()
  await readable(page, 'kite-handbook.pdf')
  await readable(page, 'bread.md')
  await expect(composer(page)).toHaveValue('What is the altitude record')
  await look(page, 'chat-documents-chips')

  await ask(page, 'What is the altitude record of a single kite?')
  await answered(page)
  await expect(chip(page, 'kite-handbook.pdf')).toHaveCount(0)
  const mark = lastMessage(page).getByRole('link', { name: 'Source 1: kite-handbook.pdf, Page 3' })
  await expect(mark).toHaveText('1')
  await expect(lastMessage(page)).toContainText('No source says [99].')
  await lastMessage(page).focus()
  await page.keyboard.press('c')
  const copied = () => page.evaluate('navigator.clipboard.readText()')
  await expect.poll(copied).toMatch(/\[99\]\.\n\n- \\\[1\\\] kite-handbook\.pdf, Page 3/)
  await mark.focus()
  await page.keyboard.press('Shift+Tab')
  await page.keyboard.press('Tab')
  const card = page.getByRole('tooltip').filter({ hasText: 'kite-handbook.pdf' })
  await expect(card).toContainText('4879 metres')
  await expect(card).toContainText('Page 3')
  await look(page, 'chat-documents-card')
  await page.keyboard.press('Escape')
  await expect(card).toHaveCount(0)

  await mark.press('Enter')
  const pane = page.getByRole('complementary', { name: 'Side pane' })
  await expect(pane.getByRole('tab', { name: 'Document', exact: true })).toHaveAttribute('aria-selected', 'true')
  await expect(pane).toContainText('kite-handbook.pdf')
  // The sentence that was cited is marked, and one row above says where one is and leads to the whole page.
  await expect(pane.locator('[data-mark=key]').first()).toBeVisible()
  await expect(pane.getByRole('textbox', { name: 'Page' })).toHaveValue('3')
  await expect(pane.getByRole('link', { name: 'Open full page' })).toHaveAttribute(
    'href',
    /\/documents\/.*keys=\d+-\d+/,
  )
  await expect(pane.getByRole('button', { name: 'Close' })).toHaveCount(1)
  await look(page, 'chat-documents-viewer')

  await lastMessage(page)
    .getByRole('button', { name: /sources?$/ })
    .click()
  await expect(pane).toContainText(/^.*search over 2 documents, \d+ excerpts? used/)
  await expect(pane.getByRole('region', { name: 'Cited', exact: true })).toContainText('kite-handbook.pdf')
  await look(page, 'chat-documents-sources')
  await pane.getByRole('checkbox', { name: 'Send whole documents next time' }).check()
  await pane.getByRole('tab', { name: /^Documents/ }).click()
  await expect(pane.getByRole('switch', { name: 'Send whole documents' })).toBeChecked()
})

test('a file that is attached goes whole with its question, and stands there after a reload', async ({ visit }) => {
  const page = await visit(testApp, testApp.admin)
  await page.goto('/')
  await drop(page, [handbook])
  await readable(page, 'kite-handbook.pdf')
  await expect(chip(page, 'kite-handbook.pdf')).toContainText(/in full, \d+ tokens/)
  await look(page, 'chat-documents-whole-chip')
  await ask(page, 'Summarise this document')
  await answered(page)
  await expect(lastMessage(page)).not.toContainText('No passage in your documents matched')
  // The model server repeats what it was asked: all pages were in it.
  const asked = JSON.stringify(testApp.provider.requests.filter(({ path }) => path === '/api/chat'))
  for (const words of ['everything about kites', 'A tail keeps a kite steady', '4879 metres'])
    expect(asked).toContain(words)
  const question = page.getByRole('article', { name: /^You/ })
  await expect(question).toContainText('kite-handbook.pdf')
  await page.reload()
  await expect(question).toContainText('kite-handbook.pdf')
  await look(page, 'chat-documents-question')
  await ask(page, 'And now in one sentence?')
  await answered(page)
  await expect(lastMessage(page).getByRole('button', { name: /sources?$/ })).toBeVisible()
})

test('the model that needs no provider quotes documents with their marks', async ({ visit }) => {
  const page = await visit(testApp, testApp.admin)
  await page.goto('/')
  await drop(page, [handbook, bread])
  await readable(page, 'kite-handbook.pdf')
  await readable(page, 'bread.md')
  await pickModel(page, 'Excerpts')
  await ask(page, 'At how many degrees do I bake the loaf?')
  await answered(page)
  await expect(lastMessage(page)).toContainText('230 degrees')
  await expect(
    lastMessage(page)
      .getByRole('link', { name: /^Source 1: bread\.md/ })
      .first(),
  ).toBeVisible()
})

test('documents are sent whole where the chat says so and they fit, removed, brought back and kept', async ({
  visit,
}) => {
  const carla = await testApp.account('carla')
  const page = await visit(testApp, carla)
  const id = await makeChat(carla, { title: 'Kites' })
  await page.goto(`/chats/${id}`)
  await page.getByRole('button', { name: 'Chat menu' }).click()
  await page.getByRole('menuitem', { name: 'Documents in this chat' }).click()
  const pane = page.getByRole('complementary', { name: 'Side pane' })
  const choosing = page.waitForEvent('filechooser')
  await pane.getByRole('button', { name: 'Add' }).click()
  await (await choosing).setFiles([handbook])
  const row = pane.getByRole('listitem').filter({ hasText: 'kite-handbook.pdf' })
  await expect(row).toContainText('3 pages', { timeout: 120_000 })
  await pane.getByRole('switch', { name: 'Send whole documents' }).click()
  await expect(pane).toContainText('They are sent in full.')
  await look(page, 'chat-documents-tab')

  await ask(page, 'What keeps it steady?')
  await answered(page)
  await lastMessage(page).getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Sources' }).click()
  await expect(pane).toContainText('1 document sent in full')

  await pane.getByRole('tab', { name: /^Documents/ }).click()
  await row.getByRole('button', { name: 'Remove kite-handbook.pdf' }).click()
  await expect(row).toHaveCount(0)
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(row).toHaveCount(1)
  await row.getByRole('button', { name: 'Keep kite-handbook.pdf in my library' }).click()
  await expect(row).toHaveCount(0)
})

test('a short text can be used as excerpts, and a document of text sent whole', onlyInAll, async ({ visit }) => {
  const page = await visit(testApp, testApp.admin)
  const id = await makeChat(testApp.admin, { title: 'Notes' })
  await page.goto(`/chats/${id}`)
  await drop(page, [markdown('note.md', '# Note\n\nThe key is under the mat.\n')])
  await expect(chip(page, 'note.md')).toContainText('tokens')
  await chip(page, 'note.md').getByRole('button', { name: 'Use as excerpts instead: note.md' }).click()
  await readable(page, 'note.md')
  await chip(page, 'note.md').getByRole('button', { name: 'Use full text instead: note.md' }).click()
  await expect(chip(page, 'note.md')).toContainText('tokens')
  await drop(page, [{ name: 'film.mp4', mimeType: 'video/mp4', buffer: Buffer.from([0, 0, 0, 24]) }])
  await expect(chip(page, 'film.mp4')).toContainText('This file type isn’t supported.')
  await ask(page, 'Where is the key?')
  await answered(page)
  await expect(lastMessage(page)).toContainText('Where is the key?')
})

test('the same file twice is told, and a document that is gone stays as a source that cannot be opened', async ({
  visit,
}) => {
  testApp.provider.control({ answers: [{ match: 'tail', answer: 'A tail keeps it steady [1].' }] })
  const page = await visit(testApp, testApp.admin)
  const id = await makeChat(testApp.admin, { title: 'Twice' })
  await page.goto(`/chats/${id}`)
  await drop(page, [handbook])
  await readable(page, 'kite-handbook.pdf')
  await ask(page, 'What does a tail do?')
  await answered(page)
  await drop(page, [handbook])
  await expect(chip(page, 'kite-handbook.pdf')).toContainText('Already in this chat')
  await chip(page, 'kite-handbook.pdf').getByRole('button', { name: 'Remove kite-handbook.pdf' }).click()

  await page.getByRole('button', { name: 'Chat menu' }).click()
  await page.getByRole('menuitem', { name: 'Documents in this chat' }).click()
  const pane = page.getByRole('complementary', { name: 'Side pane' })
  await pane.getByRole('button', { name: 'Remove kite-handbook.pdf' }).click()
  await expect(pane.getByRole('button', { name: 'Remove kite-handbook.pdf' })).toHaveCount(0)
  await lastMessage(page)
    .getByRole('button', { name: /sources?$/ })
    .click()
  await expect(pane.getByRole('region', { name: 'Cited', exact: true })).toContainText('No longer available')
})

test('a question looks on the web once where the globe says so', async ({ visit }) => {
  await testApp.admin.api.call(webSearchRoutes.updateConfig, {
    body: { enabled: true, engine: 'searxng', url: testApp.provider.url, allowPrivate: true, readPages: false },
  })
  testApp.provider.control({ answers: [{ match: 'kites on the web', answer: 'Found on the web [1].' }] })
  const page = await visit(testApp, testApp.admin)
  const id = await makeChat(testApp.admin, { title: 'On the web' })
  await page.goto(`/chats/${id}`)
  await page.getByRole('button', { name: 'Web search: off' }).click()
  await expect(page.getByRole('button', { name: 'Web search: next message' })).toBeVisible()
  await ask(page, 'Anything about kites on the web?')
  await answered(page)
  await expect(page.getByRole('button', { name: 'Web search: off' })).toBeVisible()
  const mark = lastMessage(page).getByRole('link', { name: /^Source 1: / })
  await expect(mark.first()).toHaveAttribute('rel', 'noopener noreferrer')
  await expect(mark.first()).toHaveAttribute('target', '_blank')
  await lastMessage(page)
    .getByRole('button', { name: /sources?$/ })
    .click()
  await expect(page.getByRole('complementary', { name: 'Side pane' })).toContainText('Searched the web for')
  await look(page, 'chat-web-sources')
})

test('a question that waits for its turn keeps its globe', async ({ visit }) => {
  await testApp.admin.api.call(webSearchRoutes.updateConfig, {
    body: { enabled: true, engine: 'searxng', url: testApp.provider.url, allowPrivate: true, readPages: false },
  })
  const page = await visit(testApp, testApp.admin)
  await page.goto('/')
  await pickModel(page, 'long-400')
  testApp.provider.control({ holdAfter: 5 })
  await ask(page, 'A long story')
  await expect(lastMessage(page)).toContainText('word1 ')
  await page.getByRole('button', { name: 'Web search: off' }).click()
  await composer(page).fill('And the news?')
  await page.getByRole('button', { name: 'Send after this answer' }).click()
  const waiting = page.getByRole('region', { name: 'Queued' })
  await expect(waiting.getByRole('listitem')).toContainText('Searches the web')
  await expect(page.getByRole('button', { name: 'Web search: off' })).toBeVisible()
  await look(page, 'chat-web-waiting')

  // Taken back into the box, the globe comes with it.
  await waiting.getByRole('button', { name: 'Remove' }).click()
  await page.getByRole('button', { name: 'Move back to the message box' }).click()
  await expect(page.getByRole('button', { name: 'Web search: next message' })).toBeVisible()
  await page.getByRole('button', { name: 'Send after this answer' }).click()
  await expect(waiting.getByRole('listitem')).toContainText('Searches the web')
  testApp.provider.control({ holdAfter: null })
  await expect(waiting).toHaveCount(0)
  await answered(page)
  await expect(page.getByRole('article', { name: /^You/ })).toContainText(['A long story', 'And the news?'])
  await lastMessage(page)
    .getByRole('button', { name: /sources?$/ })
    .click()
  await expect(page.getByRole('complementary', { name: 'Side pane' })).toContainText('Searched the web for')
})

test('on a phone, chips, sources and documents fit', onlyInAll, async ({ visit }) => {
  testApp.provider.control({ answers: [{ match: 'steady', answer: 'A tail keeps it steady [1].' }] })
  const page = await visit(testApp, testApp.admin, phone)
  const id = await makeChat(testApp.admin, { title: 'Pocket' })
  await page.goto(`/chats/${id}`)
  await drop(page, [handbook])
  await readable(page, 'kite-handbook.pdf')
  await ask(page, 'What keeps a kite steady?')
  await answered(page)
  await lastMessage(page)
    .getByRole('button', { name: /sources?$/ })
    .click()
  const sheet = page.getByRole('dialog', { name: 'This chat' })
  await expect(sheet.getByRole('region', { name: 'Cited', exact: true })).toContainText('kite-handbook.pdf')
  await look(page, 'chat-documents-phone-sources')
  await sheet.getByRole('tab', { name: /^Documents/ }).click()
  await expect(sheet.getByRole('button', { name: 'Remove kite-handbook.pdf' })).toBeVisible()
  await look(page, 'chat-documents-phone-tab')
})
