/** Documents: taken in, read, found, opened at a passage, moved, shared, deleted and brought back. */
import { accessRoutes } from '@atrium/contract/access'
import { chatRoutes } from '@atrium/contract/chat'
import { documentsRoutes } from '@atrium/contract/documents'
import { settingsRoutes } from '@atrium/contract/settings'
import type { Locator, Page } from '@playwright/test'
import { pdf } from '../harness/documents.ts'
import { type Account, openTestApp } from '../harness/test-app.ts'
import { look } from '../harness/look.ts'
import { expect, onlyInAll, phone, test } from '../harness/test.ts'

const testApp = openTestApp({ models: ['echo'] })

const handbook = pdf('handbook.pdf', [
  'Handbook of the house. The first page says little.',
  'The lathe is oiled every second Tuesday by whoever used it last. Gloves stay off.',
]).buffer
const fileOf = (name: string, text: string | Buffer, mimeType = 'text/plain') => ({
  name,
  mimeType,
  buffer: Buffer.from(text),
})

const rowOf = (page: Page, name: string): Locator => page.getByRole('row').filter({ hasText: name })
const tray = (page: Page): Locator => page.getByRole('region', { name: 'Uploads' })

/** Takes files in by the dialog of the system. */
async function addFiles(page: Page, files: ReturnType<typeof fileOf>[]): Promise<void> {
  await page.getByRole('button', { name: 'Add', exact: true }).click()
  const chooser = page.waitForEvent('filechooser')
  await page.getByRole('menuitem', { name: 'Files' }).click()
  await (await chooser).setFiles(files)
}

/** Drops files on the page, as from a folder of the system. */
async function dropFiles(page: Page, files: { name: string; text: string }[]): Promise<void> {
  const send = (type: string) =>
    page.evaluate(`(() => {
      const transfer = new DataTransfer()
      for (const { name, text } of ${JSON.stringify(files)}) transfer.items.add(new File([text], name))
      const event = new DragEvent('${type}', { dataTransfer: transfer, bubbles: true, cancelable: true })
      document.body.dispatchEvent(event)
    })()`)
  await send('dragenter')
  await expect(page.getByText('Drop to add to “Library”')).toBeVisible()
  await send('drop')
}

/** Takes a document in over the interface and waits until it was read. */
async function document(who: Account, name: string, content: string | Buffer, collectionId?: string): Promise<string> {
  const form = new FormData()
  if (collectionId) form.append('collectionId', collectionId)
  form.append('document', new File([new Uint8Array(Buffer.from(content))], name))
  const answer = await fetch(`${testApp.url}/api/documents/upload`, {
    method: 'POST',
    headers: { authorization: `Bearer ${who.token}` },
    body: form,
  })
  expect(answer.status).toBe(202)
  const { id } = (await answer.json()) as { id: string }
  await expect
    .poll(async () => (await who.api.call(documentsRoutes.read, { params: { documentId: id } })).processingStatus)
    .toMatch(/completed|failed/)
  return id
}

