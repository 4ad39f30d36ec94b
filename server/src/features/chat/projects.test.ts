import { accessRoutes } from '@atrium/contract/access'
import { chatRoutes } from '@atrium/contract/chat'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type ChatHarness, local, openChats, say } from '../../testing/chats.ts'
import type { Client } from '../../testing/client.ts'
import { onBothDatabases } from '../../testing/databases.ts'
import { mayNest, pathOfFolder } from './rules.ts'
import type { ChatDeps } from './index.ts'

onBothDatabases('a project', (open) => {
  let harness: ChatHarness
  let ann: Client
  const asked: { collectionIds: readonly string[] }[] = []
  const collections = new Set<string>()
  let made = 0
  const documents: ChatDeps['documents'] = {
    retrieve: () => Promise.reject(new Error('nothing is looked up here')),
    async hasAny(_accountId, scope) {
      asked.push(scope)
      return false
    },
    waitUntilRead: async () => undefined,
    describeDocuments: async () => [],
    findOriginals: async () => new Set<string>(),
    openOriginal: async () => null,
    removeSessions: async () => undefined,
    async makeCollection(_accountId, name) {
      const id = `files of ${name} ${++made}`
      collections.add(id)
      return id
    },
    ownsCollection: async (_accountId, id) => collections.has(id),
  }
  beforeAll(async () => {
    harness = await openChats(open, { over: () => ({ documents }) })
    ann = harness.ann
  })
  afterAll(() => harness.close())
  beforeEach(() => {
    harness.calm()
    asked.length = 0
  })

  const at = (folderId: string) => ({ params: { folderId } })
  const make = (name: string, parentId?: string) => ann.call(chatRoutes.createFolder, { body: { name, parentId } })
  const set = (id: string, settings: object) => ann.call(chatRoutes.updateFolder, { ...at(id), body: { settings } })
  const systemOf = (question: string): string | undefined => {
    const bodies = harness.provider.requests.map(
      ({ body }) => body as { messages?: { role: string; content: string }[] },
    )
    const sent = bodies.findLast(({ messages }) => messages?.at(-1)?.content === question)
    return sent?.messages?.find(({ role }) => role === 'system')?.content
  }

  test('gives its chats instructions behind their own system message, those around it first', async () => {
    const outer = await make('Company')
    const inner = await make('Letters', outer.id)
    await set(outer.id, { instructions: 'Write in French.' })
    await set(inner.id, { instructions: 'Be polite.' })
    const { id } = await ann.call(chatRoutes.create, {
      body: { selection: local('echo'), folderId: inner.id, settings: { systemMessage: 'Be brief.' } },
    })
    await say(ann, id, 'In both')
    expect(systemOf('In both')).toBe(
      'Be brief.\n\nInstructions of the project "Company":\nWrite in French.\n\nInstructions of the project "Letters":\nBe polite.',
    )
    await ann.call(chatRoutes.update, { params: { sessionId: id }, body: { folderId: null } })
    await say(ann, id, 'In none')
    expect(systemOf('In none')).toBe('Be brief.')
  })

  test('gives its chats a model where they chose none, the innermost first', async () => {
    const outer = await make('With a model')
    const inner = await make('Within', outer.id)
    await set(outer.id, { selection: local('echo') })
    const { id } = await ann.call(chatRoutes.create, { body: { folderId: inner.id } })
    const answer = await say(ann, id, 'Who are you?')
    expect(answer.selection?.model).toBe('echo')
    await set(inner.id, { selection: local('markdown') })
    const other = await ann.call(chatRoutes.create, { body: { folderId: inner.id } })
    expect((await say(ann, other.id, 'And you?')).selection?.model).toBe('markdown')
  })

  test('has its chats answer from its files and collections, and from those around it', async () => {
    const outer = await make('Library')
    const inner = await make('Shelf', outer.id)
    await set(outer.id, { collectionIds: ['chosen'] })
    const files = await ann.call(chatRoutes.folderFiles, at(inner.id))
    expect(await ann.call(chatRoutes.folderFiles, at(inner.id))).toEqual(files)
    expect(await ann.call(chatRoutes.folder, at(inner.id))).toMatchObject({ filesCollectionId: files.collectionId })
    const settings = { knowledgeCollectionIds: ['own', 'chosen'] }
    const { id } = await ann.call(chatRoutes.create, {
      body: { selection: local('echo'), folderId: inner.id, settings },
    })
    await say(ann, id, 'What do you know?')
    expect(asked.at(-1)?.collectionIds).toEqual(['own', 'chosen', files.collectionId])
    collections.delete(files.collectionId)
    expect((await ann.call(chatRoutes.folder, at(inner.id))).filesCollectionId).toBeNull()
    expect((await ann.call(chatRoutes.folderFiles, at(inner.id))).collectionId).not.toBe(files.collectionId)
  })

  test('keeps what a change leaves out, and is renamed without losing its settings', async () => {
    const { id } = await make('Plain')
    await set(id, { instructions: 'One.' })
    await set(id, { collectionIds: ['k'] })
    await ann.call(chatRoutes.updateFolder, { ...at(id), body: { name: 'Renamed' } })
    expect(await ann.call(chatRoutes.folder, at(id))).toMatchObject({
      name: 'Renamed',
      settings: { instructions: 'One.', selection: null, collectionIds: ['k'] },
    })
  })

  test('is taken along by its owner with its instructions', async () => {
    const { id } = await make('Taken along')
    await set(id, { instructions: 'Remember me.' })
    const { signal } = new AbortController()
    let found = ''
    for await (const { name, content } of harness.chats.resources.chat.export?.('ann', signal) ?? [])
      if (name === 'projects.json') for await (const part of content) found += Buffer.from(part).toString('utf8')
    const kept = (JSON.parse(found) as { id: string }[]).find((project) => project.id === id)
    expect(kept).toMatchObject({ name: 'Taken along', parentId: null, instructions: 'Remember me.' })
  })

  test('lies in another one, never in itself and never deeper than five levels', async () => {
    const levels = [await make('1')]
    for (const name of ['2', '3', '4', '5']) levels.push(await make(name, levels.at(-1)?.id))
    const deepest = levels[4]?.id ?? ''
    const refused = async (body: { parentId: string }, id: string) =>
      (await ann.refusal(chatRoutes.updateFolder, { ...at(id), body })).code
    const tooDeep = await ann.refusal(chatRoutes.createFolder, { body: { name: '6', parentId: deepest } })
    expect(tooDeep.code).toBe('folder_too_deep')
    expect(await refused({ parentId: deepest }, levels[0]?.id ?? '')).toBe('folder_too_deep')
    expect(await refused({ parentId: levels[0]?.id ?? '' }, levels[0]?.id ?? '')).toBe('folder_too_deep')
    const pair = await make('a')
    await make('b', pair.id)
    expect(await refused({ parentId: levels[3]?.id ?? '' }, pair.id)).toBe('folder_too_deep')
    expect(await refused({ parentId: 'unknown-id-0001' }, pair.id)).toBe('folder_not_found')
    const foreign = await harness.bob.call(chatRoutes.createFolder, { body: { name: 'of bob' } })
    expect(await refused({ parentId: foreign.id }, pair.id)).toBe('folder_not_found')
    const moved = await ann.call(chatRoutes.updateFolder, { ...at(pair.id), body: { parentId: levels[2]?.id } })
    expect(moved.parentId).toBe(levels[2]?.id)
  })

  test('that goes leaves the projects within where it was; back from the trash it is at the top if that is gone', async () => {
    const [top, middle] = [await make('Top'), await make('Middle')]
    await ann.call(chatRoutes.updateFolder, { ...at(middle.id), body: { parentId: top.id } })
    const low = await make('Low', middle.id)
    const parentOf = async (id: string) => (await ann.call(chatRoutes.folder, at(id))).parentId
    await ann.call(chatRoutes.removeFolder, { ...at(middle.id), query: {} })
    expect(await parentOf(low.id)).toBe(top.id)
    await ann.call(chatRoutes.removeFolder, { ...at(top.id), query: {} })
    await ann.call(chatRoutes.restoreTrash, { params: { itemId: middle.id } })
    expect([await parentOf(low.id), await parentOf(middle.id)]).toEqual([null, null])
  })

  test('shows its readers its chats, and neither instructions nor files', async () => {
    const { id } = await make('Shared')
    await set(id, { instructions: 'A secret wish' })
    const grant = { principalType: 'account' as const, principalId: 'bob', right: 'admin' as const }
    await ann.call(accessRoutes.grant, { body: { resourceType: 'folder', resourceId: id, ...grant } })
    const seen = await harness.bob.call(chatRoutes.folderChats, { ...at(id), query: {} })
    expect(seen.name).toBe('Shared')
    expect(JSON.stringify(seen)).not.toContain('secret')
    for (const route of [chatRoutes.folder, chatRoutes.folderFiles])
      expect((await harness.bob.refusal(route, at(id))).code).toMatch(/folder_not_found|right_missing/)
  })
})

test('rows that lie in a circle are read as far as they may lie in each other', () => {
  const circle = [
    { id: 'a', parent_id: 'b' },
    { id: 'b', parent_id: 'a' },
  ]
  expect(pathOfFolder(circle, 'a').map(({ id }) => id)).toEqual(['b', 'a'])
  expect(mayNest(circle, 'a', 'b')).toBe(false)
})
