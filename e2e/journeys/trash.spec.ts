/** The trash: what was deleted, of every kind, seen, restored and found again, or deleted for good. */
import { chatRoutes } from '@atrium/contract/chat'
import { documentsRoutes } from '@atrium/contract/documents'
import { searchRoutes } from '@atrium/contract/search'
import type { Page } from '@playwright/test'
import { type Account, makeChat, openTestApp } from '../harness/test-app.ts'
import { look } from '../harness/look.ts'
import { expect, phone, test } from '../harness/test.ts'

const testApp = openTestApp({ models: ['echo'] })
const entry = (page: Page, name: string) =>
  page.getByRole('list', { name: 'Deleted items' }).getByRole('listitem').filter({ hasText: name })

/** Takes a document in and waits until it is found by a word of it. */
async function takeIn({ token, api }: Account, name: string, word: string): Promise<string> {
  const form = new FormData()
  form.set('document', new File([`The ${word} stands in ${name}.`], name, { type: 'text/plain' }))
  const answer = await fetch(`${testApp.url}/api/documents/upload`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
    body: form,
  })
  expect(answer.status).toBe(202)
  await expect.poll(() => foundBy({ api }, word)).toContain(name)
  return ((await answer.json()) as { id: string }).id
}
const foundBy = async ({ api }: Pick<Account, 'api'>, word: string): Promise<string[]> =>
  (await api.call(searchRoutes.everything, { query: { q: word } })).items.map(({ title }) => title)

test('deleted documents are seen in the trash, restored there, and found again', async ({ visit }) => {
  const ada = await testApp.account('ada')
  await takeIn(ada, 'kettle.txt', 'zweikessel')
  await takeIn(ada, 'ladder.txt', 'dreileiter')
  const page = await visit(testApp, ada)
  await page.goto('/documents')
  await page.getByRole('checkbox', { name: 'Select all' }).check()
  await page.getByRole('toolbar').getByRole('button', { name: 'Delete' }).click()
  await expect(page.getByRole('button', { name: 'Undo' })).toBeVisible()
  await expect.poll(() => foundBy(ada, 'zweikessel')).toEqual([])

  await page.getByRole('navigation', { name: 'Sections and collections' }).getByRole('link', { name: 'Trash' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Trash' })).toBeVisible()
  await expect(entry(page, 'kettle.txt')).toContainText(/Document · Deleted .*, kept until /)
  await look(page, 'trash-documents')
  await entry(page, 'kettle.txt').getByRole('button', { name: 'Restore' }).press('Enter')
  await expect(page.getByText('kettle.txt restored.')).toBeVisible()
  await expect(entry(page, 'kettle.txt')).toHaveCount(0)
  await expect(page.getByRole('heading', { level: 1, name: 'Trash' })).toBeFocused()
  await expect.poll(() => foundBy(ada, 'zweikessel')).toEqual(['kettle.txt'])

  await entry(page, 'ladder.txt').getByRole('button', { name: 'Delete permanently' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete permanently' }).click()
  await expect(page.getByText('The trash is empty', { exact: true })).toBeVisible()
  await page.goto('/documents')
  await expect(page.getByRole('row').filter({ hasText: 'kettle.txt' })).toBeVisible()
  await expect(page.getByRole('row').filter({ hasText: 'ladder.txt' })).toHaveCount(0)
})

test('every kind stands in one list, newest first, and all of it is deleted for good at once', async ({ visit }) => {
  const ben = await testApp.account('ben')
  const chat = await makeChat(ben, { title: 'A chat to lose', messages: ['Keep', 'this', 'in mind'] })
  const { api } = ben
  const collection = await api.call(documentsRoutes.createCollection, { body: { name: 'Garden plans' } })
  const document = await takeIn(ben, 'hedge.txt', 'viertelhecke')
  await api.call(documentsRoutes.remove, { params: { documentId: document } })
  await api.call(documentsRoutes.removeCollection, { params: { collectionId: collection.id } })
  await api.call(chatRoutes.remove, { params: { sessionId: chat } })
  const page = await visit(testApp, ben, phone)
  await page.goto('/trash')
  const entries = page.getByRole('list', { name: 'Deleted items' }).getByRole('listitem')
  await expect(entries).toHaveText([/^A chat to lose\s*Chat/, /^Garden plans\s*Collection/, /^hedge\.txt\s*Document/])
  await look(page, 'trash-phone')

  await entry(page, 'Garden plans').getByRole('button', { name: 'Restore' }).tap()
  await expect(entries).toHaveCount(2)
  await page.getByRole('button', { name: 'Empty trash' }).tap()
  await page.getByRole('dialog').getByRole('button', { name: 'Empty trash' }).tap()
  await expect(page.getByText('The trash is empty', { exact: true })).toBeVisible()
  await look(page, 'trash-empty', { themes: ['light'] })
  const { items } = await api.call(documentsRoutes.collections, {})
  expect(items.map(({ name }) => name)).toEqual(['Garden plans'])
})