test('an empty library says what documents do, and files become ready in it', async ({ visit }) => {
  const page = await visit(testApp, testApp.admin)
  await page.goto('/documents')
  await expect(page.getByText('No documents yet')).toBeVisible()
  await look(page, 'documents-empty')

  await addFiles(page, [
    fileOf('handbook.pdf', handbook, 'application/pdf'),
    fileOf('notes.md', '# Notes\n\nThe kettle is in the attic.'),
    fileOf('film.mp4', 'x', 'video/mp4'),
    fileOf('huge.pdf', Buffer.alloc(10 * 1024 * 1024 + 1), 'application/pdf'),
    fileOf('nothing.txt', ''),
  ])
  await expect(tray(page).getByText('Larger than the 10 MB limit')).toBeVisible()
  await expect(tray(page).getByText('Unsupported file type')).toBeVisible()
  await expect(tray(page).getByText('Empty file')).toBeVisible()
  await expect(rowOf(page, 'handbook.pdf')).toContainText('Ready')
  await expect(rowOf(page, 'notes.md')).toContainText('Ready')
  await expect(tray(page).getByText('Uploads finished')).toBeVisible()
  await look(page, 'documents-tray')
  await tray(page).getByRole('button', { name: 'Close' }).click()
  await expect(tray(page)).toBeHidden()

  // The same bytes again are told, and nothing is added.
  await dropFiles(page, [
    { name: 'notes-again.md', text: '# Notes\n\nThe kettle is in the attic.' },
    { name: 'dropped.txt', text: 'Dropped from a folder.' },
  ])
  await expect(tray(page).getByText('Already here; nothing was added')).toBeVisible()
  await expect(rowOf(page, 'dropped.txt')).toContainText('Ready')
  await expect(page.getByRole('row')).toHaveCount(4)
  const { items } = await testApp.admin.api.call(documentsRoutes.search, { body: { query: 'kettle attic' } })
  expect(items[0]).toMatchObject({ filename: 'notes.md' })
})

test('a PDF is drawn in the page with the passage marked on it, and searched', async ({ visit }) => {
  const id = await document(testApp.admin, 'lathe.pdf', Buffer.concat([handbook, Buffer.from('\n')]))
  const { items } = await testApp.admin.api.call(documentsRoutes.search, { body: { query: 'oiled lathe Tuesday' } })
  expect(items.map(({ location }) => location?.number)).toContain(2)
  const page = await visit(testApp, testApp.admin)
  await page.goto('/settings/documents')
  await page.getByRole('searchbox', { name: 'Question' }).fill('When is the lathe oiled?')
  await page.getByRole('button', { name: 'Search', exact: true }).click()
  await page
    .getByRole('link', { name: /(lathe|handbook)\.pdf · Page 2/ })
    .first()
    .click()
  await expect(page.getByRole('group', { name: 'Page 2' }).getByText('The lathe is oiled')).toBeAttached()
  await expect(page.locator('[data-mark=passage]').first()).toBeVisible()
  await expect(page.getByRole('textbox', { name: 'Page' })).toHaveValue('2')
  // Something was drawn: the paper is not white all over.
  const drawn = page.getByRole('group', { name: 'Page 2' }).locator('canvas')
  await expect
    .poll(() =>
      drawn.evaluate((canvas) => {
        const paper = canvas as unknown as { width: number; height: number; getContext(kind: '2d'): CanvasRead }
        if (paper.width < 100) return false
        return paper
          .getContext('2d')
          .getImageData(0, 0, paper.width, paper.height)
          .data.some((value) => value < 100)
      }),
    )
    .toBe(true)
  await look(page, 'document-pdf')

  await page.goto(`/documents/${id}`)
  await page.getByRole('searchbox', { name: 'Find in document' }).fill('gloves')
  await expect(page.getByText('1 of 1')).toBeVisible()
  await expect(page.locator('[data-mark=current]')).toBeVisible()
  await page.getByText('Both', { exact: true }).click()
  await expect(page.locator('mark').filter({ hasText: 'Gloves' })).toBeVisible()

  await page.getByRole('button', { name: 'Test a question' }).click()
  const questions = page.getByRole('dialog', { name: 'Test a question' })
  await questions.getByRole('searchbox', { name: 'Question' }).fill('When is the lathe oiled?')
  await page.keyboard.press('Enter')
  await questions.getByRole('link', { name: /lathe\.pdf · Page 2/ }).click()
  await expect(questions).toBeHidden()
  await expect(page.locator('[data-mark=passage]').first()).toBeVisible()

  await page.getByRole('button', { name: 'Passages' }).click()
  const passages = page.getByRole('dialog', { name: 'Passages' })
  const pieces = passages.getByRole('list', { name: 'Passages' }).getByRole('listitem')
  await expect(pieces.first()).toContainText(/Passage 1\s*· Page 1/)
  await pieces.first().getByRole('button').press('Enter')
  await expect(pieces.first().getByRole('button')).toHaveAttribute('aria-expanded', 'true')
  await look(page, 'document-passages')
  await passages.getByRole('link', { name: 'Show passage 1 in the document' }).click()
  await expect(passages).toBeHidden()
  await expect(page).toHaveURL(/page=1/)
  await expect(page.locator('[data-mark=passage]').first()).toBeVisible()

  await page.getByRole('button', { name: 'Ask about this document' }).click()
  await expect(page).toHaveURL('/')
  await expect(page.getByRole('list', { name: 'Attachments' })).toContainText('lathe.pdf')
  await expect(page.getByRole('textbox', { name: 'Message' })).toBeFocused()
  await page.getByRole('button', { name: 'Remove lathe.pdf' }).click()
  await expect(page.getByRole('list', { name: 'Attachments' })).toHaveCount(0)

  await page.goto('/documents/not-a-document')
  await expect(page.getByText('Document not found')).toBeVisible()
})

