import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { accessRoutes } from '@atrium/contract/access'
import { documentsRoutes as routes } from '@atrium/contract/documents'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { withDatabase } from '../../testing/databases.ts'
import {
  type DocumentsHarness,
  formOf,
  openDocuments,
  readToEnd,
  upload,
  uploadAndRead,
} from '../../testing/documents.ts'
import type { Client } from '../../testing/client.ts'

const maxBytes = 10 * 1024 * 1024

withDatabase('uploads', (open) => {
  let harness: DocumentsHarness
  let ann: Client
  let bob: Client
  beforeAll(async () => {
    harness = await openDocuments(open)
    ann = await harness.account('ann')
    bob = await harness.account('bob')
  })
  afterAll(() => harness.close())

  const bytesOf = (client: Client) => harness.files.size(client.token ?? '')
  const refused = async (client: Client, content: string | Uint8Array, sent?: Parameters<typeof formOf>[1]) => {
    const before = await bytesOf(client)
    const { code } = await client.refusal(routes.upload, { file: await formOf(content, sent) })
    expect(await bytesOf(client)).toBe(before)
    return code
  }

  test('answer at once with the document and its job', async () => {
    const accepted = await upload(ann, 'The aardvark sleeps under the veranda.', { name: 'animals.txt' })
    expect(accepted).toMatchObject({
      filename: 'animals.txt',
      fileType: 'txt',
      size: 38,
      sessionId: null,
      collectionId: null,
      shared: false,
      deduplicated: false,
      processingError: null,
      jobId: expect.any(String),
    })
    const read = await readToEnd(ann, accepted.id)
    expect(read).toMatchObject({ processingStatus: 'completed', chunks: 1, contentChars: 38 })
    const { items } = await ann.call(routes.search, { body: { query: 'aardvark' } })
    expect(items).toMatchObject([{ documentId: accepted.id, filename: 'animals.txt' }])
  })

  test('take exactly 10 MB, and not one byte more', async () => {
    const most = new Uint8Array(maxBytes).fill(0x20)
    most.set(Buffer.from('A pangolin at the start. '))
    const accepted = await upload(ann, most, { name: 'most.txt' })
    expect(accepted.size).toBe(maxBytes)
    expect(await readToEnd(ann, accepted.id)).toMatchObject({ processingStatus: 'completed' })
    const tooMuch = new Uint8Array(maxBytes + 1).fill(0x20)
    expect(await refused(ann, tooMuch, { name: 'more.txt' })).toBe('too_large')
    expect(await refused(ann, new Uint8Array(maxBytes + 200_000), { name: 'more.txt' })).toBe('too_large')
  })

  test('are refused when they are empty, of no kind that is read, or not what they say', async () => {
    expect(await refused(ann, '', { name: 'empty.pdf' })).toBe('document_empty')
    const noise = new Uint8Array(2000).map((_, at) => (at * 7919) % 256)
    expect(await refused(ann, noise, { name: 'program.exe' })).toBe('document_unsupported')
    expect(await refused(ann, noise, { name: 'letter.docx', type: 'application/pdf' })).toBe('document_unsupported')
    expect(await refused(ann, noise, { name: 'text.txt', type: 'text/plain' })).toBe('document_unsupported')
  })

  test('are what their bytes are, whatever their names and types say', async () => {
    const { fileType } = await upload(ann, '{\\rtf1 Hello from a rich text}', { name: 'x.txt', type: 'image/png' })
    expect(fileType).toBe('rtf')
  })

  test('are forms with one file', async () => {
    const form = new FormData()
    form.set('file', new File(['In the other field.'], 'other.txt'))
    const other = await ann.call(routes.upload, { file: await new Response(form).blob() })
    expect(other.filename).toBe('other.txt')
    form.delete('file')
    form.set('document', 'only words')
    const none = await ann.refusal(routes.upload, { file: await new Response(form).blob() })
    expect(none).toMatchObject({ code: 'validation_failed', problem: { errors: [{ path: 'body.document' }] } })
    expect((await ann.refusal(routes.upload, { file: new Blob(['x']) })).code).toBe('unsupported_media_type')
    form.set('document', new File(['x'], 'x.txt'))
    form.set('unknown', 'field')
    expect((await ann.refusal(routes.upload, { file: await new Response(form).blob() })).code).toBe('validation_failed')
  })

  test.each([
    ['the way to another folder', '../../etc/passwd.txt', 'passwd.txt'],
    ['the way on another system', 'C:\\windows\\system.ini.txt', 'system.ini.txt'],
    ['marks that turn it round', '\u202etxt.exe\u202c.txt', 'txt.exe.txt'],
    ['4 KB', `${'long'.repeat(1024)}.txt`, `${'long'.repeat(62)}lon.txt`],
    ['other letters', 'تقرير سنوي.txt', 'تقرير سنوي.txt'],
  ])('with a name of %s are kept without harm', async (_, name, kept) => {
    const accepted = await upload(ann, `A text of its own called ${kept}`, { name })
    expect(accepted.filename).toBe(kept)
  })

  test('that break off leave nothing', async () => {
    const url = new URL(ann.baseUrl)
    const before = [await bytesOf(bob), (await bob.call(routes.list, {})).items.length]
    const body = Buffer.from(await (await formOf('x'.repeat(50_000))).arrayBuffer())
    const type = (await formOf('x')).type
    for (const [length, sent] of [
      [body.length, body.subarray(0, 30_000)],
      [body.length + 5000, body],
    ] as const) {
      const socket = connect(Number(url.port), url.hostname)
      socket.on('error', () => undefined)
      socket.write(
        `POST /api/documents/upload HTTP/1.1\r\nhost: ${url.host}\r\nauthorization: Bearer ${bob.token}\r\ncontent-type: ${type}\r\ncontent-length: ${length}\r\n\r\n`,
      )
      socket.write(sent, () => socket.destroy())
      await new Promise((resolve) => socket.once('close', resolve))
    }
    // All of the request came, but not all of the form.
    const cut = new Blob([body.subarray(0, 30_000)], { type })
    expect((await bob.refusal(routes.upload, { file: cut })).code).toBe('validation_failed')
    await sleep(200)
    expect([await bytesOf(bob), (await bob.call(routes.list, {})).items.length]).toEqual(before)
  })

  test('go only into own chats and collections', async () => {
    await harness.addChat(ann.token ?? '', 'chat-of-ann')
    const { id: collectionId } = await ann.call(routes.createCollection, { body: { name: 'Of Ann' } })
    expect(await refused(ann, 'x', { sessionId: 'unknown-id-0001' })).toBe('chat_not_found')
    expect(await refused(ann, 'x', { collectionId: 'unknown-id-0001' })).toBe('collection_not_found')
    expect(await refused(bob, 'x', { sessionId: 'chat-of-ann' })).toBe('chat_not_found')
    expect(await refused(bob, 'x', { collectionId })).toBe('collection_not_found')
    expect(await refused(ann, 'x', { sessionId: 'chat-of-ann', collectionId })).toBe('validation_failed')
    expect(await upload(ann, 'In a chat', { sessionId: 'chat-of-ann' })).toMatchObject({ sessionId: 'chat-of-ann' })
    expect(await upload(ann, 'In a collection', { collectionId })).toMatchObject({ collectionId })
  })

  test('of the same bytes give one document in a scope, also when they race', async () => {
    await harness.addChat(ann.token ?? '', 'dedupe')
    const before = await bytesOf(ann)
    const text = 'The same bytes, ten times at once.'
    const all = await Promise.all(Array.from({ length: 10 }, (_, n) => upload(ann, text, { name: `copy-${n}.txt` })))
    expect(new Set(all.map(({ id }) => id)).size).toBe(1)
    expect(all.filter(({ deduplicated }) => !deduplicated)).toHaveLength(1)
    expect(await bytesOf(ann)).toBe(before + text.length)
    const inChat = await upload(ann, text, { sessionId: 'dedupe' })
    expect(inChat).toMatchObject({ deduplicated: false, sessionId: 'dedupe' })
    expect(await upload(ann, text, { sessionId: 'dedupe' })).toMatchObject({ id: inChat.id, deduplicated: true })
    const ofBob = await upload(bob, text)
    expect(ofBob.deduplicated).toBe(false)
    expect(new Set([all[0]?.id, inChat.id, ofBob.id]).size).toBe(3)
  })

  test('of bytes that were deleted are new, and the deleted ones can still come back', async () => {
    const first = await uploadAndRead(ann, 'Here, gone, and here again.')
    await ann.call(routes.remove, { params: { documentId: first.id } })
    const second = await upload(ann, 'Here, gone, and here again.')
    expect(second).toMatchObject({ deduplicated: false })
    expect(second.id).not.toBe(first.id)
    await ann.call(routes.restore, { params: { documentId: first.id } })
    expect(await upload(ann, 'Here, gone, and here again.')).toMatchObject({ id: second.id, deduplicated: true })
  })

  test('of what is there already are copies in a chat, also of what somebody else shares', async () => {
    await harness.addChat(ann.token ?? '', 'copies')
    await harness.addChat(bob.token ?? '', 'copies-of-bob')
    const original = await uploadAndRead(ann, 'The lighthouse keeper counts ships.', { name: 'ships.txt' })
    const copyTo = (sessionId: string) => ({ params: { documentId: original.id }, body: { sessionId } })
    const copy = await ann.call(routes.copy, copyTo('copies'))
    expect(copy).toMatchObject({ filename: 'ships.txt', sessionId: 'copies', deduplicated: false })
    const textOf = async (client: Client, documentId: string) => {
      await readToEnd(client, documentId)
      return (await client.call(routes.read, { params: { documentId } })).content
    }
    expect(await textOf(ann, copy.id)).toBe('The lighthouse keeper counts ships.')
    expect(await ann.call(routes.copy, copyTo('copies'))).toMatchObject({ id: copy.id, deduplicated: true })
    expect((await ann.refusal(routes.copy, copyTo('copies-of-bob'))).code).toBe('chat_not_found')
    const ofBob = copyTo('copies-of-bob')
    expect((await bob.refusal(routes.copy, ofBob)).code).toBe('document_not_found')
    await ann.call(accessRoutes.grant, {
      body: {
        resourceType: 'document',
        resourceId: original.id,
        principalType: 'account',
        principalId: bob.token ?? '',
      },
    })
    const shared = await bob.call(routes.copy, ofBob)
    await ann.call(routes.remove, { params: { documentId: original.id } })
    expect(await textOf(bob, shared.id)).toBe('The lighthouse keeper counts ships.')
  })

  test('of bytes that could not be read are read once more', async () => {
    const broken = `%PDF-1.7\n${'nothing of a document '.repeat(50)}`
    const first = await uploadAndRead(ann, broken, { name: 'broken.pdf' })
    expect(first).toMatchObject({ processingStatus: 'failed', processingErrorCode: expect.any(String) })
    const again = await upload(ann, broken, { name: 'broken.pdf' })
    expect(again).toMatchObject({ id: first.id, deduplicated: true, processingStatus: 'queued' })
    expect(again.jobId).not.toBe(first.jobId)
    expect((await readToEnd(ann, first.id)).processingStatus).toBe('failed')
  })
})
