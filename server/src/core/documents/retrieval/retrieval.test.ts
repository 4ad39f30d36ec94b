import { accessRoutes } from '@atrium/contract/access'
import { documentsRoutes as routes } from '@atrium/contract/documents'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { withDatabase } from '../../../testing/databases.ts'
import { type DocumentHarness, openDocuments } from '../../../testing/document-harness.ts'
import { readToEnd, upload, uploadAndRead } from '../../../testing/documents.ts'

const noWords = 'The lighthouse keeper counts seven ships at dawn.'

withDatabase('retrieval', (open) => {
  let harness: DocumentHarness
  /** Happens while a question is being embedded: what may be read was looked up, and nothing is read yet. */
  let meanwhile: (() => Promise<unknown>) | null
  beforeEach(async () => {
    meanwhile = null
    harness = await openDocuments(open, {
      admit: async (call) => {
        await meanwhile?.()
        return call
      },
    })
  })
  afterEach(() => harness?.close())
  const hybrid = (more = {}) =>
    harness.settings(harness.ann, { enabled: true, providerId: 'local', model: 'meaning', ...more })
  const names = async (...asked: Parameters<DocumentHarness['ask']>) =>
    (await harness.ask(...asked)).items.map(({ source }) => source.name)
  const search = (client: typeof harness.ann, query: string, more = {}) =>
    client.call(routes.search, { body: { query, ...more } })

  test('a passage is found by its words, with where it stands', async () => {
    const document = await uploadAndRead(
      harness.ann,
      `# Pumps\n\n${noWords}\n\n# Warranty\n\nThe pump has a warranty of two years.`,
      {
        name: 'manual.md',
      },
    )
    const { items, retrieval } = await harness.ask('ann', 'How long is the warranty?')
    expect(items).toHaveLength(1)
    expect(items[0]?.source).toMatchObject({
      kind: 'document',
      documentId: document.id,
      name: 'manual.md',
      section: 'Warranty',
      foundBy: 'words',
      location: { kind: 'section', label: 'Warranty' },
    })
    expect(items[0]?.text).toContain('two years')
    const { content } = await harness.ann.call(routes.read, { params: { documentId: document.id } })
    const { startChar, endChar, passage } = items[0]?.source ?? { passage: '' }
    expect(content.slice(startChar, endChar)).toBe(passage)
    expect(retrieval).toMatchObject({
      mode: 'keyword',
      query: 'How long is the warranty?',
      documents: 1,
      excerpts: 1,
      nothingMatched: false,
      asked: false,
      nearest: [],
      notes: [],
    })
    expect(retrieval.tokens).toBeGreaterThan(5)
  })

  test('the answer of the search route says how each passage was found', async () => {
    await uploadAndRead(harness.ann, 'The aardvark sleeps.', { name: 'a.txt' })
    const { items, retrieval } = await search(harness.ann, 'aardvark')
    expect(items).toMatchObject([
      { filename: 'a.txt', fileType: 'txt', content: 'The aardvark sleeps.', foundBy: 'words', similarity: null },
    ])
    expect(items[0]?.lexical).toBeGreaterThan(0)
    expect(retrieval).toMatchObject({ mode: 'keyword', excerpts: 1 })
    expect((await search(harness.bob, 'aardvark')).items).toEqual([])
    const refused = (body: object) => harness.bob.refusal(routes.search, { body: { query: 'aardvark', ...body } })
    expect((await refused({ sessionId: 'chat-1' })).code).toBe('chat_not_found')
    expect((await refused({ collectionIds: ['nothing'] })).code).toBe('collection_not_found')
  })

  test('a passage with only a relative of a word does not qualify, and is told as near', async () => {
    await uploadAndRead(harness.ann, 'Charging takes four hours.', { name: 'bike.txt' })
    const { items, retrieval } = await harness.ask('ann', 'charged')
    expect(items).toEqual([])
    expect(retrieval).toMatchObject({ nothingMatched: true, excerpts: 0, documents: 1 })
    expect(retrieval.nearest).toMatchObject([{ name: 'bike.txt', foundBy: 'words' }])
    expect(retrieval.nearest[0]?.score).toBeGreaterThan(0)
    const nothing = await harness.ask('ann', 'xylophone')
    expect(nothing.retrieval).toMatchObject({ nothingMatched: true, nearest: [] })
  })

  test('a question looks in its chat, in chosen collections and in the library, and nowhere else', async () => {
    const { id } = await harness.ann.call(routes.createCollection, { body: { name: 'Zoo' } })
    await uploadAndRead(harness.ann, 'wombat in the chat', { name: 'chat.txt', sessionId: 'chat-1' })
    await uploadAndRead(harness.ann, 'wombat in the collection', { name: 'collection.txt', collectionId: id })
    await uploadAndRead(harness.ann, 'wombat in the library', { name: 'library.txt' })
    const found = async (scope: object) => (await names('ann', 'wombat', { scope })).toSorted()
    expect(await found({})).toEqual(['library.txt'])
    expect(await found({ sessionId: 'chat-1' })).toEqual(['chat.txt', 'library.txt'])
    expect(await found({ sessionId: 'chat-1', library: false })).toEqual(['chat.txt'])
    expect(await found({ sessionId: 'chat-2', library: false })).toEqual([])
    expect(await found({ collectionIds: [id], library: false })).toEqual(['collection.txt'])
    const asked = async (scope: object) => (await harness.ask('ann', 'wombat', { scope })).retrieval.asked
    expect(await asked({ sessionId: 'chat-1' })).toBe(true)
    expect(await asked({ sessionId: 'chat-2' })).toBe(false)
    expect(await asked({ collectionIds: [id] })).toBe(true)
    expect(await asked({})).toBe(false)
    // Ids of somebody else are nothing.
    expect(await names('bob', 'wombat', { scope: { sessionId: 'chat-1', collectionIds: [id] } })).toEqual([])
    expect((await search(harness.ann, 'wombat')).items).toHaveLength(2)
    const none = { sessionId: null, library: false, collectionIds: [] }
    expect((await harness.ask('ann', 'wombat', { scope: none })).retrieval).toMatchObject({
      mode: 'none',
      documents: 0,
      nothingMatched: false,
    })
    expect(await harness.documents.hasAny('ann', none)).toBe(false)
    expect(await harness.documents.hasAny('ann', { ...none, sessionId: 'chat-1' })).toBe(true)
    expect(await harness.documents.hasAny('bob', { ...none, sessionId: 'chat-1', collectionIds: [id] })).toBe(false)
  })

  test('a shared collection is searched until the share is revoked, by words and by meaning, while its vectors stay', async () => {
    await hybrid()
    const { id } = await harness.ann.call(routes.createCollection, { body: { name: 'Zoo' } })
    await uploadAndRead(harness.ann, 'Our automobile is green.', { name: 'shared.txt', collectionId: id })
    await harness.embedded(harness.ann)
    await harness.settings(harness.bob, { enabled: true, providerId: 'local', model: 'meaning' })
    const found = async (query: string) => names('bob', query, { scope: { collectionIds: [id] } })
    expect(await found('green')).toEqual([])
    const grant = await harness.share(id, 'bob')
    expect(await found('green')).toEqual(['shared.txt'])
    expect(await found('vehicle')).toEqual(['shared.txt'])
    await harness.ann.call(accessRoutes.revoke, { params: { id: grant.id } })
    expect(await found('green')).toEqual([])
    expect(await found('vehicle')).toEqual([])
    const calls = harness.provider.requests.filter(({ path }) => path === '/api/embed').length
    await harness.share(id, 'bob')
    expect(await found('vehicle')).toEqual(['shared.txt'])
    // Nothing but the question itself was embedded again.
    expect(harness.provider.requests.filter(({ path }) => path === '/api/embed')).toHaveLength(calls + 1)
  })

  test('what is revoked or deleted in the middle of a search is not shown by it', async () => {
    await hybrid()
    await harness.settings(harness.bob, { enabled: true, providerId: 'local', model: 'meaning' })
    const { id } = await harness.ann.call(routes.createCollection, { body: { name: 'Zoo' } })
    const document = await uploadAndRead(harness.ann, 'Our car is green.', { name: 'shared.txt', collectionId: id })
    await harness.embedded(harness.ann)
    const { id: grantId } = await harness.share(id, 'bob')
    const scope = { collectionIds: [id] }
    expect(await names('bob', 'car', { scope })).toEqual(['shared.txt'])
    meanwhile = () => harness.ann.call(accessRoutes.revoke, { params: { id: grantId } })
    expect(await names('bob', 'car', { scope })).toEqual([])
    meanwhile = () => harness.ann.call(routes.remove, { params: { documentId: document.id } })
    expect(await names('ann', 'car', { scope })).toEqual([])
  })

  test('a deleted document is found no more, until it is restored', async () => {
    const { id } = await uploadAndRead(harness.ann, 'The aardvark sleeps.', { name: 'a.txt' })
    await harness.ann.call(routes.remove, { params: { documentId: id } })
    expect(await names('ann', 'aardvark')).toEqual([])
    await harness.ann.call(routes.restore, { params: { documentId: id } })
    expect(await names('ann', 'aardvark')).toEqual(['a.txt'])
  })

  test('hybrid mode finds by meaning what has none of the words, and says by what each was found', async () => {
    await hybrid()
    await uploadAndRead(harness.ann, 'The automobile needs fuel.', { name: 'meant.txt' })
    await uploadAndRead(harness.ann, 'A car is a car.', { name: 'both.txt' })
    await uploadAndRead(harness.ann, noWords, { name: 'other.txt' })
    await harness.embedded(harness.ann)
    const { items, retrieval } = await harness.ask('ann', 'car')
    expect(items.map(({ source }) => [source.name, source.foundBy])).toEqual([
      ['both.txt', 'both'],
      ['meant.txt', 'meaning'],
    ])
    expect(items[0]?.source.score).toBeCloseTo(2 / 61)
    expect(retrieval).toMatchObject({ mode: 'hybrid', notes: [] })
    const [hit] = (await search(harness.ann, 'car')).items
    expect(hit?.similarity).toBeGreaterThan(0.9)
  })

  test('vectors below the threshold do not qualify, and are told as near', async () => {
    await hybrid({ similarityThreshold: 0.95 })
    await uploadAndRead(harness.ann, 'The automobile needs fuel and many other things besides.', { name: 'far.txt' })
    await harness.embedded(harness.ann)
    const { items, retrieval } = await harness.ask('ann', 'car')
    expect(items).toEqual([])
    expect(retrieval).toMatchObject({ nothingMatched: true, mode: 'hybrid' })
    expect(retrieval.nearest).toMatchObject([{ name: 'far.txt', foundBy: 'meaning' }])
  })

  test('without its model hybrid mode finds by words, and says so', async () => {
    await hybrid()
    await uploadAndRead(harness.ann, 'The car needs fuel.', { name: 'car.txt' })
    await harness.embedded(harness.ann)
    for (const fault of ['status-500', 'status-400', 'status-429'] as const) {
      harness.provider.control({ fault })
      const { items, retrieval } = await harness.ask('ann', 'car')
      expect(items.map(({ source }) => source.name)).toEqual(['car.txt'])
      expect(retrieval, fault).toMatchObject({ mode: 'keyword', notes: [{ code: 'embeddings_failed' }] })
    }
    harness.provider.control({ fault: null })
    await harness.settings(harness.ann, { model: 'gone' })
    const { items, retrieval } = await harness.ask('ann', 'car')
    expect(items).toHaveLength(1)
    expect(retrieval.notes).toContainEqual({ code: 'embeddings_failed' })
  })

  test('documents of others that have vectors of another model are found by words, and it is told', async () => {
    await hybrid()
    const { id } = await harness.ann.call(routes.createCollection, { body: { name: 'Zoo' } })
    await uploadAndRead(harness.ann, 'The car needs fuel.', { name: 'car.txt', collectionId: id })
    await harness.embedded(harness.ann)
    await harness.share(id, 'bob')
    await harness.settings(harness.bob, { enabled: true, providerId: 'local', model: 'meaning-too' })
    const { items, retrieval } = await harness.ask('bob', 'car', { scope: { collectionIds: [id] } })
    expect(items.map(({ source }) => source.foundBy)).toEqual(['words'])
    expect(retrieval.notes).toEqual([{ code: 'other_embedding_model', count: 1 }])
  })

  test('neighbours come as one passage, and not every place goes to one document', async () => {
    await harness.settings(harness.ann, { chunkSize: 200, chunkOverlap: 40, maxExcerpts: 3 })
    const sentence = (at: number) =>
      `Sentence number ${at} is about the zebra and about nothing else in the world at all. `
    const long = await uploadAndRead(harness.ann, Array.from({ length: 12 }, (_, at) => sentence(at)).join(''), {
      name: 'long.txt',
    })
    expect(long.chunks).toBeGreaterThan(5)
    await uploadAndRead(harness.ann, 'Another word about the zebra, which is about the world and nothing else.', {
      name: 'short.txt',
    })
    const { items } = await harness.ask('ann', 'zebra world nothing')
    expect(items.map(({ source }) => source.name)).toContain('short.txt')
    const { content } = await harness.ann.call(routes.read, { params: { documentId: long.id } })
    const joined = items.find(({ source }) => (source.endChar ?? 0) - (source.startChar ?? 0) > 250)
    expect(joined?.source.passage).toBe(content.slice(joined?.source.startChar, joined?.source.endChar))
  })

  test('a follow-up question is worded anew by the model, and one that stands alone is not', async () => {
    await uploadAndRead(harness.ann, 'The pump has a warranty of two years.', { name: 'pump.txt' })
    const asked: string[] = []
    const ask = async (_system: string, text: string) => {
      asked.push(text)
      return 'How long is the warranty of the pump?'
    }
    const history = [
      { role: 'user' as const, text: 'Tell me about the pump.' },
      { role: 'assistant' as const, text: 'It is blue.' },
    ]
    const { items, retrieval } = await harness.ask('ann', 'And how long does it last?', { history, ask })
    expect(retrieval).toMatchObject({ query: 'How long is the warranty of the pump?', notes: [] })
    expect(items).toHaveLength(1)
    expect(asked[0]).toContain('It is blue.')
    await harness.ask('ann', 'How long is the warranty of the yellow bicycle?', { history, ask })
    await harness.ask('ann', 'And how long does it last?', { ask })
    await harness.settings(harness.ann, { rewriteQuestions: false })
    await harness.ask('ann', 'And how long does it last?', { history, ask })
    expect(asked).toHaveLength(1)
  })

  test('when the model fails, the question stays as it is and the passages in their order, and both are told', async () => {
    await harness.settings(harness.ann, { rerank: true })
    await uploadAndRead(harness.ann, 'The pump and the other pump.', { name: 'one.txt' })
    await uploadAndRead(harness.ann, 'A pump.', { name: 'two.txt' })
    const before = await names('ann', 'What is it about the pump?')
    const history = [{ role: 'user' as const, text: 'Hello.' }]
    const answers: (() => Promise<string>)[] = [
      async () => Promise.reject(new Error('The model is away.')),
      async () => '',
      async () => 'I would rather not.',
    ]
    for (const ask of answers) {
      const { items, retrieval } = await harness.ask('ann', 'What is it about the pump?', { history, ask })
      expect(items.map(({ source }) => source.name)).toEqual(before)
      expect(retrieval.notes).toContainEqual({ code: 'rerank_failed' })
    }
    const { retrieval } = await harness.ask('ann', 'What is it about the pump?', { history, ask: answers[0] ?? null })
    expect(retrieval.notes).toEqual([{ code: 'rewrite_failed' }, { code: 'rerank_failed' }])
    expect(retrieval.query).toBe('What is it about the pump?')
  })

  test('the model puts passages in another order', async () => {
    await harness.settings(harness.ann, { rerank: true, maxExcerpts: 2 })
    for (const name of ['one', 'two', 'three'])
      await uploadAndRead(harness.ann, `A pump, ${name}.`, { name: `${name}.txt` })
    const orders: string[] = []
    const ask = async (_system: string, text: string) => {
      orders.push(...(text.match(/A pump, \w+/g) ?? []))
      return '[3, 1]'
    }
    const found = await names('ann', 'pump', { ask })
    expect(orders).toHaveLength(3)
    expect(found).toEqual([orders[2], orders[0]].map((words) => `${words?.slice(8)}.txt`))
  })

  test('whole documents are given when they fit, in order of upload, and passages when they do not', async () => {
    const first = await uploadAndRead(harness.ann, 'Nothing to see.', { name: 'first.txt', sessionId: 'chat-1' })
    await uploadAndRead(harness.ann, 'The wombat digs. '.repeat(100), { name: 'second.txt', sessionId: 'chat-1' })
    const scope = { sessionId: 'chat-1', library: false }
    const whole = await harness.ask('ann', 'wombat', { scope, full: { maxTokens: 1000 } })
    expect(whole.items.map(({ source }) => source.name)).toEqual(['first.txt', 'second.txt'])
    expect(whole.items[0]).toMatchObject({
      text: 'Nothing to see.',
      source: { documentId: first.id, foundBy: 'whole', startChar: 0, endChar: 15 },
    })
    expect(whole.retrieval).toMatchObject({ mode: 'full', excerpts: 2, documents: 2, notes: [] })
    const little = await harness.ask('ann', 'wombat', { scope, full: { maxTokens: 100 } })
    expect(little.retrieval.mode).toBe('keyword')
    expect(little.retrieval.notes).toEqual([{ code: 'full_too_large', count: whole.retrieval.tokens, limit: 100 }])
    expect(new Set(little.items.map(({ source }) => source.name))).toEqual(new Set(['second.txt']))
  })

  test('what is attached to a chat goes whole while it fits, in pieces that can be cited, beside passages of the rest', async () => {
    const text = '# Tents\n\nPitch it dry.\n\n# Stoves\n\nNever inside. '.padEnd(900, 'The wombat digs. ')
    const { id } = await uploadAndRead(harness.ann, text, { name: 'camp.md', sessionId: 'chat-1' })
    const scope = { sessionId: 'chat-1', library: false }
    const asked = 'Summarise this document'
    const plain = await harness.ask('ann', asked, { scope })
    expect(plain.retrieval).toMatchObject({ nothingMatched: true, excerpts: 0 })
    const whole = await harness.ask('ann', asked, { scope, attached: { maxTokens: 1000 } })
    expect(whole.items.map(({ source }) => [source.documentId, source.foundBy, source.section])).toEqual([
      [id, 'whole', 'Tents'],
      [id, 'whole', 'Stoves'],
    ])
    const { content } = await harness.ann.call(routes.read, { params: { documentId: id } })
    expect(whole.items.map((item) => item.text).join('')).toBe(content)
    expect(whole.retrieval).toMatchObject({ mode: 'full', documents: 1, nothingMatched: false, notes: [] })

    await uploadAndRead(harness.ann, 'A stove weighs a pound.', { name: 'library.txt' })
    const both = { scope: { sessionId: 'chat-1', library: true }, attached: { maxTokens: 1000 } }
    const beside = await harness.ask('ann', 'How much does a stove weigh?', both)
    expect(beside.items.map(({ source }) => source.name)).toEqual(['camp.md', 'camp.md', 'library.txt'])
    expect((await harness.ask('ann', asked, both)).retrieval).toMatchObject({ mode: 'full', documents: 1 })
  })

  test('what is attached and too long is looked in, and shows its beginning where nothing matches', async () => {
    const long = `The first words.\n\n${'The wombat digs. '.repeat(400)}`
    await uploadAndRead(harness.ann, long, { name: 'long.txt', sessionId: 'chat-1' })
    const more = { scope: { sessionId: 'chat-1', library: false }, attached: { maxTokens: 200 } }
    const found = await harness.ask('ann', 'wombat', more)
    expect(new Set(found.items.map(({ source }) => source.foundBy))).toEqual(new Set(['words']))
    const begun = await harness.ask('ann', 'Zusammenfassung?', more)
    expect(begun.items[0]).toMatchObject({ source: { name: 'long.txt', foundBy: 'beginning', startChar: 0 } })
    expect(begun.items[0]?.text).toContain('The first words.')
    expect(begun.retrieval).toMatchObject({ nothingMatched: false, nearest: [] })
    const mine = { scope: { sessionId: 'chat-1', library: true }, attached: { maxTokens: 200 } }
    expect((await harness.ask('bob', 'Zusammenfassung?', mine)).items).toEqual([])
  })

  test('documents that cannot be searched yet, or ever, are told', async () => {
    await uploadAndRead(harness.ann, 'A wombat.', { name: 'good.txt' })
    const { id } = await upload(
      harness.ann,
      new Uint8Array([0x25, 0x50, 0x44, 0x46, 0x2d, 0x31, 0x2e, 0x37, 10, 1, 2]),
      {
        name: 'broken.pdf',
      },
    )
    expect((await readToEnd(harness.ann, id)).processingStatus).toBe('failed')
    // What others have is not counted.
    await uploadAndRead(harness.bob, 'A wombat of somebody else.', { name: 'other.txt' })
    const { retrieval } = await harness.ask('ann', 'wombat')
    expect(retrieval.documents).toBe(1)
    expect(retrieval.notes).toEqual([{ code: 'documents_failed', count: 1 }])
  })
})