test('the chats whose answers cite a document are listed on its page', async ({ visit }) => {
  const id = await document(testApp.admin, 'anvil.md', Buffer.from('# Anvil\n\nThe anvil is waxed in October.'))
  const page = await visit(testApp, testApp.admin)
  await page.goto(`/documents/${id}`)
  const selection = { providerType: 'builtin', providerId: 'builtin', model: 'excerpts' } as const
  const chat = await testApp.admin.api.call(chatRoutes.create, { body: { title: 'About anvils', selection } })
  const params = { sessionId: chat.id }
  await testApp.admin.api.call(chatRoutes.generate, { params, body: { message: 'When is the anvil waxed?' } })
  await page.getByRole('button', { name: 'Used in answers' }).click()
  const citing = page.getByRole('dialog', { name: 'Used in answers' })
  const cited = citing.getByRole('link', { name: /About anvils.*1 answer/ })
  await expect(cited).toBeVisible()
  await look(page, 'document-used-in')
  await cited.click()
  await expect(page.getByRole('log', { name: 'Messages in About anvils' })).toContainText('waxed in October')
})

interface CanvasRead {
  getImageData(x: number, y: number, width: number, height: number): { data: number[] }
}

test('a file that cannot be read says why, here and in the settings', async ({ visit }) => {
  await document(testApp.admin, 'broken.pdf', handbook.subarray(0, 60))
  const page = await visit(testApp, testApp.admin)
  await page.goto('/documents?status=failed')
  const row = rowOf(page, 'broken.pdf')
  await expect(row).toContainText('Failed')
  await expect(row).toContainText('damaged')
  await page.goto('/settings/documents')
  await expect(page.getByRole('listitem').filter({ hasText: 'broken.pdf' })).toContainText('damaged')
  await page.getByRole('textbox', { name: 'Passage length' }).fill('12')
  await page.keyboard.press('Enter')
  await expect(page.getByText('Enter a number from 200 to 8,000.')).toBeVisible()
  await page.getByRole('textbox', { name: 'Excerpts per question' }).fill('4')
  await page.keyboard.press('Enter')
  await expect
    .poll(async () => (await testApp.admin.api.call(documentsRoutes.embeddingSettings, {})).maxExcerpts)
    .toBe(4)
  await look(page, 'settings-documents')
})

