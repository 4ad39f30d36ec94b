import { accessRoutes } from '@atrium/contract/access'
import { type Chat, chatRoutes } from '@atrium/contract/chat'
import { toRequest } from '@atrium/contract/request'
import type { Route } from '@atrium/contract/route'
import { parseQuery } from '../../../core/search/query.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type ChatHarness, newChat, openChats, say, until } from '../../../testing/chats.ts'
import type { Client } from '../../../testing/client.ts'
import { withDatabase } from '../../../testing/databases.ts'

const at = (sessionId: string) => ({ params: { sessionId } })

/** Shares a chat or folder of ann. Gives the id of the grant. */
const share = async (
  from: Client,
  resourceType: 'chat' | 'folder',
  resourceId: string,
  principalId: string,
  more: { principalType?: 'account' | 'group'; expiresAt?: string } = {},
): Promise<string> => {
  const body = { resourceType, resourceId, principalType: 'account' as const, principalId, ...more }
  return (await from.call(accessRoutes.grant, { body })).id
}

withDatabase('chats that are shared', (open) => {
  let harness: ChatHarness
  let ann: Client
  let bob: Client
  let cleo: Client
  beforeAll(async () => {
    harness = await openChats(open)
    ;({ ann, bob, cleo } = harness)
  })
  afterAll(() => harness.close())
  beforeEach(() => harness.calm())

  const revoke = (id: string) => ann.call(accessRoutes.revoke, { params: { id } })
  const read = (who: Client, id: string): Promise<Chat> => who.call(chatRoutes.read, { ...at(id), query: {} })
  const mayRead = async (who: Client, id: string): Promise<boolean> =>
    (await who.raw(toRequest(chatRoutes.read, { ...at(id), query: {} }).path)).status === 200
  const attach = async (who: Client, words: string) =>
    who.call(chatRoutes.attach, { query: { name: 'note.txt' }, file: new Blob([words], { type: 'text/plain' }) })

  describe('reading', () => {
    test('goes by a grant to an account, to a group and on the folder, and ends with each', async () => {
      const { id } = await newChat(ann)
      await say(ann, id, 'Hello there')
      expect((await bob.refusal(chatRoutes.read, { ...at(id), query: {} })).code).toBe('chat_not_found')

      const direct = await share(ann, 'chat', id, 'bob')
      const seen = await read(bob, id)
      expect(seen.ownerName).toBe('ann')
      expect(seen.messages.items.map(({ content }) => content)).toEqual([
        'Hello there',
        expect.stringContaining('You said: Hello there'),
      ])
      expect((await read(ann, id)).shared).toBe(true)
      await revoke(direct)
      expect(await mayRead(bob, id)).toBe(false)
      expect(await read(ann, id)).toMatchObject({ shared: false, ownerName: null })

      await harness.setGroup('editors', ['bob'])
      const group = await share(ann, 'chat', id, 'editors', { principalType: 'group' })
      expect([await mayRead(bob, id), await mayRead(cleo, id)]).toEqual([true, false])
      await harness.setGroup('editors', ['cleo'])
      expect([await mayRead(bob, id), await mayRead(cleo, id)]).toEqual([false, true])
      await revoke(group)
      expect(await mayRead(cleo, id)).toBe(false)

      const folder = await ann.call(chatRoutes.createFolder, { body: { name: 'Work' } })
      const onFolder = await share(ann, 'folder', folder.id, 'bob')
      expect(await mayRead(bob, id)).toBe(false)
      await ann.call(chatRoutes.update, { ...at(id), body: { folderId: folder.id } })
      expect(await mayRead(bob, id)).toBe(true)
      const listed = await bob.call(chatRoutes.folderChats, { params: { folderId: folder.id }, query: {} })
      expect(listed).toMatchObject({ name: 'Work', ownerName: 'ann', items: [{ id, folderId: null, shared: true }] })
      expect((await ann.call(chatRoutes.list, { query: { folderId: folder.id } })).items[0]?.shared).toBe(true)
      expect((await ann.call(chatRoutes.folders, {})).items.find((one) => one.id === folder.id)?.shared).toBe(true)
      await ann.call(chatRoutes.update, { ...at(id), body: { folderId: null } })
      expect(await mayRead(bob, id)).toBe(false)
      await ann.call(chatRoutes.update, { ...at(id), body: { folderId: folder.id } })
      await revoke(onFolder)
      expect(await mayRead(bob, id)).toBe(false)
    })

    test('stops while the chat or its folder is in the trash, and comes back with it', async () => {
      const folder = await ann.call(chatRoutes.createFolder, { body: { name: 'Soon gone' } })
      const { id } = await ann.call(chatRoutes.create, { body: { folderId: folder.id } })
      await share(ann, 'folder', folder.id, 'bob')
      await share(ann, 'chat', id, 'cleo')
      await ann.call(chatRoutes.remove, at(id))
      expect([await mayRead(bob, id), await mayRead(cleo, id)]).toEqual([false, false])
      await ann.call(chatRoutes.restoreTrash, { params: { itemId: id } })
      expect([await mayRead(bob, id), await mayRead(cleo, id)]).toEqual([true, true])
      await ann.call(chatRoutes.removeFolder, { params: { folderId: folder.id }, query: { chats: 'trash' } })
      expect([await mayRead(bob, id), await mayRead(cleo, id)]).toEqual([false, false])
      const gone = await bob.refusal(chatRoutes.folderChats, { params: { folderId: folder.id }, query: {} })
      expect(gone.code).toBe('folder_not_found')
      await ann.call(chatRoutes.restoreTrash, { params: { itemId: folder.id } })
      expect([await mayRead(bob, id), await mayRead(cleo, id)]).toEqual([true, true])
      await ann.call(chatRoutes.removeFolder, { params: { folderId: folder.id }, query: { chats: 'keep' } })
      expect([await mayRead(bob, id), await mayRead(cleo, id)]).toEqual([false, true])
    })

    test('shows what was said, and nothing that is the owner’s alone', async () => {
      const folder = await ann.call(chatRoutes.createFolder, { body: { name: 'Mine' } })
      const settings = { systemMessage: 'Secret manner' }
      const { id } = await ann.call(chatRoutes.create, { body: { folderId: folder.id, settings } })
      await ann.call(chatRoutes.update, {
        ...at(id),
        body: { selection: (await newChat(ann)).selection, pinned: true },
      })
      const answer = await say(ann, id, 'Tell me')
      await ann.call(chatRoutes.updateMessage, {
        params: { sessionId: id, messageId: answer.id },
        body: { rating: -1 },
      })
      await ann.call(chatRoutes.saveDraft, { ...at(id), body: { content: 'Half a secret' } })
      await share(ann, 'chat', id, 'bob')
      const seen = await read(bob, id)
      expect(seen).toMatchObject({
        settings: {},
        queue: [],
        draft: { content: '', quotes: [], attachments: [] },
        folderId: null,
        pinned: false,
        unread: false,
        forkedFrom: null,
      })
      expect(JSON.stringify(seen)).not.toMatch(/secret/i)
      const shown = seen.messages.items.at(-1)
      expect(shown).toMatchObject({ content: answer.content, usage: null, context: null, rating: null })
      const messageId = answer.id
      const pages = [
        (await bob.call(chatRoutes.messages, { ...at(id), query: {} })).items.at(-1),
        (await bob.call(chatRoutes.branches, { params: { sessionId: id, messageId } })).items[0],
        (
          await bob.call(chatRoutes.newer, {
            params: { sessionId: id, messageId: seen.messages.items[0]?.id ?? '' },
            query: {},
          })
        ).items[0],
      ]
      for (const one of pages) expect(one).toEqual(shown)
      const copy = await ann.call(chatRoutes.fork, { ...at(id), body: {} })
      await share(ann, 'chat', copy.id, 'bob')
      expect((await read(bob, copy.id)).forkedFrom).toBeNull()
    })

    test('gives the attachments of its messages, and of no other chat, draft or removed message', async () => {
      const { id } = await newChat(ann)
      const sent = await attach(ann, 'Words of a file')
      const message = await ann.call(chatRoutes.addMessage, {
        ...at(id),
        body: { role: 'user', content: 'See this', attachmentIds: [sent.id] },
      })
      const typed = await attach(ann, 'Not sent yet')
      await ann.call(chatRoutes.saveDraft, { ...at(id), body: { content: '', attachmentIds: [typed.id] } })
      const other = await newChat(ann)
      await share(ann, 'chat', id, 'bob')
      await share(ann, 'chat', other.id, 'bob')
      const get = (who: Client, sessionId: string, attachmentId: string) =>
        who.call(chatRoutes.sentAttachment, { params: { sessionId, attachmentId } })
      expect(await (await get(bob, id, sent.id)).text()).toBe('Words of a file')
      const codes = await Promise.all(
        [
          [id, typed.id],
          [other.id, sent.id],
        ].map(
          async ([sessionId = '', attachmentId = '']) =>
            (await bob.refusal(chatRoutes.sentAttachment, { params: { sessionId, attachmentId } })).code,
        ),
      )
      expect(codes).toEqual(['attachment_not_found', 'attachment_not_found'])
      expect((await bob.refusal(chatRoutes.attachmentContent, { params: { attachmentId: sent.id } })).status).toBe(404)
      expect(
        (await cleo.refusal(chatRoutes.sentAttachment, { params: { sessionId: id, attachmentId: sent.id } })).status,
      ).toBe(404)
      await ann.call(chatRoutes.truncate, { params: { sessionId: id, messageId: message.id } })
      expect(
        (await bob.refusal(chatRoutes.sentAttachment, { params: { sessionId: id, attachmentId: sent.id } })).status,
      ).toBe(404)
    })
  })

  test('is found by who may read it, by its words and its title, for as long as that holds', async () => {
    const look = async (accountId: string, typed: string) =>
      (await harness.chats.resources.chat.search(accountId, parseQuery(typed).wanted, 20))
        .map(({ kind }) => kind)
        .toSorted()
    const folder = await ann.call(chatRoutes.createFolder, { body: { name: 'Zoo' } })
    const { id } = await ann.call(chatRoutes.create, { body: { title: 'Ocelots at night', folderId: folder.id } })
    await ann.call(chatRoutes.addMessage, { ...at(id), body: { role: 'user', content: 'Where do ocelots sleep?' } })
    await until(async () => (await look('ann', 'ocelots')).length === 2)
    expect(await look('bob', 'ocelots')).toEqual([])
    const onFolder = await share(ann, 'folder', folder.id, 'bob')
    expect(await look('bob', 'ocelots')).toEqual(['chat', 'message'])
    const whose = async (who: string) =>
      (await harness.chats.resources.chat.search(who, parseQuery('ocelots').wanted, 20)).map(({ ownerId }) => ownerId)
    expect([await whose('ann'), await whose('bob')]).toEqual([
      [null, null],
      ['ann', 'ann'],
    ])
    expect(await look('bob', 'sleep in:"ocelots at night"')).toEqual(['message'])
    expect(await look('bob', 'ocelots from:me')).toEqual([])
    expect(await look('cleo', 'ocelots')).toEqual([])
    await revoke(onFolder)
    expect(await look('bob', 'ocelots')).toEqual([])
    await share(ann, 'chat', id, 'bob')
    expect(await look('bob', 'ocelots')).toEqual(['chat', 'message'])
    await ann.call(chatRoutes.remove, at(id))
    expect(await look('bob', 'ocelots')).toEqual([])
  })

  describe('a right to read', () => {
    /** Every route that names a chat or a folder, with a body that would be taken. */
    const named = Object.entries(chatRoutes as Record<string, Route>).filter(
      ([, { names }]) => typeof names === 'object' && names.resource !== 'document',
    )
    const bodies: Record<string, object> = {
      update: { title: 'Taken' },
      addMessage: { role: 'user', content: 'x' },
      updateMessage: { content: 'x' },
      branch: { branchIndex: 0 },
      addBranch: { content: 'x' },
      generate: { message: 'x' },
      generateStream: { message: 'x' },
      startGeneration: { message: 'x' },
      startMaking: { message: 'x', make: { kind: 'image', model: 'm', pluginId: 'p' } },
      generateTitle: {},
      enqueue: { content: 'x' },
      enqueueMaking: { content: 'x', make: { kind: 'image', model: 'm', pluginId: 'p' } },
      reorderQueue: { order: [] },
      updateQueued: { content: 'x' },
      saveDraft: { content: 'x' },
      updateFolder: { name: 'Taken' },
      fork: {},
      decide: { decision: 'deny' },
    }
    const queries: Readonly<Record<string, string>> = { find: '?q=x', findInBranches: '?q=x', export: '?format=json' }
    const credentials = async (who: Client, name: string, route: Route, ids: Record<string, string>) => {
      const path = route.path.replace(/\{(\w+)\}/g, (_, key: string) => ids[key] ?? 'nothing')
      const answer = await who.raw(`${path}${queries[name] ?? ''}`, {
        method: route.method.toUpperCase(),
        headers: { 'content-type': 'application/json' },
        ...(route.body ? { body: JSON.stringify(bodies[name]) } : {}),
      })
      const code = answer.ok ? 'ok' : ((await answer.json()) as { code: string }).code
      if (answer.ok) await answer.body?.cancel()
      return { status: answer.status, code }
    }

    test('changes nothing: every route that does is refused, and to a stranger nothing is there', async () => {
      const { id } = await newChat(ann)
      const answer = await say(ann, id, 'Hello')
      const folder = await ann.call(chatRoutes.createFolder, { body: { name: 'Kept' } })
      await share(ann, 'chat', id, 'bob')
      await share(ann, 'folder', folder.id, 'bob')
      const before = await read(ann, id)
      const ids = { sessionId: id, messageId: answer.id, assistantMessageId: answer.id, folderId: folder.id }
      expect(named.length).toBeGreaterThan(25)
      for (const [name, route] of named) {
        const needed = typeof route.names === 'object' ? route.names : null
        const missing = needed?.resource === 'folder' ? 'folder_not_found' : 'chat_not_found'
        expect([name, await credentials(cleo, name, route, ids)]).toEqual([name, { status: 404, code: missing }])
        if (needed?.right === 'owner')
          expect([name, await credentials(bob, name, route, ids)]).toEqual([
            name,
            { status: 403, code: 'right_missing' },
          ])
      }
      expect(await read(ann, id)).toEqual(before)
    })

    test('is declared by every route with a parameter', () => {
      const open = Object.entries(chatRoutes as Record<string, Route>).filter(
        ([, { path, names }]) => /\{/.test(path) && !names,
      )
      expect(open.map(([name]) => name)).toEqual([])
    })

    test('on one chat opens no message, branch, run, entry or attachment of another', async () => {
      const [mine, other] = [await newChat(ann), await newChat(ann)]
      await say(ann, mine.id, 'In this one')
      const foreign = await say(ann, other.id, 'In the other')
      await share(ann, 'chat', mine.id, 'bob')
      for (const who of [ann, bob]) {
        const params = { sessionId: mine.id, messageId: foreign.id }
        expect((await who.refusal(chatRoutes.newer, { params, query: {} })).code).toBe('message_not_found')
        expect((await who.refusal(chatRoutes.branches, { params })).code).toBe('message_not_found')
        const around = await who.refusal(chatRoutes.messages, { ...at(mine.id), query: { around: foreign.id } })
        expect(around.code).toBe('message_not_found')
        const upTo = await who.refusal(chatRoutes.fork, { ...at(mine.id), body: { messageId: foreign.id } })
        expect(upTo.code).toBe('message_not_found')
        for (const generation of [foreign.id, foreign.generationId ?? '']) {
          const events = await who.raw(toRequest(chatRoutes.events, { ...at(mine.id), query: { generation } }).path)
          expect(events.status).toBe(404)
        }
      }
      const { queue } = await ann.call(chatRoutes.enqueue, { ...at(other.id), body: { content: 'Later' } })
      const params = { sessionId: mine.id, entryId: queue[0]?.id ?? 'sent' }
      expect((await ann.refusal(chatRoutes.updateQueued, { params, body: { content: 'x' } })).status).toBe(404)
      expect((await ann.refusal(chatRoutes.removeQueued, { params })).status).toBe(404)
      const own = { sessionId: mine.id, messageId: foreign.id }
      const changes = [
        ann.refusal(chatRoutes.updateMessage, { params: own, body: { content: 'x' } }),
        ann.refusal(chatRoutes.truncate, { params: own }),
        ann.refusal(chatRoutes.branch, { params: own, body: { branchIndex: 0 } }),
        ann.refusal(chatRoutes.addBranch, { params: own, body: { content: 'x' } }),
        ann.refusal(chatRoutes.restore, { params: own }),
        ann.refusal(chatRoutes.cancel, { params: { sessionId: mine.id, assistantMessageId: foreign.id } }),
      ]
      expect((await Promise.all(changes)).map(({ status }) => status)).toEqual([404, 404, 404, 404, 404, 404])
    })

    test('goes with the chat or the folder when that is deleted for good', async () => {
      const folder = await ann.call(chatRoutes.createFolder, { body: { name: 'Brief' } })
      const { id } = await newChat(ann)
      await share(ann, 'chat', id, 'bob')
      await share(ann, 'folder', folder.id, 'bob')
      const grants = async () =>
        (
          await harness.database
            .tables<{ access_grants: { resource_id: string } }>()
            .selectFrom('access_grants')
            .select('resource_id')
            .where('resource_id', 'in', [id, folder.id])
            .execute()
        ).length
      await ann.call(chatRoutes.remove, at(id))
      await ann.call(chatRoutes.removeFolder, { params: { folderId: folder.id }, query: {} })
      expect(await grants()).toBe(2)
      await ann.call(chatRoutes.removeTrash, { params: { itemId: id } })
      await ann.call(chatRoutes.removeTrash, { params: { itemId: folder.id } })
      expect(await grants()).toBe(0)
    })
  })
})
