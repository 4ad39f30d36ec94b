import { accessRoutes } from '@atrium/contract/access'
import { chatRoutes } from '@atrium/contract/chat'
import { toRequest } from '@atrium/contract/request'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { parseQuery } from '../../../core/search/query.ts'
import { type ChatHarness, local, newChat, openChats, say, until } from '../../../testing/chats.ts'
import type { Client } from '../../../testing/client.ts'
import { testClock } from '../../../testing/clock.ts'
import { withDatabase } from '../../../testing/databases.ts'
import type { JobContext } from '../../../platform/jobs/types.ts'
import { temporaryJob } from '../index.ts'

const hour = 3600_000
const at = (sessionId: string) => ({ params: { sessionId } })

withDatabase('a temporary chat', (open) => {
  let harness: ChatHarness
  let ann: Client
  const clock = testClock()
  beforeAll(async () => {
    harness = await openChats(open, { clock })
    ann = harness.ann
  })
  afterAll(() => harness.close())
  beforeEach(() => harness.calm())

  const begin = (more: { folderId?: string } = {}) =>
    ann.call(chatRoutes.create, { body: { selection: local('echo'), temporary: true, ...more } })
  const isThere = async (id: string): Promise<boolean> =>
    (await ann.raw(toRequest(chatRoutes.read, { ...at(id), query: {} }).path)).status === 200
  const listed = async (query: Record<string, string> = {}) =>
    (await ann.call(chatRoutes.list, { query })).items.map(({ id }) => id)
  const look = (typed: string) => harness.chats.resources.chat.search('ann', parseQuery(typed).wanted, 20)
  const files = async (): Promise<string[]> => {
    const names: string[] = []
    const { signal } = new AbortController()
    for await (const { name } of harness.chats.resources.chat.export?.('ann', signal) ?? []) names.push(name)
    return names
  }
  const attach = () =>
    ann.call(chatRoutes.attach, { query: { name: 'note.txt' }, file: new Blob(['words'], { type: 'text/plain' }) })
  const sweep = async (): Promise<void> => {
    const { signal } = new AbortController()
    await harness.chats.area.jobs?.[temporaryJob]?.prepare({})?.({ signal } as JobContext)
  }

  test('is in no list, search, count, folder or export, and gets no title of a model', async () => {
    const folder = await ann.call(chatRoutes.createFolder, { body: { name: 'Work' } })
    const { id, expiresAt } = await begin({ folderId: folder.id })
    expect(Date.parse(expiresAt ?? '')).toBe(clock.now() + 24 * hour)
    const kept = await newChat(ann)
    const attachment = await attach()
    const asked = { message: 'A secret okapi', attachmentIds: [attachment.id] }
    await ann.call(chatRoutes.generate, { ...at(id), body: asked })
    await say(ann, kept.id, 'An open okapi')
    await until(async () => (await look('okapi from:me')).length === 1)
    expect((await look('okapi from:me')).map(({ snippet }) => snippet)).toEqual(['An open okapi'])
    expect(await look('in:"secret okapi"')).toEqual([])
    expect(await listed()).toEqual([kept.id])
    expect(await listed({ q: 'okapi' })).not.toContain(id)
    expect(await listed({ folderId: folder.id })).toEqual([])
    expect((await ann.call(chatRoutes.folders, {})).items[0]?.chatCount).toBe(0)
    expect(await harness.chats.resources.chat.count?.('ann')).toBe(1)
    expect(await harness.chats.resources.message.count?.('ann')).toBe(2)
    expect((await files()).filter((name) => name.startsWith('attachments/'))).toEqual([])
    expect((await files()).filter((name) => name.endsWith('.md'))).toHaveLength(1)
    const unindexed = async () => Object.values(await harness.chats.countUnindexed())
    await until(async () => (await unindexed()).every((count) => count === 0))
    const titleOf = async (sessionId: string) =>
      (await ann.call(chatRoutes.read, { ...at(sessionId), query: {} })).titleSource
    await until(async () => (await titleOf(kept.id)) === 'generated')
    expect(await ann.call(chatRoutes.read, { ...at(id), query: {} })).toMatchObject({
      title: 'A secret okapi',
      titleSource: 'default',
    })
  })

  test('cannot be shared, by itself or with its folder', async () => {
    const folder = await ann.call(chatRoutes.createFolder, { body: { name: 'Shared' } })
    const { id } = await begin({ folderId: folder.id })
    const grant = { principalType: 'account' as const, principalId: 'bob' }
    const refused = await ann.refusal(accessRoutes.grant, {
      body: { resourceType: 'chat', resourceId: id, ...grant },
    })
    expect(refused.code).toBe('not_shareable')
    await ann.call(accessRoutes.grant, { body: { resourceType: 'folder', resourceId: folder.id, ...grant } })
    expect((await harness.bob.refusal(chatRoutes.read, { ...at(id), query: {} })).code).toBe('chat_not_found')
    const seen = await harness.bob.call(chatRoutes.folderChats, { params: { folderId: folder.id }, query: {} })
    expect(seen.items).toEqual([])
  })

  test('goes with its files when its time is over, which each question moves on', async () => {
    const { id } = await begin()
    const [only, both] = [await attach(), await attach()]
    await ann.call(chatRoutes.generate, { ...at(id), body: { message: 'Hi', attachmentIds: [only.id, both.id] } })
    const kept = await newChat(ann)
    await ann.call(chatRoutes.generate, { ...at(kept.id), body: { message: 'Hi', attachmentIds: [both.id] } })
    clock.advance(23 * hour)
    await say(ann, id, 'Still here?')
    clock.advance(23 * hour)
    await sweep()
    expect(await isThere(id)).toBe(true)
    clock.advance(2 * hour)
    await sweep()
    expect(await isThere(id)).toBe(false)
    const read = (attachmentId: string) =>
      ann.raw(toRequest(chatRoutes.attachmentContent, { params: { attachmentId } }).path)
    expect([(await read(only.id)).status, (await read(both.id)).status]).toEqual([404, 200])
    expect((await ann.call(chatRoutes.trash, { query: {} })).items).toEqual([])
    expect(harness.told).toContain(`ann chat-removed ${id}`)
  })

  test('is deleted for good at once when its owner deletes it, or all chats', async () => {
    const first = await begin()
    const { id: messageId } = await say(ann, first.id, 'Hello')
    await ann.call(chatRoutes.truncate, { params: { sessionId: first.id, messageId } })
    expect((await ann.call(chatRoutes.trash, { query: {} })).items).toEqual([])
    await ann.call(chatRoutes.remove, at(first.id))
    expect(await isThere(first.id)).toBe(false)
    const second = await begin()
    await ann.call(chatRoutes.clear, {})
    expect(await isThere(second.id)).toBe(false)
    await ann.call(chatRoutes.emptyTrash, {})
  })

  test('is one like all others once it is kept, found by what was said before, too', async () => {
    const { id } = await begin()
    await say(ann, id, 'A lasting numbat')
    const kept = await ann.call(chatRoutes.update, { ...at(id), body: { temporary: false } })
    expect(kept.expiresAt).toBeNull()
    expect(await listed()).toContain(id)
    await until(async () => (await look('numbat from:me')).length === 1)
    clock.advance(48 * hour)
    await sweep()
    expect(await isThere(id)).toBe(true)
  })

  test('can become so while nothing was said in it, and not later', async () => {
    const { id } = await ann.call(chatRoutes.create, { body: { selection: local('echo'), draft: true } })
    const made = await ann.call(chatRoutes.update, { ...at(id), body: { temporary: true } })
    expect(made.expiresAt).not.toBeNull()
    const other = await newChat(ann)
    await say(ann, other.id, 'Hello')
    expect((await ann.refusal(chatRoutes.update, { ...at(other.id), body: { temporary: true } })).code).toBe('conflict')
  })

  test('has copies that are as temporary', async () => {
    const { id } = await begin()
    await say(ann, id, 'Copy me')
    const copy = await ann.call(chatRoutes.fork, { ...at(id), body: {} })
    expect(Date.parse(copy.expiresAt ?? '')).toBe(clock.now() + 24 * hour)
    expect(await listed()).not.toContain(copy.id)
  })
})