test('what is deleted by key comes back by Undo, and keys go from row to row', async ({ visit }) => {
  const ben = await testApp.account('ben')
  for (const name of ['one.txt', 'two.txt', 'three.txt']) await document(ben, name, `The text of ${name}.`)
  const page = await visit(testApp, ben)
  await page.goto('/documents')
  await expect(page.getByRole('row')).toHaveCount(4)
  await page.keyboard.press('/')
  await expect(page.getByRole('searchbox', { name: 'Search by name' })).toBeFocused()
  await page.keyboard.type('two')
  await expect(page.getByRole('row')).toHaveCount(2)
  await page.keyboard.press('Escape')
  await expect(page.getByRole('row')).toHaveCount(4)
  await page.getByRole('link', { name: 'three.txt' }).focus()
  await page.keyboard.press('ArrowDown')
  await expect(page.getByRole('link', { name: 'two.txt' })).toBeFocused()
  await page.keyboard.press('Delete')
  await expect(page.getByRole('row')).toHaveCount(3)
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(rowOf(page, 'two.txt')).toBeVisible()

  await page.getByRole('checkbox', { name: 'Select all' }).check()
  await expect(page.getByText('3 selected')).toBeVisible()
  await page.getByRole('toolbar').getByRole('button', { name: 'Delete' }).click()
  await expect(page.getByText('No documents yet')).toBeVisible()
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByRole('row')).toHaveCount(4)
  await page.getByRole('button', { name: 'Name', exact: true }).click()
  await expect(page.getByRole('columnheader', { name: 'Name' })).toHaveAttribute('aria-sort', 'ascending')
  await expect(page.getByRole('row').nth(1)).toContainText('one.txt')
})

