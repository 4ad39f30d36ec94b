import { accessRoutes } from '@atrium/contract/access'
import { chatRoutes } from '@atrium/contract/chat'
import { mostTags, mostTagsOfChat } from '@atrium/contract/tag-name'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { parseQuery } from '../../core/search/query.ts'
import { type ChatHarness, newChat, openChats, say, until } from '../../testing/chats.ts'
import type { Client } from '../../testing/client.ts'
import { onBothDatabases } from '../../testing/databases.ts'
import type { ChatTables } from './tables.ts'

onBothDatabases('tags', (open) => {
  let harness: ChatHarness
  let ann: Client
  beforeAll(async () => {
    harness = await openChats(open)
    ann = harness.ann
  })
  afterAll(() => harness.close())
  beforeEach(async () => {
    for (const { id } of (await ann.call(chatRoutes.tags, {})).items)
      await ann.call(chatRoutes.removeTag, { params: { tagId: id } })
    harness.told.length = 0
  })

  const make = async (title: string, tags: string[], who = ann) =>
    (await who.call(chatRoutes.create, { body: { title, tags } })).id
  const tagsOf = async (sessionId: string, who = ann) =>
    (await who.call(chatRoutes.read, { params: { sessionId }, query: {} })).tags
  const all = async (who = ann) =>
    (await who.call(chatRoutes.tags, {})).items.map(({ name, chatCount }) => `${name} ${chatCount}`)
  const tagged = async (tag: string, query: object = {}) =>
    (await ann.call(chatRoutes.list, { query: { tag, ...query } })).items.map(({ title }) => title).sort()
  const idOf = async (name: string) =>
    (await ann.call(chatRoutes.tags, {})).items.find((tag) => tag.name === name)?.id ?? ''
  const set = (sessionId: string, tags: string[]) =>
    ann.call(chatRoutes.update, { params: { sessionId }, body: { tags } })

  test('are given to a chat, whatever their case, listed with counts, and narrow the list', async () => {
    const garden = await make('Garden', ['Home', '#plants', ' to  do '])
    const kitchen = await make('Kitchen', ['HOME'])
    expect(await tagsOf(garden)).toEqual(['Home', 'plants', 'to do'])
    expect(await tagsOf(kitchen)).toEqual(['Home'])
    expect(await all()).toEqual(['Home 2', 'plants 1', 'to do 1'])
    expect(await tagged('home')).toEqual(['Garden', 'Kitchen'])
    expect(await tagged('Plants')).toEqual(['Garden'])
    expect(await tagged('nothing')).toEqual([])
    await ann.call(chatRoutes.update, { params: { sessionId: garden }, body: { archived: true } })
    expect(await tagged('home')).toEqual(['Kitchen'])
    expect(await tagged('home', { archived: 'any' })).toEqual(['Garden', 'Kitchen'])
    expect((await set(garden, ['plants', 'Plants'])).tags).toEqual(['plants'])
    expect(await all()).toEqual(['Home 1', 'plants 1'])
    await until(() => harness.told.includes(`ann chat-changed ${garden}`))
    expect(harness.told).toContain('ann tags-changed')
  })

  test('are sealed, and found by a keyed digest that differs between accounts', async () => {
    await make('Mine', ['secretword'])
    await make('Theirs', ['secretword'], harness.bob)
    const rows = await harness.database.tables<ChatTables>().selectFrom('chat_tags').selectAll().execute()
    expect(rows).toHaveLength(2)
    expect(rows[0]?.digest).not.toBe(rows[1]?.digest)
    for (const { name, digest } of rows)
      expect(`${Buffer.from(name).toString('latin1')}${digest}`).not.toContain('secret')
  })

  test('are added to and removed from many chats at once, own ones only', async () => {
    const [one, two] = [await make('One', ['old']), await make('Two', [])]
    const foreign = await make('Foreign', [], harness.bob)
    const body = { chatIds: [one, two, foreign], add: ['new'], remove: ['OLD', 'unknown'] }
    const { items } = await ann.call(chatRoutes.tagChats, { body })
    expect(new Map(items.map(({ id, tags }) => [id, tags]))).toEqual(new Map([one, two].map((id) => [id, ['new']])))
    expect(await tagsOf(foreign, harness.bob)).toEqual([])
    expect(await all()).toEqual(['new 2'])
    const none = { body: { chatIds: [one], add: ['# #'] } }
    expect((await ann.refusal(chatRoutes.tagChats, none)).code).toBe('validation_failed')
    const all20 = Array.from({ length: mostTagsOfChat }, (_, n) => `t${n}`)
    await set(one, all20)
    await ann.call(chatRoutes.tagChats, { body: { chatIds: [one, two], remove: ['new', ...all20] } })
    expect(await all()).toEqual([])
  })

  test('a chat where nothing was asked yet is not told of for its tags', async () => {
    const { id } = await ann.call(chatRoutes.create, { body: { draft: true } })
    const asked = await make('Asked', [])
    harness.told.length = 0
    const { items } = await ann.call(chatRoutes.tagChats, { body: { chatIds: [id, asked], add: ['early'] } })
    expect(items.map(({ tags }) => tags)).toEqual([['early'], ['early']])
    await until(() => harness.told.includes(`ann chat-changed ${asked}`))
    expect(harness.told).not.toContain(`ann chat-changed ${id}`)
  })

  test('are renamed in all chats; two of one name become one', async () => {
    const [one, two] = [await make('One', ['draft', 'letters']), await make('Two', ['letter'])]
    const rename = async (from: string, name: string) =>
      ann.call(chatRoutes.updateTag, { params: { tagId: await idOf(from) }, body: { name } })
    expect(await rename('draft', 'Draft')).toMatchObject({ name: 'Draft', chatCount: 1 })
    expect(await rename('letter', 'Letters')).toMatchObject({ name: 'Letters', chatCount: 2 })
    expect([await tagsOf(one), await tagsOf(two)]).toEqual([['Draft', 'Letters'], ['Letters']])
    expect(await all()).toEqual(['Draft 1', 'Letters 2'])
    const tagId = await idOf('Letters')
    const foreign = { params: { tagId }, body: { name: 'Mine now' } }
    expect((await harness.bob.refusal(chatRoutes.updateTag, foreign)).code).toBe('tag_not_found')
    expect((await harness.bob.refusal(chatRoutes.removeTag, { params: { tagId } })).code).toBe('tag_not_found')
    await ann.call(chatRoutes.removeTag, { params: { tagId } })
    expect([await tagsOf(one), await tagsOf(two)]).toEqual([['Draft'], []])
  })

  test('are at most so many, of a chat and of an account, and what is refused changes nothing', async () => {
    const names = (from: number, count: number) => Array.from({ length: count }, (_, n) => `t${from + n}`)
    const full = await make('Full', names(0, mostTagsOfChat))
    const add = (chatIds: string[], tags: string[]) => ({ body: { chatIds, add: tags } })
    expect((await ann.refusal(chatRoutes.tagChats, add([full], ['one more']))).code).toBe('chat_tag_limit')
    for (let from = mostTagsOfChat; from < mostTags; from += mostTagsOfChat)
      await make('More', names(from, mostTagsOfChat))
    const other = await make('Other', ['t0'])
    expect((await ann.refusal(chatRoutes.tagChats, add([other], ['one more']))).code).toBe('tag_limit')
    expect((await ann.refusal(chatRoutes.create, { body: { title: 'Not made', tags: ['x'] } })).code).toBe('tag_limit')
    expect((await ann.call(chatRoutes.list, { query: { q: 'Not made' } })).items).toEqual([])
    expect(await tagsOf(other)).toEqual(['t0'])
    await ann.call(chatRoutes.removeTag, { params: { tagId: await idOf('t199') } })
    await Promise.allSettled(['a', 'b', 'c'].map((name) => ann.call(chatRoutes.tagChats, add([other], [name]))))
    expect((await ann.call(chatRoutes.tags, {})).items).toHaveLength(mostTags)
  })

  test('stay with a chat in the trash, and go with it for good', async () => {
    const id = await make('Thrown away', ['kept'])
    await ann.call(chatRoutes.remove, { params: { sessionId: id } })
    expect(await all()).toEqual(['kept 0'])
    harness.told.length = 0
    await ann.call(chatRoutes.restoreTrash, { params: { itemId: id } })
    expect(harness.told).toContain('ann tags-changed')
    expect([await tagsOf(id), await all()]).toEqual([['kept'], ['kept 1']])
    await ann.call(chatRoutes.remove, { params: { sessionId: id } })
    harness.told.length = 0
    await ann.call(chatRoutes.removeTrash, { params: { itemId: id } })
    expect(harness.told).toContain('ann tags-changed')
    expect(await all()).toEqual([])
  })

  test('go along with a copy and in exports, and are for their owner alone', async () => {
    const { id } = await newChat(ann)
    await say(ann, id, 'Hello')
    await set(id, ['work', 'tax 2026'])
    const copy = await ann.call(chatRoutes.fork, { params: { sessionId: id }, body: {} })
    expect(copy.tags).toEqual(['tax 2026', 'work'])
    const { signal } = new AbortController()
    const files = new Map<string, string>()
    for await (const { name, content } of harness.chats.resources.chat.export?.('ann', signal) ?? [])
      if (name.includes(id.slice(-8)) && Symbol.asyncIterator in content) {
        let text = ''
        for await (const part of content) text += Buffer.from(part).toString('utf8')
        files.set(name.slice(name.lastIndexOf('.')), text)
      }
    expect(JSON.parse(files.get('.json') ?? '{}')).toMatchObject({ tags: ['tax 2026', 'work'] })
    expect(files.get('.md')).toContain('Tags: tax 2026, work')
    const body = { resourceType: 'chat', resourceId: id, principalType: 'account', principalId: 'bob' } as const
    await ann.call(accessRoutes.grant, { body })
    expect(await tagsOf(id, harness.bob)).toEqual([])
    const { id: folderId } = await ann.call(chatRoutes.createFolder, { body: { name: 'Shown' } })
    await ann.call(chatRoutes.update, { params: { sessionId: id }, body: { folderId } })
    await ann.call(accessRoutes.grant, { body: { ...body, resourceType: 'folder', resourceId: folderId } })
    const listed = await harness.bob.call(chatRoutes.folderChats, { params: { folderId }, query: {} })
    expect(listed.items).toMatchObject([{ id, tags: [] }])
    const taken = await harness.bob.call(chatRoutes.fork, { params: { sessionId: id }, body: {} })
    expect(taken.tags).toEqual([])
    const look = (typed: string, who: string) => harness.chats.resources.chat.search(who, parseQuery(typed).wanted, 20)
    await until(async () => (await look('hello', 'bob')).length > 1)
    expect(await look('hello tag:work', 'bob')).toEqual([])
  })

  test('narrow a search, with words and without', async () => {
    const make = async (message: string, tags: string[]) => {
      const { id } = await newChat(ann)
      await set(id, tags)
      await say(ann, id, message)
      return id
    }
    const [one, two] = [await make('okapi one', ['Zoo', 'Big animals']), await make('okapi two', ['zoo'])]
    await make('okapi three', [])
    const chats = async (typed: string) => {
      const hits = await harness.chats.resources.chat.search('ann', parseQuery(typed).wanted, 20)
      return new Set(hits.map(({ chatId }) => chatId))
    }
    await until(async () => (await chats('okapi from:me')).size === 3)
    expect(await chats('tag:zoo')).toEqual(new Set([one, two]))
    expect(await chats('okapi tag:ZOO')).toEqual(new Set([one, two]))
    expect(await chats('okapi tag:zoo tag:"big animals"')).toEqual(new Set([one]))
    expect(await chats('okapi tag:unknown')).toEqual(new Set())
    expect(await chats('tag:unknown')).toEqual(new Set())
  })

  test('narrow a search however many chats have them', async () => {
    const { id } = await newChat(ann)
    await set(id, ['crowd'])
    await say(ann, id, 'the rare saola')
    const look = async (typed: string) => {
      const hits = await harness.chats.resources.chat.search('ann', parseQuery(typed).wanted, 20)
      return hits.map(({ chatId }) => chatId)
    }
    await until(async () => (await look('saola from:me')).length === 1)
    await harness.database.write<ChatTables, void>(async (trx) => {
      const old = { created_at: Date.UTC(2020, 0, 1) }
      await trx.updateTable('chat_messages').set(old).where('chat_id', '=', id).execute()
      await trx.updateTable('chat_sessions').set(old).where('id', '=', id).execute()
      const row = await trx.selectFrom('chat_sessions').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
      const use = await trx.selectFrom('chat_tag_uses').selectAll().where('chat_id', '=', id).executeTakeFirstOrThrow()
      const now = row.updated_at + 1
      for (let start = 0; start < 2000; start += 200) {
        const ids = Array.from({ length: 200 }, (_, n) => `crowd-${start + n}`)
        const time = { created_at: now, updated_at: now, indexed_version: row.version }
        await trx
          .insertInto('chat_sessions')
          .values(ids.map((chatId) => Object.assign({}, row, time, { id: chatId })))
          .execute()
        await trx
          .insertInto('chat_tag_uses')
          .values(ids.map((chat_id) => ({ chat_id, tag_id: use.tag_id })))
          .execute()
      }
    })
    expect(await look('saola from:me tag:crowd')).toEqual([id])
    expect(await look('from:me tag:crowd before:2021')).toEqual([id])
    await harness.database.write<ChatTables, unknown>((trx) =>
      trx.deleteFrom('chat_sessions').where('id', 'like', 'crowd-%').execute(),
    )
  })

  test('and projects narrow it: to their chats, and those of projects within them', async () => {
    const make = async (body: object) =>
      (await ann.call(chatRoutes.createFolder, { body: { name: 'The "Quarry" of 1902', ...body } })).id
    const outer = await make({})
    const inner = await make({ name: 'Deep', parentId: outer })
    const put = async (folderId: string | null) => {
      const { id } = await newChat(ann)
      await ann.call(chatRoutes.update, { params: { sessionId: id }, body: { folderId } })
      await say(ann, id, 'a lonely wombat')
      return id
    }
    const inside = [await put(outer), await put(inner)]
    await put(null)
    const look = (typed: string) => harness.chats.resources.chat.search('ann', parseQuery(typed).wanted, 20)
    await until(async () => (await look('wombat from:me')).length === 3)
    expect(new Set((await look('wombat from:me in:"the quarry of"')).map(({ chatId }) => chatId))).toEqual(
      new Set(inside),
    )
  })
})
