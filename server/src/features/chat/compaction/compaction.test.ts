import { readFile } from 'node:fs/promises'
import { chatRoutes } from '@atrium/contract/chat'
import type { Selection } from '@atrium/contract/common'
import { settingsRoutes } from '@atrium/contract/settings'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type ChatHarness, local, newChat, openChats, say, until } from '../../../testing/chats.ts'
import type { Client } from '../../../testing/client.ts'
import { withDatabase, openerFor } from '../../../testing/databases.ts'
import { printPage } from '../../../testing/printed-page.ts'

const png = (width: number, height: number): Blob => {
  const head = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')
  const size = Buffer.alloc(8)
  size.writeUInt32BE(width, 0)
  size.writeUInt32BE(height, 4)
  return new Blob([head, size, Buffer.alloc(20)], { type: 'image/png' })
}
const excerpts: Selection = { providerType: 'builtin', providerId: 'builtin', model: 'excerpts' }

withDatabase('what a model gets to see', (open) => {
  let harness: ChatHarness
  let ann: Client
  let bob: Client
  beforeAll(async () => {
    harness = await openChats(open)
    ann = harness.ann
    bob = harness.bob
    await ann.call(settingsRoutes.update, { body: { chat: { generateTitles: false } } })
  })
  afterAll(() => harness.close())
  beforeEach(() => harness.calm())

  const at = (sessionId: string) => ({ params: { sessionId } })
  const add = (sessionId: string, role: 'user' | 'assistant', content: string) =>
    ann.call(chatRoutes.addMessage, { ...at(sessionId), body: { role, content } })
  const read = (sessionId: string) => ann.call(chatRoutes.read, { ...at(sessionId), query: { limit: 100 } })
  const talk = async (sessionId: string, pairs: number, words = 5): Promise<void> => {
    for (let n = 0; n < pairs; n += 1) {
      await add(sessionId, 'user', `q${n} ${'word '.repeat(words)}`)
      await add(sessionId, 'assistant', `a${n} ${'word '.repeat(words)}`)
    }
  }
  interface Asked {
    readonly messages: { role: string; content: string; images?: string[] }[]
    readonly options: Record<string, unknown>
  }
  const lastAsked = (): Asked => harness.provider.requests.findLast(({ path }) => path === '/api/chat')?.body as Asked

  describe('attachments', () => {
    test('text goes into the question, fenced and named, and is estimated', async () => {
      const file = new Blob(['const answer = 42\n'], { type: 'text/javascript' })
      const attachment = await ann.call(chatRoutes.attach, { query: { name: 'answer.js' }, file })
      expect(attachment).toMatchObject({ kind: 'text', name: 'answer.js', sizeBytes: 18, tokens: 5, width: null })
      const { id } = await newChat(ann)
      const body = { message: 'What is it?', attachmentIds: [attachment.id] }
      const answer = await ann.call(chatRoutes.generate, { ...at(id), body })
      expect(answer.context).toMatchObject({ attachmentTokens: 5 })
      expect(lastAsked().messages.at(-1)?.content).toBe(
        'Attached file "answer.js":\n```\nconst answer = 42\n```\n\nWhat is it?',
      )
      expect((await read(id)).messages.items[0]?.attachments).toEqual([attachment])
      const bytes = await ann.call(chatRoutes.attachmentContent, { params: { attachmentId: attachment.id } })
      expect(await bytes.text()).toBe('const answer = 42\n')
      const sent = await ann.refusal(chatRoutes.removeAttachment, { params: { attachmentId: attachment.id } })
      expect(sent.code).toBe('conflict')
      for (const client of [bob]) {
        const call = { params: { attachmentId: attachment.id } }
        expect((await client.refusal(chatRoutes.attachmentContent, call)).code).toBe('attachment_not_found')
        expect((await client.refusal(chatRoutes.removeAttachment, call)).code).toBe('attachment_not_found')
      }
      const theirs = await newChat(bob)
      expect((await bob.refusal(chatRoutes.generate, { ...at(theirs.id), body })).code).toBe('attachment_not_found')
    })

    test('a picture comes without the place where it was taken, and says so', async () => {
      const exif = Buffer.from(`Exif\0\0MM\0*${'\0\0\0\u0008\0\u0001\u0088\u0025'}`, 'latin1')
      const place = Buffer.concat([exif, Buffer.from('0004000000010000001a0000', 'hex'), Buffer.from('48.2082 N')])
      const length = Buffer.alloc(2)
      length.writeUInt16BE(place.length + 2)
      const frame = Buffer.from('ffc0001108006400640301220002110103110 1ffd9'.replaceAll(' ', ''), 'hex')
      const bytes = Buffer.concat([Buffer.from('ffd8ffe1', 'hex'), length, place, frame])
      const file = new Blob([bytes], { type: 'image/jpeg' })
      const attachment = await ann.call(chatRoutes.attach, { query: { name: 'home.jpg' }, file })
      expect(attachment).toMatchObject({ kind: 'image', width: 100, height: 100, locationRemoved: true })
      const kept = await ann.call(chatRoutes.attachmentContent, { params: { attachmentId: attachment.id } })
      expect(attachment.sizeBytes).toBe(kept.size)
      expect(Buffer.from(await kept.arrayBuffer()).toString('latin1')).not.toMatch(/Exif|48\.2082/)
    })

    test.each([
      [50_000, 50_000],
      [2 ** 31 - 1, 2 ** 31 - 1],
    ])('a picture that says it is %i × %i pixels is refused by its head', async (width, height) => {
      const refused = await ann.refusal(chatRoutes.attach, { query: { name: 'huge.png' }, file: png(width, height) })
      expect(refused).toMatchObject({
        code: 'attachment_unsupported',
        problem: { detail: expect.stringContaining('pixels') },
      })
    })

    test('a page that is called a picture is no picture, and is never given as a page', async () => {
      const page = (type: string) => new Blob(['<!doctype html><script>alert(1)</script>'], { type })
      const query = { name: 'cat.png' }
      const refused = await ann.refusal(chatRoutes.attach, { query, file: page('image/png') })
      expect(refused.code).toBe('attachment_unsupported')
      const { id } = await ann.call(chatRoutes.attach, { query, file: page('text/html') })
      const kept = await ann.call(chatRoutes.attachmentContent, { params: { attachmentId: id } })
      expect(kept.type).toMatch(/^text\/plain/)
    })

    test('images go to models that see, and are named to those that do not', async () => {
      const attachment = await ann.call(chatRoutes.attach, { query: { name: 'cat.png' }, file: png(640, 480) })
      expect(attachment).toMatchObject({ kind: 'image', mediaType: 'image/png', width: 640, height: 480, tokens: 768 })
      const body = { message: 'Who?', attachmentIds: [attachment.id] }
      const seeing = await newChat(ann, 'echo')
      const seen = await ann.call(chatRoutes.generate, { ...at(seeing.id), body })
      expect(seen.content).toContain('I see 1 image')
      expect(seen.context).toMatchObject({ attachmentTokens: 768, droppedImages: 0 })
      const blind = await newChat(ann, 'markdown')
      const unseen = await ann.call(chatRoutes.generate, { ...at(blind.id), body })
      expect(unseen.context).toMatchObject({ attachmentTokens: 0, droppedImages: 1 })
      expect(lastAsked().messages.at(-1)?.content).toContain('The image "cat.png" is attached, but you cannot see it')
      expect(lastAsked().messages.at(-1)?.images).toBeUndefined()
    })

    test('what is printed in a picture goes to models that cannot see, and is read once', async () => {
      const { png: page } = printPage('The lighthouse keeper counted forty seagulls.'.split(' '), { height: 0.2 })
      const file = new Blob([page], { type: 'image/png' })
      const attachment = await ann.call(chatRoutes.attach, { query: { name: 'letter.png' }, file })
      const blind = await newChat(ann, 'markdown')
      const body = { message: 'How many?', attachmentIds: [attachment.id] }
      const told = await ann.call(chatRoutes.generate, { ...at(blind.id), body })
      expect(told.context).toMatchObject({ droppedImages: 0, readImages: 1 })
      expect(told.context?.attachmentTokens).toBeGreaterThan(5)
      const asked = () => JSON.stringify(lastAsked().messages)
      expect(asked()).toContain('keeper counted forty seagulls')
      expect(asked()).toContain('may have made mistakes')
      const later = await ann.call(chatRoutes.generate, { ...at(blind.id), body: { message: 'And then?' } })
      expect(later.context).toMatchObject({ droppedImages: 0, readImages: 1 })
      expect(asked()).toContain('keeper counted forty seagulls')
    })

    test.each([
      ['a lying type', png(1, 1), 'image/jpeg', 'attachment_unsupported'],
      ['an image that is none', new Blob(['hello']), 'image/png', 'attachment_unsupported'],
      ['another kind of file', new Blob(['%PDF-1.7']), 'application/pdf', 'attachment_unsupported'],
      ['bytes that are no UTF-8', new Blob([Buffer.from([0xff, 0xfe, 0x41])]), 'text/plain', 'attachment_unsupported'],
      ['text with zeros', new Blob([Buffer.from([65, 0, 66])]), 'text/plain', 'attachment_unsupported'],
      ['more than 10 MB', new Blob([Buffer.alloc(10 * 1024 * 1024 + 1, 65)]), 'text/plain', 'too_large'],
    ])('%s is refused', async (_name, blob, type, code) => {
      const file = new Blob([blob], { type })
      expect((await ann.refusal(chatRoutes.attach, { query: { name: 'x' }, file })).code).toBe(code)
    })

    test('that were not sent can be deleted, also out of a draft', async () => {
      const file = new Blob(['x'], { type: 'text/plain' })
      const attachment = await ann.call(chatRoutes.attach, { query: { name: 'x.txt' }, file })
      await ann.call(chatRoutes.saveNewDraft, { body: { content: '', attachmentIds: [attachment.id] } })
      await ann.call(chatRoutes.removeAttachment, { params: { attachmentId: attachment.id } })
      expect(await ann.call(chatRoutes.newDraft, {})).toEqual({
        content: '',
        quotes: [],
        attachments: [],
        sessionId: null,
      })
    })

    test('are quoted by the answerer that is no model, with sources', async () => {
      const text = '# Tea\nGreen tea is brewed at eighty degrees.\n\n# Coffee\nCoffee is brewed at ninety-six degrees.'
      const file = new Blob([text], { type: 'text/markdown' })
      const attachment = await ann.call(chatRoutes.attach, { query: { name: 'drinks.md' }, file })
      const { id } = await ann.call(chatRoutes.create, { body: { selection: excerpts } })
      const body = { message: 'How hot is green tea brewed?', attachmentIds: [attachment.id] }
      const answer = await ann.call(chatRoutes.generate, { ...at(id), body })
      expect(answer.content).toContain('Green tea is brewed at eighty degrees')
      expect(answer.sources[0]).toMatchObject({ attachmentId: attachment.id, name: 'drinks.md', section: 'Tea' })
      expect(answer.selection).toEqual(excerpts)
      expect((await ann.refusal(chatRoutes.compact, at(id))).code).toBe('model_unavailable')
    })
  })

  describe('summaries', () => {
    test('stand for the older part, are sent instead of it, and are undone one after the other', async () => {
      harness.provider.control({ answers: [{ match: 'condense', answer: 'They spoke of words.' }] })
      const { id } = await newChat(ann)
      await talk(id, 10)
      const compacted = await ann.call(chatRoutes.compact, at(id))
      const summary = compacted.messages.items.find(({ role }) => role === 'summary')
      expect(summary).toMatchObject({ content: 'They spoke of words.', summarised: false })
      const items = (await read(id)).messages.items
      const place = items.findIndex(({ role }) => role === 'summary')
      expect(items.slice(0, place).every(({ summarised }) => summarised)).toBe(true)
      expect(items.slice(place + 1).every(({ summarised }) => !summarised)).toBe(true)
      expect(items[place + 1]?.role).toBe('user')
      expect(items.slice(place + 1)).toHaveLength(8)
      const answer = await say(ann, id, 'Go on')
      expect(answer.context).toMatchObject({ summarisedMessages: 12, droppedMessages: 0, includedMessages: 9 })
      expect(lastAsked().messages[0]).toMatchObject({ role: 'system' })
      expect(lastAsked().messages[0]?.content).toContain('They spoke of words.')
      expect(lastAsked().messages).toHaveLength(10)

      harness.provider.control({ answers: [{ match: 'condense', answer: 'They spoke on.' }] })
      await talk(id, 4)
      const again = await ann.call(chatRoutes.compact, at(id))
      expect(lastAsked().messages[0]?.content).toContain('They spoke of words.')
      const summaries = (await read(id)).messages.items.filter(({ role }) => role === 'summary')
      expect(summaries.map(({ content, summarised }) => [content, summarised])).toEqual([
        ['They spoke of words.', true],
        ['They spoke on.', false],
      ])
      expect(again.activeLeafId).not.toBeNull()
      const [first, second] = summaries.map((one) => ({ params: { sessionId: id, messageId: one.id } }))
      if (!first || !second) throw new Error('no summaries')
      expect((await ann.refusal(chatRoutes.restore, first)).code).toBe('summary_not_found')
      await ann.call(chatRoutes.restore, second)
      expect((await ann.call(chatRoutes.context, { ...at(id), query: {} })).summarisedMessages).toBe(12)
      const whole = await ann.call(chatRoutes.restore, first)
      expect(whole.messages.items.some(({ role, summarised }) => role === 'summary' || summarised)).toBe(false)
      expect((await ann.refusal(chatRoutes.restore, first)).code).toBe('summary_not_found')
    })

    test('belong to the branch they were made on', async () => {
      harness.provider.control({ answers: [{ match: 'condense', answer: 'Summary.' }] })
      const { id } = await newChat(ann)
      await talk(id, 10)
      const early = (await read(id)).messages.items[2]
      await ann.call(chatRoutes.compact, at(id))
      const params = { sessionId: id, messageId: early?.id ?? '' }
      await ann.call(chatRoutes.addBranch, { params, body: { content: 'elsewhere' } })
      expect(await ann.call(chatRoutes.context, { ...at(id), query: {} })).toMatchObject({
        summarisedMessages: 0,
        summaryTokens: 0,
      })
      await ann.call(chatRoutes.branch, { params, body: { branchIndex: 0 } })
      expect(await ann.call(chatRoutes.context, { ...at(id), query: {} })).toMatchObject({ summarisedMessages: 12 })
      const fork = await ann.call(chatRoutes.fork, { ...at(id), body: {} })
      expect(await ann.call(chatRoutes.context, { ...at(fork.id), query: {} })).toMatchObject({
        summarisedMessages: 12,
      })
    })

    test('are refused where there is too little, and where the model fails, in words', async () => {
      const { id } = await newChat(ann)
      expect((await ann.refusal(chatRoutes.compact, at(id))).code).toBe('nothing_to_compact')
      await talk(id, 3)
      expect((await ann.refusal(chatRoutes.compact, at(id))).code).toBe('nothing_to_compact')
      await talk(id, 5)
      harness.provider.control({ fault: 'status-500' })
      const failed = await ann.refusal(chatRoutes.compact, at(id))
      expect(failed.code).toMatch(/^provider_/)
      harness.provider.control({ fault: null })
      expect((await read(id)).messages.items.some(({ role }) => role === 'summary')).toBe(false)
    })

    test('go with a message that they stand for, and come back with it', async () => {
      harness.provider.control({ answers: [{ match: 'condense', answer: 'They spoke of words.' }] })
      const { id } = await newChat(ann)
      await talk(id, 8)
      const before = await ann.call(chatRoutes.compact, at(id))
      const [first] = (await read(id)).messages.items
      const params = { sessionId: id, messageId: first?.id ?? '' }
      const after = await ann.call(chatRoutes.removeMessage, { params, query: {} })
      expect(after.messages.items.some(({ role, summarised }) => role === 'summary' || summarised)).toBe(false)
      // Written without it, this one goes when it comes back.
      await ann.call(chatRoutes.compact, at(id))
      await ann.call(chatRoutes.restoreTrash, { params: { itemId: params.messageId } })
      const summaries = (messages: { items: { role: string; id: string }[] }) =>
        messages.items.filter(({ role }) => role === 'summary').map((summary) => summary.id)
      expect(summaries((await read(id)).messages)).toEqual(summaries(before.messages))
    })

    test('are made before a reply where the instance wants it; a failure never blocks the reply', async () => {
      harness.provider.control({ answers: [{ match: 'condense', answer: 'Automatic.' }] })
      const config = { enabled: true, thresholdTokens: 500, keepRecentMessages: 2 }
      expect((await bob.refusal(chatRoutes.updateCompactionConfig, { body: config })).code).toBe('forbidden')
      expect(await ann.call(chatRoutes.updateCompactionConfig, { body: config })).toMatchObject(config)
      expect(await bob.call(chatRoutes.contextPolicy, {})).toMatchObject({
        policy: 'fit-window',
        compaction: true,
        fullDocumentTokens: 32_000,
      })
      const { id } = await newChat(ann)
      await talk(id, 5, 200)
      const answer = await say(ann, id, 'Now')
      expect(answer.context?.summarisedMessages).toBeGreaterThan(4)
      expect(answer.status).toBe('complete')
      // Where the summary fails, the answer comes all the same.
      const other = await newChat(ann)
      await talk(other.id, 5, 200)
      harness.provider.control({ fault: 'status-500', times: 1 })
      const plain = await say(ann, other.id, 'Now')
      expect(plain).toMatchObject({ status: 'complete', context: { summarisedMessages: 0 } })
      // And a chat may stay out of it.
      const out = await ann.call(chatRoutes.create, {
        body: { selection: local('echo'), settings: { compaction: false } },
      })
      await talk(out.id, 5, 200)
      expect((await say(ann, out.id, 'Now')).context?.summarisedMessages).toBe(0)
      await ann.call(chatRoutes.updateCompactionConfig, { body: { enabled: false } })
      expect(await ann.call(chatRoutes.compactionConfig, {})).toMatchObject({ ...config, enabled: false, model: null })
      expect(harness.lines.splice(0).map((line) => JSON.parse(line).message)).toEqual([
        'a chat could not be summarised before a reply',
      ])
    })
  })

  describe('the gauge', () => {
    test('tells how the next request would fill the window, with or without a model', async () => {
      const { id } = await newChat(ann)
      await talk(id, 2)
      const plan = await ann.call(chatRoutes.context, { ...at(id), query: { draftTokens: 100 } })
      expect(plan).toMatchObject({
        windowTokens: 8192,
        windowSource: 'provider',
        includedMessages: 5,
        droppedMessages: 0,
      })
      const gone = { providerType: 'plugin' as const, providerId: 'gone', model: 'echo' }
      const none = await ann.call(chatRoutes.create, { body: { selection: gone } })
      expect(await ann.call(chatRoutes.context, { ...at(none.id), query: {} })).toMatchObject({
        windowTokens: 8192,
        windowSource: 'default',
        historyTokens: 4,
      })
      const full = await ann.call(chatRoutes.context, { ...at(id), query: { draftTokens: 9000 } })
      expect(full.includedMessages).toBe(1)
    })
  })

  describe('titles and follow-ups', () => {
    test('a chat is named after its first answer, and an own name stays', async () => {
      await ann.call(settingsRoutes.update, { body: { chat: { generateTitles: true } } })
      harness.provider.control({
        answers: [{ match: 'Name this conversation', answer: '<think>Hm.</think>"Tea at dawn."' }],
      })
      const { id } = await newChat(ann)
      await say(ann, id, 'When is tea?')
      await until(async () => (await read(id)).titleSource === 'generated')
      expect((await read(id)).title).toBe('Tea at dawn')
      const own = await ann.call(chatRoutes.create, { body: { title: 'Mine', selection: local('echo') } })
      await say(ann, own.id, 'Hi')
      await new Promise((resolve) => setTimeout(resolve, 100))
      expect(await read(own.id)).toMatchObject({ title: 'Mine', titleSource: 'own' })
      const made = await ann.call(chatRoutes.generateTitle, { ...at(own.id), body: {} })
      expect(made).toEqual({ title: 'Tea at dawn', source: 'model' })
      await ann.call(settingsRoutes.update, { body: { chat: { generateTitles: false } } })
    })

    test('are written by the model that is chosen for them, and by no other', async () => {
      const { id } = await newChat(ann)
      await say(ann, id, 'What grows here?')
      await ann.call(settingsRoutes.update, { body: { titleModel: local('markdown') } })
      await ann.call(chatRoutes.generateTitle, { ...at(id), body: {} })
      await ann.call(chatRoutes.followups, at(id))
      const asked = harness.provider.requests.filter(({ path }) => path === '/api/chat').slice(-2)
      expect(asked.map(({ body }) => (body as { model: string }).model)).toEqual(['markdown:latest', 'markdown:latest'])
      await ann.call(settingsRoutes.update, { body: { titleModel: local('gone') } })
      expect(await ann.call(chatRoutes.generateTitle, { ...at(id), body: {} })).toMatchObject({ source: 'fallback' })
      await ann.call(settingsRoutes.update, { body: { titleModel: null } })
    })

    test('fall back to the first words, and to nothing, where the model fails', async () => {
      const { id } = await newChat(ann)
      await say(ann, id, 'Is it raining in the mountains today?')
      expect((await read(id)).title).toBe('Is it raining in the mountains today?')
      harness.provider.control({ fault: 'status-500' })
      expect(await ann.call(chatRoutes.generateTitle, { ...at(id), body: {} })).toEqual({
        title: 'Is it raining in the mountains today?',
        source: 'fallback',
      })
      expect(await ann.call(chatRoutes.followups, at(id))).toEqual({ suggestions: [] })
      harness.provider.control({
        fault: null,
        answers: [{ match: 'Answer:', answer: '1. And tomorrow?\n2. How cold is it?' }],
      })
      expect(await ann.call(chatRoutes.followups, at(id))).toEqual({
        suggestions: ['And tomorrow?', 'How cold is it?'],
      })
    })
  })

  test('nothing went wrong on the way', () => {
    expect(harness.lines).toEqual([])
  })
})