test('a collection is made, filled, shared with somebody, and out of their reach once that ends', async ({ visit }) => {
  const [clara, david] = [await testApp.account('clara'), await testApp.account('david')]
  await document(clara, 'garden.txt', 'The roses are cut in February.')
  const page = await visit(testApp, clara)
  await page.goto('/documents')
  await page.getByRole('button', { name: 'New collection' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Create' }).click()
  await expect(page.getByText('Enter a name.')).toBeVisible()
  await page.getByRole('dialog').getByLabel('Name').fill('Garden')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'Garden' })).toBeVisible()
  await page.getByRole('link', { name: 'All documents' }).click()
  await page.getByRole('button', { name: 'Menu for garden.txt' }).click()
  await page.getByRole('menuitem', { name: 'Move to' }).press('ArrowRight')
  await page.getByRole('menuitem', { name: 'Garden' }).click()
  const inGarden = rowOf(page, 'garden.txt').getByRole('link', { name: 'Garden', exact: true })
  await expect(inGarden).toBeVisible()
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(inGarden).toBeHidden()
  const shelf = page.getByRole('navigation', { name: 'Sections and collections' })
  await rowOf(page, 'garden.txt').dragTo(shelf.getByRole('link', { name: /^Garden/ }))
  await expect(inGarden).toBeVisible()

  await page.getByRole('button', { name: 'Menu for Garden', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Rename' }).click()
  await page.getByRole('dialog').getByLabel('Name').fill('Roses')
  await page.keyboard.press('Enter')
  await page
    .getByRole('link', { name: /^Roses/ })
    .first()
    .click()
  await page.getByRole('button', { name: 'Share', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Share “Roses”' })
  await expect(dialog.getByText('Only you have access')).toBeVisible()
  await dialog.getByRole('combobox', { name: 'Person or group' }).fill('dav')
  await dialog.getByRole('option', { name: /david/ }).click()
  await dialog.getByRole('button', { name: 'Share with david' }).click()
  await expect(dialog.getByRole('list', { name: 'People with access' })).toContainText('david')
  await look(page, 'share-dialog')

  const theirs = await visit(testApp, david)
  await theirs.goto('/documents?in=shared')
  await expect(rowOf(theirs, 'garden.txt')).toContainText('Roses · by clara')
  await look(theirs, 'documents-shared', { themes: ['light'] })
  const seek = () => david.api.call(documentsRoutes.search, { body: { query: 'roses cut February' } })
  const { items: own } = await david.api.call(accessRoutes.sharedWithMe, { query: {} })
  const reach = { body: { query: 'roses cut February', collectionIds: own.map(({ resourceId }) => resourceId) } }
  expect((await david.api.call(documentsRoutes.search, reach)).items).toHaveLength(1)

  await dialog.getByRole('button', { name: 'Stop sharing with david' }).click()
  await expect(dialog.getByText('Only you have access')).toBeVisible()
  expect((await seek()).items).toHaveLength(0)
  await expect(theirs.getByText('Nothing shared with you')).toBeVisible()
  await dialog.getByRole('button', { name: 'Close' }).click()

  // Its documents stay when it goes.
  await page.getByRole('button', { name: 'Menu for Roses' }).last().click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await expect(page.getByRole('dialog')).toContainText('Its document is kept')
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await expect(rowOf(page, 'garden.txt')).toContainText('Library')
})

test('an upload waits for a lost connection and goes on, and a page elsewhere does not stop it', async ({ visit }) => {
  const emil = await testApp.account('emil')
  const page = await visit(testApp, emil)
  await page.goto('/documents')
  await expect(page.getByText('No documents yet')).toBeVisible()
  await page.context().route('**/api/documents/upload', (route) => route.abort('connectionfailed'))
  await addFiles(page, [fileOf('late.txt', 'It came late.')])
  await expect(tray(page).getByText('You’re offline. Uploading resumes when you’re back.')).toBeVisible()
  await page.getByRole('link', { name: /^Chats?$/ }).click()
  await expect(page).not.toHaveURL(/documents/)
  await page.context().unroute('**/api/documents/upload')
  await expect.poll(async () => (await emil.api.call(documentsRoutes.list, { query: {} })).items.length).toBe(1)
  await page.getByRole('link', { name: 'Documents', exact: true }).click()
  await expect(rowOf(page, 'late.txt')).toContainText('Ready')
})

test('names have room on every page, and cards take the place of a table that would have none', async ({ visit }) => {
  const wilma = await testApp.account('wilma')
  // More than the page shows: what stands for the rows out of sight must not take room from the names.
  await Promise.all(
    Array.from({ length: 25 }, (_, index) => {
      const form = new FormData()
      form.append('document', new File([`Leaf ${index}`], `the-minutes-of-meeting-${index}.txt`))
      const headers = { authorization: `Bearer ${wilma.token}` }
      return fetch(`${testApp.url}/api/documents/upload`, { method: 'POST', headers, body: form })
    }),
  )
  const page = await visit(testApp, wilma, { viewport: { width: 900, height: 480 } })
  await page.goto('/documents')
  const name = page.getByRole('columnheader', { name: 'Name' })
  for (const width of [900, 1024, 1280, 1366]) {
    await page.setViewportSize({ width, height: 480 })
    await expect
      .poll(async () => (await name.boundingBox())?.width, { message: `${width}` })
      .toBeGreaterThanOrEqual(270)
  }
  await page.setViewportSize({ width: 768, height: 480 })
  await expect(page.getByRole('table')).toHaveCount(0)
  await expect(page.getByRole('link', { name: /^the-minutes-of-meeting/ }).first()).toBeVisible()
  expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBeLessThanOrEqual(768)
})

test('it fits a phone and reads from right to left', onlyInAll, async ({ visit }) => {
  const flora = await testApp.account('flora')
  await document(flora, `${'a-very-long-name-of-a-document-'.repeat(4)}.txt`, 'Short text.')
  const pdf = await document(flora, 'handbook.pdf', handbook)
  const page = await visit(testApp, flora, phone)
  await page.goto('/documents')
  await expect(page.getByRole('link', { name: /a-very-long-name/ })).toBeVisible()
  expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390)
  await look(page, 'documents-phone')
  await page.getByRole('button', { name: 'Collections' }).click()
  await expect(page.getByRole('dialog').getByRole('link', { name: 'Shared with me' })).toBeVisible()
  await page.keyboard.press('Escape')
  await page.goto(`/documents/${pdf}`)
  await expect(page.getByRole('group', { name: 'Page 1' })).toBeVisible()
  expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390)
  await look(page, 'document-phone', { themes: ['dark'] })
  await flora.api.call(settingsRoutes.update, { body: { language: 'ar' } })
  await page.goto('/documents')
  await expect(page.getByRole('heading', { name: 'كل المستندات' })).toBeVisible()
  await look(page, 'documents-phone-arabic', { themes: ['light'] })
})
