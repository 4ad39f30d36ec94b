import { accountDataRoutes } from '@atrium/contract/account-data'
import { chatRoutes } from '@atrium/contract/chat'
import { documentsRoutes } from '@atrium/contract/documents'
import { settingsRoutes } from '@atrium/contract/settings'
import { trashRoutes } from '@atrium/contract/trash'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestApp, startTestApp } from '../testing/app.ts'
import type { Client } from '../testing/client.ts'

let app: TestApp
let admin: Client
let ann: Client
beforeAll(async () => {
  app = await startTestApp()
  admin = await app.signUpAdmin()
  ann = await app.signUpUser('ann')
})
afterAll(() => app?.close())

const upload = async (name: string, text: string): Promise<Response> => {
  const form = new FormData()
  form.append('document', new Blob([text], { type: 'text/markdown' }), name)
  return await ann.raw('/api/documents/upload', { method: 'POST', body: form })
}
const attach = (text: string) =>
  ann.call(chatRoutes.attach, { query: { name: 'note.md' }, file: new Blob([text], { type: 'text/markdown' }) })
const setQuota = (storageQuotaBytes: number) =>
  admin.call(settingsRoutes.updateInstance, { body: { storageQuotaBytes } })
const own = () => ann.call(accountDataRoutes.ownStorage, {})

test('an account sees what takes its room, and administrators see the sum', async () => {
  expect(await own()).toMatchObject({ usedBytes: 0, quotaBytes: 10_000_000_000, largest: [] })
  const document = (await (await upload('plan.md', 'p'.repeat(3000))).json()) as { id: string }
  const { id: sessionId } = await ann.call(chatRoutes.create, { body: { title: 'Lisbon' } })
  const { id: attachmentId } = await attach('a'.repeat(1000))
  await ann.call(chatRoutes.addMessage, {
    params: { sessionId },
    body: { role: 'user', content: 'Look', attachmentIds: [attachmentId] },
  })
  const storage = await own()
  expect(storage.usedBytes).toBe(4000)
  const byRoom = storage.kinds.toSorted((a, b) => b.bytes - a.bytes || (a.kind < b.kind ? -1 : 1))
  expect(byRoom).toEqual([
    { kind: 'document', count: 1, bytes: 3000, trashedBytes: 0 },
    { kind: 'message', count: 1, bytes: 1000, trashedBytes: 0 },
    { kind: 'artifact', count: 0, bytes: 0, trashedBytes: 0 },
    { kind: 'code-file', count: 0, bytes: 0, trashedBytes: 0 },
    { kind: 'media', count: 0, bytes: 0, trashedBytes: 0 },
  ])
  expect(storage.largest).toEqual([
    { kind: 'document', id: document.id, name: 'plan.md', bytes: 3000, chatId: null, trashed: false },
    { kind: 'message', id: attachmentId, name: 'note.md', bytes: 1000, chatId: sessionId, trashed: false },
  ])
  const { items } = await admin.call(accountDataRoutes.accountStorage, {})
  expect(items).toEqual([{ id: expect.any(String), name: 'ann', bytes: 4000 }])

  await ann.call(documentsRoutes.remove, { params: { documentId: document.id } })
  expect(await own()).toMatchObject({ usedBytes: 4000, largest: [{ id: document.id, trashed: true }, {}] })
  await ann.call(trashRoutes.remove, { params: { id: document.id } })
  expect(await own()).toMatchObject({ usedBytes: 1000, largest: [{ id: attachmentId }] })
})

test('attachments go with the chat or the message that is deleted permanently, where no other chat uses them', async () => {
  const { id: sessionId } = await ann.call(chatRoutes.create, { body: { title: 'Porto' } })
  const params = { sessionId }
  const add = async (...attachmentIds: string[]) =>
    await ann.call(chatRoutes.addMessage, { params, body: { role: 'user', content: 'Look', attachmentIds } })
  const [ofMessage, ofChat, ofBoth] = [await attach('b'.repeat(100)), await attach('c'.repeat(200)), await attach('d')]
  await add(ofChat.id, ofBoth.id)
  const fork = await ann.call(chatRoutes.fork, { params, body: {} })
  const trashed = await add(ofMessage.id, ofBoth.id)
  await ann.call(chatRoutes.truncate, { params: { sessionId, messageId: trashed.id } })
  const before = (await own()).usedBytes
  await ann.call(trashRoutes.remove, { params: { id: trashed.id } })
  expect((await own()).usedBytes).toBe(before - 100)
  await ann.call(chatRoutes.remove, { params })
  expect((await own()).usedBytes).toBe(before - 100)
  await ann.call(trashRoutes.remove, { params: { id: sessionId } })
  expect((await own()).usedBytes).toBe(before - 100)
  await ann.call(chatRoutes.remove, { params: { sessionId: fork.id } })
  await ann.call(trashRoutes.remove, { params: { id: fork.id } })
  expect((await own()).usedBytes).toBe(before - 301)
  const { refusal } = ann
  for (const { id: attachmentId } of [ofMessage, ofChat, ofBoth])
    expect((await refusal(chatRoutes.attachmentContent, { params: { attachmentId } })).code).toBe(
      'attachment_not_found',
    )
})

test('what would go past the limit is refused with both figures, and an export is not', async () => {
  await setQuota(2000)
  const response = await upload('large.md', 'x'.repeat(1001))
  expect(response.status).toBe(413)
  expect(await response.json()).toMatchObject({
    code: 'quota_full',
    detail: expect.stringMatching(/1\.0 kB of 2\.0 kB.*1\.0 kB/),
  })
  const file = new Blob(['x'.repeat(1500)], { type: 'text/plain' })
  expect((await ann.refusal(chatRoutes.attach, { query: { name: 'large.txt' }, file })).code).toBe('quota_full')
  expect(await own()).toMatchObject({ usedBytes: 1000, quotaBytes: 2000 })
  await ann.call(accountDataRoutes.exportOwn, {})
  await expect.poll(async () => (await ann.call(accountDataRoutes.ownExports, {})).items[0]?.state).toBe('ready')
  expect((await own()).usedBytes).toBe(1000)

  await setQuota(0)
  expect((await own()).quotaBytes).toBeNull()
  expect((await upload('large.md', 'x'.repeat(1001))).ok).toBe(true)
})
