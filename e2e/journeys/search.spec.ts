/** One search over everything: by the page, by the palette, by keyboard, and nothing of anybody else. */
import { chatRoutes } from '@atrium/contract/chat'
import { documentsRoutes } from '@atrium/contract/documents'
import { searchRoutes } from '@atrium/contract/search'
import type { Page } from '@playwright/test'
import { pdf } from '../harness/documents.ts'
import { type Account, openTestApp } from '../harness/test-app.ts'
import { look } from '../harness/look.ts'
import { composer } from '../harness/talk.ts'
import { expect, test } from '../harness/test.ts'

const testApp = openTestApp()
const field = (page: Page) => page.getByRole('searchbox', { name: 'Search chats, messages and documents' })
const hits = (page: Page) => page.getByRole('main').getByRole('listitem')

/** A chat with a question, its answer and a title. */
const talk = async ({ api }: Account, title: string, message: string) => {
  const selection = { providerType: 'local' as const, providerId: null, model: 'echo:latest' }
  const { id } = await api.call(chatRoutes.create, { body: { title, selection } })
  await api.call(chatRoutes.generate, { params: { sessionId: id }, body: { message } })
  return id
}

test('chats, messages and documents are found by their words and opened where they stand', async ({ visit }) => {
  const { admin } = testApp
  await talk(admin, 'Trip to Bremen', 'When do the harbour cranes in Bremen stand still?')
  await talk(admin, 'Something else', 'A recipe for bread')
  const file = pdf('harbour.pdf', [
    'Nothing of interest',
    'The harbour cranes stand still at night',
    'In winter the harbour cranes are repaired',
  ])
  const form = new FormData()
  form.set('document', new Blob([new Uint8Array(file.buffer)], { type: file.mimeType }), file.name)
  const sent = await fetch(`${testApp.url}/api/documents/upload`, {
    method: 'POST',
    headers: { authorization: `Bearer ${admin.token}` },
    body: form,
  })
  expect(sent.status).toBe(202)
  const everything = async () => {
    const { items } = await admin.api.call(searchRoutes.everything, { query: { q: 'harbour cranes' } })
    return new Set(items.map(({ kind }) => kind))
  }
  await expect.poll(everything).toEqual(new Set(['message', 'document']))

  const page = await visit(testApp, admin)
  await page.goto('/')
  await composer(page).waitFor()
  await page.keyboard.press('ControlOrMeta+Shift+F')
  await expect(page.getByRole('heading', { name: 'Search', exact: true })).toBeVisible()
  await expect(field(page)).toBeFocused()
  await look(page, 'search-begin')
  await field(page).fill('harbour cranes')
  await expect(hits(page).filter({ hasText: 'harbour.pdf' })).toContainText(/Page [23]/)
  await expect(hits(page).filter({ hasText: 'harbour.pdf' })).toContainText('1 more match in this document')
  await expect(page.getByRole('group', { name: 'Search operators' })).toBeVisible()
  await expect(hits(page).filter({ hasText: 'Trip to Bremen' }).first()).toBeVisible()
  await expect(hits(page).filter({ hasText: 'Something else' })).toHaveCount(0)
  await expect(page.getByRole('main').locator('mark').first()).toHaveText(/harbour/i)
  await look(page, 'search-hits')

  await field(page).fill('harbour cranes in:documents')
  await expect(hits(page)).toHaveCount(1)
  await field(page).fill('harbour cranes from:me has:wings')
  await expect(page.getByText('Not recognized and ignored: has:wings')).toBeVisible()
  await expect(hits(page)).toHaveCount(1)
  await field(page).fill('harbour cranes in:documents')
  await expect(hits(page)).toContainText('harbour.pdf')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/documents\/.+from=\d+/)
  await page.goBack()
  await expect(field(page)).toHaveValue('harbour cranes in:documents')

  await field(page).fill('zeppelin')
  await expect(page.getByRole('heading', { name: 'No results' })).toBeVisible()
  await page.setViewportSize({ width: 390, height: 844 })
  await look(page, 'search-nothing-phone')
})

test('the palette finds what stands inside, and leads to all of it', async ({ visit }) => {
  const page = await visit(testApp, testApp.admin)
  await page.goto('/')
  await composer(page).waitFor()
  await page.keyboard.press('ControlOrMeta+K')
  await page.getByRole('combobox').fill('harbour cranes')
  const group = page.getByRole('group', { name: 'In messages and documents' })
  await expect(group.getByRole('option', { name: /harbour\.pdf/ })).toBeVisible()
  await look(page, 'search-palette')
  await group.getByRole('option', { name: 'Search everything for “harbour cranes”' }).click()
  await expect(field(page)).toHaveValue('harbour cranes')
})

test('nobody finds what belongs to somebody else, and what is deleted is found no more', async ({ visit }) => {
  const nora = await testApp.account('nora')
  const page = await visit(testApp, nora)
  // As a browser's own search would write it: nothing of it is taken for a number or a text of JSON.
  for (const words of ['1.0', '"harbour cranes"', 'true']) {
    await page.goto(`/search?${new URLSearchParams({ q: words })}`)
    await expect(field(page)).toHaveValue(words)
  }
  await page.goto('/search?q=harbour+cranes')
  await expect(page.getByRole('heading', { name: 'No results' })).toBeVisible()
  const { items } = await testApp.admin.api.call(documentsRoutes.list, { query: {} })
  for (const { id } of items) await testApp.admin.api.call(documentsRoutes.remove, { params: { documentId: id } })
  const found = await testApp.admin.api.call(searchRoutes.everything, { query: { q: 'harbour cranes in:documents' } })
  expect(found.items).toEqual([])
})
