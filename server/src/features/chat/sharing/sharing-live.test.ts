import { accessRoutes } from '@atrium/contract/access'
import { type ChatEvent, chatRoutes } from '@atrium/contract/chat'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type ChatHarness, local, newChat, openChats, say, textOf, until } from '../../../testing/chats.ts'
import type { Client, ClientFrame } from '../../../testing/client.ts'
import { withDatabase } from '../../../testing/databases.ts'
import { openContent } from '../stores/rows.ts'
import type { ChatTables } from '../tables.ts'

const at = (sessionId: string) => ({ params: { sessionId } })

withDatabase('a shared chat', (open) => {
  let harness: ChatHarness
  let elsewhere: ChatHarness
  let ann: Client
  let bob: Client
  beforeAll(async () => {
    harness = await openChats(open)
    elsewhere = await harness.another()
    ;({ ann, bob } = harness)
  })
  afterAll(async () => {
    await elsewhere.close()
    await harness.close()
  })
  beforeEach(() => harness.calm())

  const share = async (
    resourceType: 'chat' | 'folder',
    resourceId: string,
    more: { principalType?: 'account' | 'group'; principalId?: string; expiresAt?: string } = {},
  ): Promise<string> => {
    const body = { resourceType, resourceId, principalType: 'account' as const, principalId: 'bob', ...more }
    return (await ann.call(accessRoutes.grant, { body })).id
  }
  const begin = async (sessionId: string, message: string): Promise<string> =>
    (await ann.call(chatRoutes.startGeneration, { ...at(sessionId), body: { message } })).generationId

  /** Listens until the stream ends. */
  const listen = (who: Client, sessionId: string) => {
    const heard: { frames: ClientFrame<ChatEvent>[]; endedAt: number | null } = { frames: [], endedAt: null }
    void (async () => {
      for await (const frame of who.follow(chatRoutes.events, { ...at(sessionId), query: {} })) heard.frames.push(frame)
      heard.endedAt = performance.now()
    })()
    return heard
  }

  test('shows a reader an answer while it is written, in every process, and the answer that stands at its end', async () => {
    const { id } = await newChat(ann, 'long-40-drip-5')
    await share('chat', id)
    // It is not done before both of them are there.
    harness.provider.control({ holdAfter: 10 })
    await begin(id, 'A long one')
    const [here, there] = [listen(bob, id), listen(elsewhere.bob, id)]
    for (const heard of [here, there]) await until(() => textOf(heard.frames) !== '')
    harness.provider.control({ holdAfter: null })
    for (const heard of [here, there]) await until(() => heard.endedAt !== null)
    const stored = (await ann.call(chatRoutes.read, { ...at(id), query: {} })).messages.items.at(-1)
    for (const { frames } of [here, there]) {
      expect(textOf(frames)).toBe(stored?.content)
      expect(frames.filter(({ event }) => event.type === 'text').length).toBeGreaterThan(3)
      expect(new Set(frames.map(({ event }) => event.type))).toEqual(new Set(['start', 'text', 'done']))
      const last = frames.at(-1)?.event
      expect(last).toMatchObject({ type: 'done', data: { message: { content: stored?.content, usage: null } } })
    }
  })

  test('is told to readers whenever it changes, and to nobody else', async () => {
    const { id } = await newChat(ann)
    await share('chat', id)
    harness.told.length = 0
    await say(ann, id, 'News')
    await until(() => harness.told.includes(`bob shared-chat-changed ${id}`))
    await ann.call(chatRoutes.remove, at(id))
    await until(() => harness.told.includes('bob shared-changed'))
    expect(harness.told.filter((line) => line.startsWith('cleo'))).toEqual([])
    const quiet = await newChat(ann)
    await say(ann, quiet.id, 'Alone')
    await until(() => harness.told.includes(`ann chat-changed ${quiet.id}`))
    expect(harness.told.filter((line) => line.endsWith(quiet.id) && line.startsWith('bob'))).toEqual([])
  })

  const endings: [string, (chatId: string, grantId: string) => Promise<unknown>, ('folder' | 'group' | 'soon')?][] = [
    ['is revoked', (_chatId, id) => ann.call(accessRoutes.revoke, { params: { id } })],
    ['runs out', async () => undefined, 'soon'],
    ['is left', (_chatId, id) => bob.call(accessRoutes.revoke, { params: { id } })],
    ['on the folder is revoked', (_chatId, id) => ann.call(accessRoutes.revoke, { params: { id } }), 'folder'],
    ['is lost by moving', (id) => ann.call(chatRoutes.update, { ...at(id), body: { folderId: null } }), 'folder'],
    ['is lost with the group', () => harness.setGroup('editors', []), 'group'],
  ]
  test.for(endings)('ends the streams of its reader when the right %s', async ([, end, by]) => {
    const folder = by === 'folder' ? await ann.call(chatRoutes.createFolder, { body: { name: 'Live' } }) : null
    const body = { selection: local('long-2000-drip-20'), folderId: folder?.id ?? null }
    const { id } = await ann.call(chatRoutes.create, { body })
    await harness.setGroup('editors', ['bob'])
    const grantId = folder
      ? await share('folder', folder.id)
      : await share('chat', id, {
          ...(by === 'group' ? { principalType: 'group', principalId: 'editors' } : {}),
        })
    await begin(id, 'A very long one')
    const [here, there, own] = [listen(bob, id), listen(elsewhere.bob, id), listen(ann, id)]
    for (const heard of [here, there]) await until(() => textOf(heard.frames).length > 20)
    if (by === 'soon') {
      const expiresAt = new Date(Date.now() + 2000).toISOString()
      await share('chat', id, { expiresAt })
      await until(() => Date.now() >= Date.parse(expiresAt))
    }
    await end(id, grantId)
    for (const heard of [here, there]) {
      await until(() => heard.endedAt !== null)
      expect(heard.frames.at(-1)?.event).toMatchObject({ type: 'error', data: { code: 'chat_not_found' } })
    }
    expect(own.endedAt).toBeNull()
    await ann.call(chatRoutes.remove, at(id))
  })

  test('that goes to the trash ends the streams of its readers', async () => {
    const { id } = await newChat(ann, 'long-2000-drip-20')
    await share('chat', id)
    await begin(id, 'A very long one')
    const heard = listen(elsewhere.bob, id)
    await until(() => textOf(heard.frames).length > 20)
    await ann.call(chatRoutes.remove, at(id))
    await until(() => heard.endedAt !== null)
    expect((await bob.refusal(chatRoutes.read, { ...at(id), query: {} })).code).toBe('chat_not_found')
  })

  test('shows no words that its owner removed or changed after they were written', async () => {
    const { id } = await newChat(ann)
    const answer = await say(ann, id, 'The code is 4711')
    await share('chat', id)
    const params = { sessionId: id, messageId: answer.id }
    await ann.call(chatRoutes.updateMessage, { params, body: { content: 'Nothing to see' } })
    const heard = listen(bob, id)
    await until(() => heard.endedAt !== null)
    expect(JSON.stringify(heard.frames)).not.toContain('4711')
    expect(heard.frames.at(-1)?.event).toMatchObject({ data: { message: { content: 'Nothing to see' } } })
    await ann.call(chatRoutes.truncate, { params })
    expect((await bob.answer(chatRoutes.events, { ...at(id), query: {} })).status).toBe(404)
  })

  test('becomes a copy of the reader’s own, which only the keys of the reader open', async () => {
    const { id } = await ann.call(chatRoutes.create, {
      body: { title: 'Plans', selection: local('echo'), settings: { systemMessage: 'Mine alone' } },
    })
    const file = new Blob(['Words of a file'], { type: 'text/plain' })
    const note = await ann.call(chatRoutes.attach, { query: { name: 'note.txt' }, file })
    const body = { message: 'Read this', attachmentIds: [note.id] }
    const answer = await ann.call(chatRoutes.generate, { ...at(id), body })
    await share('chat', id)
    const copy = await bob.call(chatRoutes.fork, { ...at(id), body: {} })
    expect(copy).toMatchObject({ title: 'Plans', folderId: null, shared: false })
    const mine = await bob.call(chatRoutes.read, { ...at(copy.id), query: {} })
    expect(mine).toMatchObject({ ownerName: null, settings: {}, forkedFrom: { chatId: id, title: 'Plans' } })
    const [question, said] = mine.messages.items
    expect(said).toMatchObject({ content: answer.content, usage: null })
    const copied = question?.attachments[0]
    expect(copied).toMatchObject({ name: 'note.txt' })
    expect(copied?.id).not.toBe(note.id)
    const bytes = await bob.call(chatRoutes.attachmentContent, { params: { attachmentId: copied?.id ?? '' } })
    expect(await bytes.text()).toBe('Words of a file')

    const tables = harness.database.tables<ChatTables>()
    const rows = await tables.selectFrom('chat_messages').selectAll().where('chat_id', '=', copy.id).execute()
    const [anns, bobs] = [await harness.vault.keyring('ann'), await harness.vault.keyring('bob')]
    for (const row of rows) {
      expect(row.account_id).toBe('bob')
      expect(openContent(anns, row).failure?.code).toBe('unreadable')
      expect(openContent(bobs, row).text).not.toBe('')
    }
    expect(await tables.selectFrom('chat_replays').selectAll().execute()).toEqual([])
    // Reading alone leaves nothing with the reader.
    for (const table of ['chat_sessions', 'chat_messages', 'chat_attachments'] as const) {
      const own = await tables.selectFrom(table).select('id').where('account_id', '=', 'bob').execute()
      expect(own).toHaveLength(table === 'chat_messages' ? 2 : 1)
    }

    await ann.call(chatRoutes.remove, at(id))
    await ann.call(chatRoutes.removeTrash, { params: { itemId: id } })
    await say(bob, copy.id, 'And on')
    expect((await bob.call(chatRoutes.read, { ...at(copy.id), query: {} })).messages.items).toHaveLength(4)
    const refused = await ann.refusal(chatRoutes.read, { ...at(copy.id), query: {} })
    expect(refused.code).toBe('chat_not_found')
  })
})