describe('the database file', () => {
  const open = openerFor('sqlite')
  test('holds no word that a person wrote', async () => {
    const files: string[] = []
    const spying = async (migrations: Parameters<typeof open>[0]) => {
      const place = await open.place()
      const { openDatabase, migrate } = await import('../../../platform/db/index.ts')
      // Without the encryption of the file, so that only what is sealed is hidden.
      const database = await openDatabase({ ...place.options, key: undefined })
      await migrate(database, migrations, { version: '0', snapshotFolder: `${place.folder}/s`, now: () => 0 })
      files.push(place.options.file ?? '', `${place.options.file}-wal`)
      return database
    }
    const harness = await openChats(Object.assign(spying, { place: open.place }))
    const { ann } = harness
    const planted = (where: string) => `zyzzyva${where}`
    await ann.call(settingsRoutes.update, { body: { systemMessage: planted('system') } })
    const folder = await ann.call(chatRoutes.createFolder, { body: { name: planted('folder') } })
    const file = new Blob([planted('file')], { type: 'text/plain' })
    const attachment = await ann.call(chatRoutes.attach, { query: { name: planted('name') }, file })
    const body = {
      title: planted('title'),
      selection: local('echo'),
      folderId: folder.id,
      settings: { systemMessage: planted('settings') },
    }
    const { id } = await ann.call(chatRoutes.create, { body })
    const params = { sessionId: id }
    await ann.call(chatRoutes.generate, {
      params,
      body: { message: planted('question'), attachmentIds: [attachment.id] },
    })
    await ann.call(chatRoutes.saveDraft, { params, body: { content: planted('draft') } })
    await ann.call(chatRoutes.updateCompactionConfig, { body: { prompt: planted('prompt') } })
    await ann.call(chatRoutes.fork, { params, body: {} })
    await ann.call(chatRoutes.startGeneration, {
      params,
      body: { message: planted('second'), modelOverride: local('long-2000-drip-20') },
    })
    await ann.call(chatRoutes.enqueue, { params, body: { content: planted('queue') } })
    const read = await ann.call(chatRoutes.read, { params, query: {} })
    const answer = read.messages.items.at(-1)
    await ann.call(chatRoutes.cancel, { params: { ...params, assistantMessageId: answer?.id ?? '' } })
    expect(read.messages.items.some(({ content }) => content.includes(planted('question')))).toBe(true)
    await harness.close()
    await harness.database.close()
    for (const path of files) {
      const bytes = await readFile(path).catch(() => Buffer.alloc(0))
      expect(bytes.includes('zyzzyva'), path).toBe(false)
    }
    expect((await readFile(files[0] ?? '')).includes('chat_sessions')).toBe(true)
  })
})
