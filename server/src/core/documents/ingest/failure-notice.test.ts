import { documentsRoutes } from '@atrium/contract/documents'
import { notificationsRoutes } from '@atrium/contract/notifications'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestApp, startTestApp } from '../../../testing/app.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app?.close())

test('the owner of a document that could not be read is notified, until it is deleted for good', async () => {
  const ann = await app.signUpAdmin()
  const form = new FormData()
  form.append('document', new Blob(['%PDF-1.7 and no more'], { type: 'application/pdf' }), 'broken.pdf')
  const upload = await ann.raw('/api/documents/upload', { method: 'POST', body: form })
  const { id } = (await upload.json()) as { id: string }
  const told = async () => (await ann.call(notificationsRoutes.list, {})).items.map(({ kind, facts }) => [kind, facts])
  await expect.poll(told).toEqual([['document-failed', { documentId: id, name: 'broken.pdf' }]])
  await ann.call(documentsRoutes.remove, { params: { documentId: id } })
  await ann.raw('/api/trash', { method: 'DELETE' })
  await expect.poll(told).toEqual([])
})
