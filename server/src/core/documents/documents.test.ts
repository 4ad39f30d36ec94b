import { accessRoutes } from '@atrium/contract/access'
import { documentsRoutes as routes } from '@atrium/contract/documents'
import { durableJobsRoutes } from '@atrium/contract/durable-jobs'
import type { Call, Route } from '@atrium/contract/route'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Client } from '../../testing/client.ts'
import { withDatabase } from '../../testing/databases.ts'
import { type DocumentsHarness, openDocuments, readToEnd, upload, uploadAndRead } from '../../testing/documents.ts'
import { sampleOf } from '../../testing/sample.ts'
import { parseQuery } from '../search/query.ts'
import { trashKeptMs } from '../resources/index.ts'
import type { DocumentTables } from './tables.ts'

withDatabase('documents', (open) => {
  let harness: DocumentsHarness
  beforeAll(async () => {
    harness = await openDocuments(open, { temporarySessions: async () => ['fleeting'] })
  })
  afterAll(() => harness.close())

  let accounts = 0
  const account = () => harness.account(`person-${++accounts}`)
  const of = (documentId: string) => ({ params: { documentId } })
  const found = async (client: Client, query: string, more: object = {}) =>
    (await client.call(routes.search, { body: { query, ...more } })).items.map(({ documentId }) => documentId)
  const collect = async (client: Client, name = 'Reports') =>
    (await client.call(routes.createCollection, { body: { name } })).id
  const share = (owner: Client, resourceId: string, reader: Client) =>
    owner.call(accessRoutes.grant, {
      body: { resourceType: 'collection', resourceId, principalType: 'account', principalId: reader.token ?? '' },
    })
  const tablesWith = async (words: readonly string[]): Promise<string[]> => {
    const tables = harness.database.tables<Record<string, Record<string, unknown>>>()
    const hits: string[] = []
    for (const { name } of await tables.introspection.getTables()) {
      if (name.startsWith('search_words_')) continue
      for (const row of await tables.selectFrom(name).selectAll().execute()) {
        const bytes = Buffer.concat(
          Object.values(row).map((value) => (value instanceof Uint8Array ? value : Buffer.from(String(value)))),
        )
        if (words.some((word) => bytes.includes(word))) hits.push(name)
      }
    }
    return hits
  }

  test('of temporary chats are in no list, search, count, export or trash, but in their chat', async () => {
    const ann = await account()
    const accountId = ann.token ?? ''
    await harness.addChat(accountId, 'fleeting')
    const [hidden, deleted] = [
      await uploadAndRead(ann, 'A hidden kakapo', { sessionId: 'fleeting' }),
      await uploadAndRead(ann, 'A deleted kakapo', { sessionId: 'fleeting' }),
    ]
    await ann.call(routes.remove, of(deleted.id))
    const { document } = harness.documents.resources
    for (const query of [{}, { in: 'chats' as const }])
      expect((await ann.call(routes.list, { query })).items).toEqual([])
    expect(await document.search(accountId, parseQuery('kakapo').wanted, 10)).toEqual([])
    expect(await document.search(accountId, parseQuery('has:document').wanted, 10)).toEqual([])
    expect(await document.count?.(accountId)).toBe(0)
    expect(await document.trash?.list(accountId, 10, null)).toEqual([])
    const files: string[] = []
    const { signal } = new AbortController()
    for await (const { name } of document.export?.(accountId, signal) ?? []) files.push(name)
    expect(files).toEqual(['documents/index.json'])
    const inChat = await ann.call(routes.ofSession, { params: { sessionId: 'fleeting' }, query: {} })
    expect(inChat.items.map(({ id }) => id)).toEqual([hidden.id])
    expect(await found(ann, 'kakapo', { sessionId: 'fleeting', library: false })).toEqual([hidden.id])
  })

  test('are listed newest first, page by page, by where they are, by state, and by words of their names', async () => {
    const ann = await account()
    await harness.addChat(ann.token ?? '', 'talk')
    const collectionId = await collect(ann)
    const ids: string[] = []
    for (let n = 0; n < 5; n++) ids.unshift((await uploadAndRead(ann, `Text ${n}`, { name: `Year ${n} plan.txt` })).id)
    const inChat = await uploadAndRead(ann, 'In a chat', { name: 'talk.md', sessionId: 'talk' })
    const inCollection = await uploadAndRead(ann, 'Put together', { name: 'PLAN of all.txt', collectionId })
    const listed = async (query: object) => (await ann.call(routes.list, { query })).items.map(({ id }) => id)
    const all = [inCollection.id, inChat.id, ...ids]
    expect(await listed({})).toEqual(all)
    expect(await listed({ in: 'library' })).toEqual(ids)
    expect(await listed({ in: 'chats' })).toEqual([inChat.id])
    expect(await listed({ in: 'shared' })).toEqual([])
    expect(await listed({ collectionId })).toEqual([inCollection.id])
    expect(await listed({ status: 'failed' })).toEqual([])
    expect(await listed({ q: 'plan' })).toEqual([inCollection.id, ...ids])
    expect(await listed({ q: 'PLAN year 3' })).toEqual([ids[1]])
    const paged: string[] = []
    let cursor: string | undefined
    do {
      const page = await ann.call(routes.list, { query: { limit: 2, q: 'plan', ...(cursor ? { cursor } : {}) } })
      paged.push(...page.items.map(({ id }) => id))
      cursor = page.nextCursor ?? undefined
    } while (cursor)
    expect(paged).toEqual([inCollection.id, ...ids])
    const ofChat = await ann.call(routes.ofSession, { params: { sessionId: 'talk' }, query: {} })
    expect(ofChat.items.map(({ id }) => id)).toEqual([inChat.id])
    expect((await ann.refusal(routes.list, { query: { cursor: 'nonsense' } })).code).toBe('bad_cursor')
  })

  test('are read with the places of their text, and their source in any part', async () => {
    const ann = await account()
    const text = '# First\n\nWords of the first.\n\n# Second\n\nWords of the second, with 😀 in them.\n'
    const { id } = await uploadAndRead(ann, text, { name: 'parts.md' })
    const read = await ann.call(routes.read, of(id))
    expect(read.segments.map(({ kind, label }) => [kind, label])).toEqual([
      ['section', 'First'],
      ['section', 'Second'],
    ])
    const second = read.segments[1]
    expect(read.content.slice(second?.startChar, second?.endChar)).toContain('Words of the second, with 😀')
    const bytes = Buffer.from(text)
    const get = (headers: Record<string, string> = {}) => ann.raw(`/api/documents/${id}/source`, { headers })
    const whole = await get()
    expect([whole.status, await whole.text()]).toEqual([200, text])
    expect(Object.fromEntries(whole.headers)).toMatchObject({
      'accept-ranges': 'bytes',
      'cache-control': 'no-store',
      'content-type': 'text/plain; charset=utf-8',
      'x-content-type-options': 'nosniff',
    })
    const part = await get({ range: 'bytes=2-6' })
    expect([part.status, await part.text()]).toEqual([206, 'First'])
    expect(part.headers.get('content-range')).toBe(`bytes 2-6/${bytes.length}`)
    const end = await get({ range: 'bytes=-10' })
    expect(await end.text()).toBe(bytes.subarray(-10).toString())
    const beyond = await get({ range: 'bytes=9999-' })
    expect([beyond.status, beyond.headers.get('content-range')]).toEqual([416, `bytes */${bytes.length}`])
    expect(await beyond.json()).toMatchObject({ code: 'range_not_satisfiable' })
  })

  test('show the passages that they were cut into, page by page, once they are read', async () => {
    const ann = await account()
    await ann.call(routes.updateEmbeddingSettings, { body: { chunkSize: 200, chunkOverlap: 40 } })
    const text = Array.from(
      { length: 12 },
      (_, n) => `# Part ${n}\n\n${`Sentence ${n} of the ibis. `.repeat(10)}`,
    ).join('\n\n')
    const { id, chunks } = await uploadAndRead(ann, text, { name: 'ibis.md' })
    const { content } = await ann.call(routes.read, of(id))
    const first = await ann.call(routes.passages, { ...of(id), query: { limit: 5 } })
    expect(first.items.map(({ index }) => index)).toEqual([0, 1, 2, 3, 4])
    expect(first.items[0]).toMatchObject({ startChar: 0, location: { kind: 'section', label: 'Part 0' } })
    for (const { startChar, endChar, content: words } of first.items)
      expect(content.slice(startChar, endChar)).toContain(words.trim().slice(-20))
    const all = [...first.items]
    for (let cursor = first.nextCursor; cursor !== null; ) {
      const page = await ann.call(routes.passages, { ...of(id), query: { limit: 5, cursor } })
      all.push(...page.items)
      cursor = page.nextCursor
    }
    expect(all.map(({ index }) => index)).toEqual(Array.from({ length: chunks }, (_, index) => index))
    expect((await ann.refusal(routes.passages, { ...of(id), query: { cursor: 'x' } })).code).toBe('bad_cursor')
  })

  test('that could run are never shown in place', async () => {
    const ann = await account()
    const { id } = await upload(ann, '<html><body><script>alert(1)</script><p>Hello there</p></body></html>', {
      name: 'page.html',
      type: 'text/html',
    })
    const { headers } = await ann.raw(`/api/documents/${id}/source`)
    expect(headers.get('content-disposition')).toMatch(/^attachment; filename="page.html"/)
    expect(headers.get('content-security-policy')).toContain('sandbox')
  })

  test('move between chat, library and collections, and searches follow', async () => {
    const ann = await account()
    await harness.addChat(ann.token ?? '', 'move')
    const { id } = await uploadAndRead(ann, 'A marmoset moves house.', { sessionId: 'move' })
    const collectionId = await collect(ann)
    const where = { library: false, sessionId: 'move' }
    expect(await found(ann, 'marmoset', where)).toEqual([id])
    expect(await found(ann, 'marmoset')).toEqual([])
    expect(await ann.call(routes.keep, of(id))).toMatchObject({ sessionId: null, collectionId: null })
    expect(await found(ann, 'marmoset', where)).toEqual([])
    expect(await found(ann, 'marmoset')).toEqual([id])
    expect(await ann.call(routes.move, { ...of(id), body: { collectionId } })).toMatchObject({ collectionId })
    expect(await found(ann, 'marmoset', { library: false, collectionIds: [collectionId] })).toEqual([id])
    expect(await found(ann, 'marmoset', { collectionIds: [] })).toEqual([])
    await ann.call(routes.removeCollection, { params: { collectionId } })
    expect(await found(ann, 'marmoset', { collectionIds: [] })).toEqual([id])
    expect(await ann.call(routes.read, of(id))).toMatchObject({ collectionId: null })
    expect((await ann.refusal(routes.move, { ...of(id), body: { collectionId } })).code).toBe('collection_not_found')
  })

  test('that are deleted are found no more, come back when they are restored, and are gone after thirty days', async () => {
    const ann = await account()
    const { id } = await uploadAndRead(ann, 'The numbat is shy.')
    await ann.call(routes.remove, of(id))
    expect(await found(ann, 'numbat')).toEqual([])
    expect((await ann.refusal(routes.read, of(id))).code).toBe('document_not_found')
    expect((await ann.refusal(routes.remove, of(id))).code).toBe('document_not_found')
    expect((await ann.call(routes.list, {})).items).toEqual([])
    expect(await ann.call(routes.restore, of(id))).toMatchObject({ id, processingStatus: 'completed' })
    expect(await found(ann, 'numbat')).toEqual([id])
    expect((await ann.refusal(routes.restore, of(id))).code).toBe('document_not_found')
    await ann.call(routes.remove, of(id))
    const tables = harness.database.tables<DocumentTables>()
    const lieFor = async (days: number) => {
      const deleted_at = Date.now() - days * 24 * 60 * 60_000
      await tables.updateTable('documents').set({ deleted_at }).where('id', '=', id).execute()
      await harness.documents.resources.document.trash.removeExpired(
        Date.now() - trashKeptMs,
        AbortSignal.timeout(60_000),
      )
    }
    // Of two, the one whose time is over goes, and the other one stays.
    const other = await uploadAndRead(ann, 'The quoll is not.')
    await ann.call(routes.remove, of(other.id))
    await tables.updateTable('documents').set({ deleted_at: 0 }).where('id', '=', other.id).execute()
    await lieFor(29)
    await expect.poll(() => tablesWith([other.id])).not.toContain('documents')
    expect(await tablesWith([id])).toContain('documents')
    await lieFor(31)
    await expect.poll(() => tablesWith([id])).not.toContain('documents')
    expect((await ann.refusal(routes.restore, of(id))).code).toBe('document_not_found')
    await expect.poll(() => harness.files.size(ann.token ?? '')).toBe(0)
  })

  test('are read again, and found again when that is done', async () => {
    const ann = await account()
    const first = await uploadAndRead(ann, 'The quokka smiles.')
    const again = await ann.call(routes.retry, of(first.id))
    expect(again).toMatchObject({ id: first.id, processingStatus: 'queued' })
    expect(again.jobId).not.toBe(first.jobId)
    expect(await readToEnd(ann, first.id)).toMatchObject({ processingStatus: 'completed', chunks: 1 })
    expect(await found(ann, 'quokka')).toEqual([first.id])
  })

  test('that are cancelled while they are read are gone, and those that are read stay', async () => {
    const ann = await account()
    const text = 'The tapir walks through the forest at night. '.repeat(20_000)
    const { id } = await upload(ann, text)
    expect(await ann.call(routes.cancel, of(id))).toEqual({ outcome: 'cancelled' })
    expect((await ann.refusal(routes.read, of(id))).code).toBe('document_not_found')
    const read = await uploadAndRead(ann, 'The okapi stays.')
    expect(await ann.call(routes.cancel, of(read.id))).toEqual({ outcome: 'already-ended' })
    expect(await found(ann, 'okapi')).toEqual([read.id])
    expect(await found(ann, 'tapir')).toEqual([])
    await expect.poll(() => harness.files.size(ann.token ?? '')).toBe(16)
  })

  test('that are read anew stay when that is cancelled, and can be read again', async () => {
    const ann = await account()
    const { id } = await uploadAndRead(ann, 'The numbat eats termites. '.repeat(20_000))
    await ann.call(routes.retry, of(id))
    expect(await ann.call(routes.cancel, of(id))).toEqual({ outcome: 'cancelled' })
    expect(await readToEnd(ann, id)).toMatchObject({ processingStatus: 'failed', processingErrorCode: 'cancelled' })
    expect(await ann.call(routes.passages, of(id))).toEqual({ items: [], nextCursor: null })
    await ann.call(routes.retry, of(id))
    expect(await readToEnd(ann, id)).toMatchObject({ processingStatus: 'completed' })
    expect(await found(ann, 'numbat')).toContain(id)
  })

  test('that are deleted while they are read leave nothing half done, and are read when they come back', async () => {
    const ann = await account()
    const { id } = await upload(ann, 'The dugong grazes on the floor of the sea. '.repeat(20_000))
    await expect.poll(async () => (await ann.call(routes.read, of(id))).processingStatus).toBe('processing')
    await ann.call(routes.remove, of(id))
    expect(await found(ann, 'dugong')).toEqual([])
    const { items } = await ann.call(durableJobsRoutes.list, { query: {} })
    await expect
      .poll(async () => (await ann.call(durableJobsRoutes.read, { params: { id: items[0]?.id ?? '' } })).finishedAt)
      .not.toBe(null)
    expect(await found(ann, 'dugong')).toEqual([])
    await ann.call(routes.restore, of(id))
    expect(await readToEnd(ann, id)).toMatchObject({ processingStatus: 'completed' })
    expect(await found(ann, 'dugong')).toContain(id)
  })

  test('whose job was stopped say so, and are read when that is asked for', async () => {
    const ann = await account()
    const { id, jobId } = await upload(ann, 'The gharial waits in the river. '.repeat(20_000))
    await ann.call(durableJobsRoutes.cancel, { params: { id: jobId ?? '' } })
    expect(await readToEnd(ann, id)).toMatchObject({ processingStatus: 'failed', processingErrorCode: 'cancelled' })
    await ann.call(routes.retry, of(id))
    expect(await readToEnd(ann, id)).toMatchObject({ processingStatus: 'completed', processingErrorCode: null })
  })

  test('that are hostile fail with a reason, and the next one is read', async () => {
    const ann = await account()
    const nested = `${'['.repeat(200_000)}${']'.repeat(200_000)}`
    const bad = await upload(ann, nested, { name: 'nested.json' })
    const broken = await upload(ann, `%PDF-1.7\n${'junk '.repeat(500)}`, { name: 'broken.pdf' })
    const good = await upload(ann, 'The kakapo cannot fly.', { name: 'good.txt' })
    expect(await readToEnd(ann, good.id)).toMatchObject({ processingStatus: 'completed' })
    const failed = await readToEnd(ann, broken.id)
    expect(failed).toMatchObject({
      processingStatus: 'failed',
      chunks: 0,
      processingError: expect.stringMatching(/\.$/),
    })
    expect(['completed', 'failed']).toContain((await readToEnd(ann, bad.id)).processingStatus)
    expect(await found(ann, 'kakapo')).toEqual([good.id])
  })

  test('and collections are put together by name, counted, renamed and limited to their owner', async () => {
    const ann = await account()
    const id = await collect(ann, 'Plans')
    const { code } = await ann.refusal(routes.createCollection, { body: { name: ' plans ' } })
    expect(code).toBe('collection_exists')
    await uploadAndRead(ann, 'One', { collectionId: id })
    await uploadAndRead(ann, 'Two', { collectionId: id })
    const other = await collect(ann, 'Others')
    const { items } = await ann.call(routes.collections, {})
    expect(
      items.map(({ name, documentCount, shared, grantCount }) => [name, documentCount, shared, grantCount]),
    ).toEqual([
      ['Plans', 2, false, 0],
      ['Others', 0, false, 0],
    ])
    const rename = (collectionId: string, name: string) =>
      ({ params: { collectionId }, body: { name } }) satisfies Call<typeof routes.renameCollection>
    expect((await ann.refusal(routes.renameCollection, rename(other, 'PLANS'))).code).toBe('collection_exists')
    expect(await ann.call(routes.renameCollection, rename(other, 'OTHERS'))).toMatchObject({ name: 'OTHERS' })
  })

  test('of others are not there, on any route', async () => {
    const [ann, bob] = [await account(), await account()]
    await harness.addChat(ann.token ?? '', 'private')
    const collectionId = await collect(ann)
    const { id } = await uploadAndRead(ann, 'The secret of the axolotl.')
    const deleted = await uploadAndRead(ann, 'The secret of the olm.')
    await ann.call(routes.remove, of(deleted.id))
    for (const [name, route] of Object.entries(routes) as [string, Route][]) {
      if (!route.params) continue
      const params = Object.fromEntries(
        Object.keys(route.params.shape).map((key) => [
          key,
          key === 'collectionId'
            ? collectionId
            : key === 'sessionId'
              ? 'private'
              : name === 'restore'
                ? deleted.id
                : id,
        ]),
      )
      const call = { params, ...(route.body ? { body: sampleOf(route.body) } : {}) }
      expect((await bob.refusal(route, call as never)).status, name).toBe(404)
    }
    expect(await found(bob, 'axolotl')).toEqual([])
    expect(await found(bob, 'axolotl', { documentIds: [id] })).toEqual([])
    expect((await bob.refusal(routes.search, { body: { query: 'x', sessionId: 'private' } })).code).toBe(
      'chat_not_found',
    )
    expect((await bob.refusal(routes.list, { query: { collectionId } })).code).toBe('collection_not_found')
    expect((await bob.call(routes.list, {})).items).toEqual([])
    expect((await ann.call(routes.read, of(id))).content).toContain('axolotl')
  })

  test('are shared by collections to be read and found, not to be changed, and a revoked share is out at once', async () => {
    const [ann, bob] = [await account(), await account()]
    const collectionId = await collect(ann)
    const { id } = await uploadAndRead(ann, 'The coelacanth was found again.', { name: 'fish.txt', collectionId })
    expect(await found(bob, 'coelacanth')).toEqual([])
    const grant = await share(ann, collectionId, bob)
    expect(await found(bob, 'coelacanth')).toEqual([id])
    expect((await bob.call(routes.list, { query: { in: 'shared' } })).items).toMatchObject([
      { id, shared: true, filename: 'fish.txt', jobId: null, sessionId: null, collectionId },
    ])
    expect((await bob.call(routes.collections, {})).items).toMatchObject([
      {
        id: collectionId,
        shared: true,
        documentCount: 1,
        grantCount: null,
        ownerName: expect.stringMatching(/^person-/),
      },
    ])
    expect((await bob.call(routes.read, of(id))).content).toContain('coelacanth')
    expect(await (await bob.call(routes.source, of(id))).text()).toContain('coelacanth')
    expect((await bob.call(routes.passages, of(id))).items).toMatchObject([
      { content: expect.stringContaining('found') },
    ])
    for (const route of [routes.keep, routes.retry, routes.cancel, routes.remove, routes.restore])
      expect((await bob.refusal(route, of(id))).code).toBe('right_missing')
    expect((await bob.refusal(routes.move, { ...of(id), body: { collectionId: null } })).code).toBe('right_missing')
    const params = { collectionId }
    expect((await bob.refusal(routes.removeCollection, { params })).code).toBe('right_missing')
    expect((await bob.refusal(routes.renameCollection, { params, body: { name: 'Mine' } })).code).toBe('right_missing')
    await ann.call(accessRoutes.revoke, { params: { id: grant.id } })
    expect(await found(bob, 'coelacanth')).toEqual([])
    expect((await bob.refusal(routes.read, of(id))).code).toBe('document_not_found')
    expect((await bob.refusal(routes.source, of(id))).code).toBe('document_not_found')
    expect((await bob.refusal(routes.passages, of(id))).code).toBe('document_not_found')
    expect((await bob.call(routes.list, {})).items).toEqual([])
    expect(await found(ann, 'coelacanth')).toEqual([id])
  })

  test('tell the open pages of their owner and of those who share them', async () => {
    const [ann, bob, cleo] = [await account(), await account(), await account()]
    const collectionId = await collect(ann)
    await share(ann, collectionId, bob)
    const heard = (client: Client) =>
      new Set(harness.told.flatMap((line) => (line.startsWith(`${client.token} `) ? line.split(' ')[1] : [])))
    harness.told.length = 0
    const { id } = await uploadAndRead(ann, 'The pika gathers hay.', { collectionId })
    // A document is ready a moment before everybody was told.
    const jobs = async () => (await harness.jobs.list(ann.token ?? '', { limit: 10 })).items.map(({ state }) => state)
    await expect.poll(jobs).toEqual(['succeeded'])
    expect(heard(ann)).toEqual(new Set(['document-changed']))
    expect(heard(bob)).toEqual(new Set(['document-changed']))
    harness.told.length = 0
    await ann.call(routes.move, { ...of(id), body: { collectionId: null } })
    expect(heard(ann)).toEqual(new Set(['document-changed', 'collections-changed']))
    expect(heard(bob)).toEqual(new Set(['document-removed', 'collections-changed']))
    await ann.call(routes.move, { ...of(id), body: { collectionId } })
    harness.told.length = 0
    await ann.call(routes.remove, of(id))
    expect(heard(bob)).toEqual(new Set(['document-removed', 'collections-changed']))
    expect(heard(cleo)).toEqual(new Set())
  })

  test('of a collection that is removed are shared no more', async () => {
    const [ann, bob] = [await account(), await account()]
    const collectionId = await collect(ann)
    const { id } = await uploadAndRead(ann, 'The thylacine is remembered.', { collectionId })
    await share(ann, collectionId, bob)
    expect(await found(bob, 'thylacine')).toEqual([id])
    harness.told.length = 0
    await ann.call(routes.removeCollection, { params: { collectionId } })
    expect(harness.told).toContain(`${bob.token} collections-changed`)
    expect(await found(bob, 'thylacine')).toEqual([])
    expect((await bob.call(accessRoutes.sharedWithMe, {})).items).toEqual([])
  })

  test('of a chat or an account that is gone for good are gone with everything', async () => {
    const [ann, bob] = [await account(), await account()]
    await harness.addChat(ann.token ?? '', 'ending')
    const inChat = await uploadAndRead(ann, 'The vaquita of the chat.', { sessionId: 'ending' })
    const kept = await uploadAndRead(ann, 'The vaquita of the library.')
    const ofBob = await uploadAndRead(bob, 'The vaquita of Bob.')
    await harness.documents.removeSessions(['ending'])
    expect((await ann.refusal(routes.read, of(inChat.id))).code).toBe('document_not_found')
    expect(await found(ann, 'vaquita')).toEqual([kept.id])
    for (const kind of Object.values(harness.documents.resources)) await kind.removeAccount?.(ann.token ?? '')
    await harness.files.removeAccount(ann.token ?? '')
    expect(await found(ann, 'vaquita')).toEqual([])
    expect(await tablesWith([inChat.id, kept.id])).not.toContain('documents')
    for (const table of ['document_chunks', 'document_texts', 'search_groups', 'search_entries'])
      expect(await tablesWith([inChat.id, kept.id]), table).not.toContain(table)
    expect(await found(bob, 'vaquita')).toEqual([ofBob.id])
  })

  test('put no word of their text and no name into the database', async () => {
    const ann = await account()
    const planted = 'zyzzyvawort'
    const collectionId = await collect(ann, `${planted} collection`)
    const { id } = await uploadAndRead(ann, `The ${planted} eats. `.repeat(500), {
      name: `${planted}.txt`,
      collectionId,
    })
    await uploadAndRead(ann, `%PDF-1.7 ${planted}`, { name: `${planted}-broken.pdf` })
    expect(await found(ann, planted)).toContain(id)
    expect(await tablesWith([planted])).toEqual([])
    expect(harness.lines.join('\n')).not.toContain(planted)
  })
})
