import { chatRoutes } from '@atrium/contract/chat'
import { settingsRoutes } from '@atrium/contract/settings'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { trashKeptMs } from '../../core/resources/index.ts'
import type { JobContext } from '../../platform/jobs/types.ts'
import { type ChatHarness, local, newChat, openChats, say, until } from '../../testing/chats.ts'
import type { Client } from '../../testing/client.ts'
import { withDatabase } from '../../testing/databases.ts'

/** One pixel. */
const smallPicture = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
)

withDatabase('chats', (open) => {
  let harness: ChatHarness
  let ann: Client
  let bob: Client
  beforeAll(async () => {
    harness = await openChats(open)
    ann = harness.ann
    bob = harness.bob
    // Titles have their own test.
    await ann.call(settingsRoutes.update, { body: { chat: { generateTitles: false } } })
  })
  afterAll(() => harness.close())
  beforeEach(() => harness.calm())

  const at = (sessionId: string) => ({ params: { sessionId } })
  const add = (sessionId: string, role: 'user' | 'assistant', content: string) =>
    ann.call(chatRoutes.addMessage, { ...at(sessionId), body: { role, content } })
  const read = (sessionId: string) => ann.call(chatRoutes.read, { ...at(sessionId), query: {} })

  describe('sessions', () => {
    test('are made with a title, a model, a folder and settings, and once for one id', async () => {
      const folder = await ann.call(chatRoutes.createFolder, { body: { name: 'Work' } })
      const body = {
        id: `chat-${folder.id}`,
        title: 'Plans',
        selection: local('echo'),
        folderId: folder.id,
        settings: { systemMessage: 'Hi' },
      }
      const made = await ann.call(chatRoutes.create, { body })
      expect(made).toMatchObject({ id: body.id, title: 'Plans', titleSource: 'own', folderId: folder.id })
      expect(made.settings.systemMessage).toBe('Hi')
      expect((await ann.call(chatRoutes.create, { body })).id).toBe(body.id)
      expect((await ann.refusal(chatRoutes.create, { body: { ...body, title: 'Other' } })).code).toBe('id_reused')
      expect((await bob.refusal(chatRoutes.create, { body: { id: body.id } })).code).toBe('id_reused')
      expect((await ann.refusal(chatRoutes.create, { body: { folderId: 'none' } })).code).toBe('folder_not_found')
    })

    test('are listed latest first, by page, folder, pin, archive and words of the title', async () => {
      const mine = harness.ann.as('bob')
      const ids: string[] = []
      for (let n = 0; n < 5; n += 1)
        ids.push((await mine.call(chatRoutes.create, { body: { title: `Tea ${n} Über` } })).id)
      await mine.call(chatRoutes.update, { ...at(ids[1] ?? ''), body: { pinned: true } })
      await mine.call(chatRoutes.update, { ...at(ids[2] ?? ''), body: { archived: true } })
      const all = await mine.call(chatRoutes.list, { query: {} })
      expect(all.items.map(({ id }) => id)).toEqual([ids[4], ids[3], ids[1], ids[0]])
      const first = await mine.call(chatRoutes.list, { query: { limit: 3 } })
      const second = await mine.call(chatRoutes.list, { query: { limit: 3, cursor: first.nextCursor ?? '' } })
      expect([...first.items, ...second.items].map(({ id }) => id)).toEqual(all.items.map(({ id }) => id))
      expect(second.nextCursor).toBeNull()
      expect((await mine.call(chatRoutes.list, { query: { pinned: 'true' } })).items.map(({ id }) => id)).toEqual([
        ids[1],
      ])
      expect((await mine.call(chatRoutes.list, { query: { archived: 'true' } })).items.map(({ id }) => id)).toEqual([
        ids[2],
      ])
      const found = await mine.call(chatRoutes.list, { query: { q: 'über 3' } })
      expect(found.items.map(({ id }) => id)).toEqual([ids[3]])
      const page = await mine.call(chatRoutes.list, { query: { q: 'TEA', limit: 2 } })
      const rest = await mine.call(chatRoutes.list, { query: { q: 'tea', limit: 5, cursor: page.nextCursor ?? '' } })
      expect([...page.items, ...rest.items]).toHaveLength(4)
      expect((await mine.refusal(chatRoutes.list, { query: { cursor: 'nonsense' } })).code).toBe('bad_cursor')
    })

    test('are renamed, moved and changed without moving their time', async () => {
      const made = await newChat(ann)
      const folder = await ann.call(chatRoutes.createFolder, { body: { name: 'Later' } })
      const changed = await ann.call(chatRoutes.update, {
        ...at(made.id),
        body: { title: 'Own', folderId: folder.id, selection: null, unread: true, settings: { compaction: false } },
      })
      expect(changed).toMatchObject({
        title: 'Own',
        titleSource: 'own',
        folderId: folder.id,
        selection: null,
        unread: true,
      })
      expect(changed.updatedAt).toBe(made.updatedAt)
      expect((await read(made.id)).settings).toEqual({ compaction: false })
      const wrong = { ...at(made.id), body: { folderId: 'none' } }
      expect((await ann.refusal(chatRoutes.update, wrong)).code).toBe('folder_not_found')
      expect((await ann.call(chatRoutes.list, { query: { folderId: folder.id } })).items).toHaveLength(1)
    })

    test('are exported one by one: the active path to read, or all branches as JSON', async () => {
      const folder = await ann.call(chatRoutes.createFolder, { body: { name: 'Garden' } })
      const { id } = await ann.call(chatRoutes.create, { body: { title: 'Roses / soil', folderId: folder.id } })
      const first = await add(id, 'user', 'Which soil?')
      const left = await add(id, 'assistant', 'Loam.')
      await add(id, 'user', 'And water?')
      await ann.call(chatRoutes.truncate, { params: { sessionId: id, messageId: left.id } })
      await add(id, 'assistant', 'Clay.')
      const save = async (format: 'markdown' | 'html' | 'json') =>
        await (await ann.answer(chatRoutes.export, { ...at(id), query: { format } })).text()
      const markdown = await save('markdown')
      expect(markdown).toMatch(/^# Roses \/ soil\n\n## You · \S+\n\nWhich soil\?\n\n## \S+ · \S+\n\nClay\.\n\n$/)
      const html = await save('html')
      expect(html).toMatch(
        /^<!doctype html>[^]*<h1 dir="auto">Roses \/ soil<\/h1>[^]*Which soil\?[^]*Clay\.[^]*<\/html>\n$/,
      )
      expect(html).not.toContain('Loam')
      const speech = { language: 'ar', timeZone: 'Africa/Cairo' } as const
      const inArabic = async (format: 'markdown' | 'html') =>
        await (await ann.answer(chatRoutes.export, { ...at(id), query: { format, ...speech } })).text()
      const time = (ms: number): string =>
        new Intl.DateTimeFormat('ar', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'Africa/Cairo' }).format(ms)
      const saidAt = Date.parse(first.createdAt)
      expect(await inArabic('html')).toMatch(/^<!doctype html>\n<html lang="ar" dir="rtl">/)
      expect(await inArabic('html')).toContain(
        `<h2><bdi>أنت</bdi> <time datetime="${first.createdAt}">${time(saidAt)}</time></h2>`,
      )
      expect(await inArabic('markdown')).toContain(`## أنت · ${time(saidAt)}\n`)
      const json = JSON.parse(await save('json'))
      expect(json).toMatchObject({ id, title: 'Roses / soil', folder: 'Garden' })
      const answer = await ann.answer(chatRoutes.export, { ...at(id), query: { format: 'json' } })
      expect(answer.headers.get('content-disposition')).toMatch(
        /^attachment; filename="\d{4}-\d\d-\d\d Roses soil\.json"/,
      )
      expect((await bob.refusal(chatRoutes.export, { ...at(id), query: { format: 'json' } })).code).toBe(
        'chat_not_found',
      )
    })

    test('are exported as one page that holds their pictures and runs nothing', async () => {
      const { id } = await newChat(ann)
      const picture = await ann.call(chatRoutes.attach, {
        query: { name: '<b>.png' },
        file: new Blob([smallPicture], { type: 'image/png' }),
      })
      const content = '**Bold** <script>alert(1)</script> [x](javascript:alert(1))'
      const body = { role: 'user' as const, content, attachmentIds: [picture.id] }
      await ann.call(chatRoutes.addMessage, { ...at(id), body })
      const answer = await ann.answer(chatRoutes.export, { ...at(id), query: { format: 'html' } })
      expect(answer.headers.get('content-disposition')).toMatch(/^attachment; filename="[^"]+\.html"/)
      const html = await answer.text()
      expect(html).toContain('<strong>Bold</strong> &#60;script&#62;')
      expect(html).toMatch(/<img alt="&#60;b&#62;\.png" src="data:image\/png;base64,[\w+/=]+">/)
      // Its title may say anything, as text.
      expect(html).not.toMatch(/<script|(href|src)\s*=\s*["']?\s*javascript:/i)
    })

    test('are not there for anybody else, whatever is asked', async () => {
      const { id } = await newChat(ann)
      const answer = await say(ann, id, 'Secret')
      const params = { sessionId: id, messageId: answer.id }
      const refusals = await Promise.all([
        bob.refusal(chatRoutes.read, { ...at(id), query: {} }),
        bob.refusal(chatRoutes.update, { ...at(id), body: { title: 'x' } }),
        bob.refusal(chatRoutes.remove, at(id)),
        bob.refusal(chatRoutes.fork, { ...at(id), body: {} }),
        bob.refusal(chatRoutes.context, { ...at(id), query: {} }),
        bob.refusal(chatRoutes.compact, at(id)),
        bob.refusal(chatRoutes.restore, { params }),
        bob.refusal(chatRoutes.messages, { ...at(id), query: {} }),
        bob.refusal(chatRoutes.newer, { params, query: {} }),
        bob.refusal(chatRoutes.addMessage, { ...at(id), body: { role: 'user', content: 'x' } }),
        bob.refusal(chatRoutes.updateMessage, { params, body: { rating: 1 } }),
        bob.refusal(chatRoutes.branch, { params, body: { branchIndex: 0 } }),
        bob.refusal(chatRoutes.branches, { params }),
        bob.refusal(chatRoutes.addBranch, { params, body: { content: 'x' } }),
        bob.refusal(chatRoutes.truncate, { params }),
        bob.refusal(chatRoutes.generate, { ...at(id), body: { message: 'x' } }),
        bob.refusal(chatRoutes.generateStream, { ...at(id), body: { message: 'x' } }),
        bob.refusal(chatRoutes.startGeneration, { ...at(id), body: { message: 'x' } }),
        bob.refusal(chatRoutes.cancel, { params: { sessionId: id, assistantMessageId: answer.id } }),
        bob.refusal(chatRoutes.events, { ...at(id), query: {} }),
        bob.refusal(chatRoutes.generateTitle, { ...at(id), body: {} }),
        bob.refusal(chatRoutes.followups, at(id)),
        bob.refusal(chatRoutes.enqueue, { ...at(id), body: { content: 'x' } }),
        bob.refusal(chatRoutes.reorderQueue, { ...at(id), body: { order: [] } }),
        bob.refusal(chatRoutes.updateQueued, { params: { sessionId: id, entryId: 'x' }, body: { content: 'x' } }),
        bob.refusal(chatRoutes.removeQueued, { params: { sessionId: id, entryId: 'x' } }),
        bob.refusal(chatRoutes.saveDraft, { ...at(id), body: { content: 'x' } }),
      ])
      expect(new Set(refusals.map(({ status, code }) => `${status} ${code}`))).toEqual(new Set(['404 chat_not_found']))
      expect((await read(id)).messages.items.at(-1)).toMatchObject({ id: answer.id, rating: null })
    })
  })

  describe('messages', () => {
    test('are added by hand, once for one id, and read page by page from the end', async () => {
      const { id } = await newChat(ann)
      const ids: string[] = []
      for (let n = 0; n < 12; n += 1) ids.push((await add(id, n % 2 ? 'assistant' : 'user', `m${n}`)).id)
      const open = await ann.call(chatRoutes.read, { ...at(id), query: { limit: 5 } })
      expect(open).toMatchObject({ messageCount: 12, activeLeafId: ids[11], title: 'm0' })
      expect(open.messages.items.map(({ content }) => content)).toEqual(['m7', 'm8', 'm9', 'm10', 'm11'])
      const query = { limit: 5, cursor: open.messages.nextCursor ?? '' }
      const before = await ann.call(chatRoutes.messages, { ...at(id), query })
      expect(before.items.map(({ content }) => content)).toEqual(['m2', 'm3', 'm4', 'm5', 'm6'])
      expect(before.previousCursor).toBe(ids[6])
      const last = await ann.call(chatRoutes.messages, {
        ...at(id),
        query: { limit: 5, cursor: before.nextCursor ?? '' },
      })
      expect(last.items.map(({ content }) => content)).toEqual(['m0', 'm1'])
      expect(last.nextCursor).toBeNull()
      const around = await ann.call(chatRoutes.messages, { ...at(id), query: { limit: 6, around: ids[4] ?? '' } })
      expect(around.items.map(({ content }) => content)).toEqual(['m2', 'm3', 'm4', 'm5', 'm6', 'm7'])
      const newer = await ann.call(chatRoutes.newer, {
        params: { sessionId: id, messageId: ids[7] ?? '' },
        query: { limit: 3 },
      })
      expect(newer.items.map(({ content }) => content)).toEqual(['m8', 'm9', 'm10'])
      expect(newer.nextCursor).toBe(ids[10])
      expect((await ann.refusal(chatRoutes.messages, { ...at(id), query: { cursor: 'x' } })).code).toBe('bad_cursor')
      expect((await ann.refusal(chatRoutes.messages, { ...at(id), query: { around: 'x' } })).code).toBe(
        'message_not_found',
      )
      const body = { id: `own-${id}`, role: 'user' as const, content: 'once' }
      const [one, two] = await Promise.all([
        ann.call(chatRoutes.addMessage, { ...at(id), body }),
        ann.call(chatRoutes.addMessage, { ...at(id), body }),
      ])
      expect(one.id).toBe(two.id)
      expect((await ann.refusal(chatRoutes.addMessage, { ...at(id), body: { ...body, content: 'y' } })).code).toBe(
        'id_reused',
      )
      expect((await read(id)).messageCount).toBe(13)
    })

    test('are changed and rated', async () => {
      const { id } = await newChat(ann)
      const { id: messageId, createdAt } = await add(id, 'assistant', 'Old')
      const params = { sessionId: id, messageId }
      const changed = await ann.call(chatRoutes.updateMessage, {
        params,
        body: { content: 'New', reasoning: 'Because' },
      })
      expect(changed).toMatchObject({ content: 'New', reasoning: 'Because', rating: null, createdAt })
      expect(changed.editedAt).not.toBeNull()
      expect((await ann.call(chatRoutes.updateMessage, { params, body: { rating: -1 } })).rating).toBe(-1)
      expect((await ann.call(chatRoutes.updateMessage, { params, body: { rating: null } })).rating).toBeNull()
      const none = { params: { ...params, messageId: 'none' }, body: { rating: 1 as const } }
      expect((await ann.refusal(chatRoutes.updateMessage, none)).code).toBe('message_not_found')
    })

    test('grow in branches that come back as they were left', async () => {
      const { id } = await newChat(ann)
      const question = await add(id, 'user', 'q')
      const one = await add(id, 'assistant', 'a1')
      await add(id, 'user', 'a1-q')
      await add(id, 'assistant', 'a1-a')
      const params = { sessionId: id, messageId: one.id }
      const two = await ann.call(chatRoutes.addBranch, { params, body: { content: 'a2' } })
      expect(two).toMatchObject({ siblingIndex: 1, siblingCount: 2, parentId: question.id, role: 'assistant' })
      await add(id, 'user', 'a2-q')
      expect((await read(id)).messages.items.map(({ content }) => content)).toEqual(['q', 'a2', 'a2-q'])
      const back = await ann.call(chatRoutes.branch, { params, body: { branchIndex: 0 } })
      expect(back.messages.items.map(({ content }) => content)).toEqual(['q', 'a1', 'a1-q', 'a1-a'])
      const again = await ann.call(chatRoutes.branch, { params, body: { branchIndex: 1 } })
      expect(again.messages.items.map(({ content }) => content)).toEqual(['q', 'a2', 'a2-q'])
      const { items } = await ann.call(chatRoutes.branches, { params })
      expect(items.map(({ content }) => content)).toEqual(['a1', 'a2'])
      expect((await ann.refusal(chatRoutes.branch, { params, body: { branchIndex: 2 } })).code).toBe(
        'message_not_found',
      )
      // A question has branches too, at the root.
      const root = { sessionId: id, messageId: question.id }
      await ann.call(chatRoutes.addBranch, { params: root, body: { content: 'q2' } })
      expect((await read(id)).messages.items.map(({ content }) => content)).toEqual(['q2'])
      const first = await ann.call(chatRoutes.branch, { params: root, body: { branchIndex: 0 } })
      expect(first.messages.items.map(({ content }) => content)).toEqual(['q', 'a2', 'a2-q'])
      // A branch that hangs on another one that is not active now leads the whole path there.
      await ann.call(chatRoutes.branch, { params: root, body: { branchIndex: 1 } })
      const far = await ann.call(chatRoutes.branch, { params, body: { branchIndex: 0 } })
      expect(far.messages.items.map(({ content }) => content)).toEqual(['q', 'a1', 'a1-q', 'a1-a'])
      const downward = await ann.call(chatRoutes.newer, { params: root, query: {} })
      expect(downward.items.map(({ content }) => content)).toEqual(['a1', 'a1-q', 'a1-a'])
    })

    test('go to the trash with all that follows, and come back', async () => {
      const { id } = await newChat(ann)
      const question = await add(id, 'user', 'q')
      const answer = await add(id, 'assistant', 'a')
      await add(id, 'user', 'q2')
      const params = { sessionId: id, messageId: answer.id }
      const cut = await ann.call(chatRoutes.truncate, { params })
      expect(cut).toMatchObject({ messageCount: 1, activeLeafId: question.id })
      expect((await ann.refusal(chatRoutes.truncate, { params })).code).toBe('message_not_found')
      const { items } = await ann.call(chatRoutes.trash, { query: {} })
      expect(items[0]).toMatchObject({ id: answer.id, kind: 'message', title: 'a', chatId: id })
      await ann.call(chatRoutes.restoreTrash, { params: { itemId: answer.id } })
      expect((await read(id)).messages.items.map(({ content }) => content)).toEqual(['q', 'a', 'q2'])
      const again = await ann.refusal(chatRoutes.restoreTrash, { params: { itemId: answer.id } })
      expect(again.code).toBe('trash_item_not_found')
      // Of two siblings one stays, and is shown.
      const twin = await ann.call(chatRoutes.addBranch, { params, body: { content: 'b' } })
      const kept = await ann.call(chatRoutes.truncate, { params: { sessionId: id, messageId: twin.id } })
      expect(kept.messages.items.map(({ content }) => content)).toEqual(['q', 'a', 'q2'])
      expect(kept.messages.items[1]).toMatchObject({ siblingCount: 1 })
      await ann.call(chatRoutes.removeTrash, { params: { itemId: twin.id } })
      expect((await ann.refusal(chatRoutes.removeTrash, { params: { itemId: twin.id } })).code).toBe(
        'trash_item_not_found',
      )
    })

    test('leave the middle of a chat alone or as a pair, and come back between what they stood between', async () => {
      const { id } = await newChat(ann)
      const said = async () => (await read(id)).messages.items.map(({ content, depth }) => `${depth} ${content}`)
      const [q1, , q2, a2] = [
        await add(id, 'user', 'q1'),
        await add(id, 'assistant', 'a1'),
        await add(id, 'user', 'q2'),
        await add(id, 'assistant', 'a2'),
        await add(id, 'user', 'q3'),
      ]
      const params = (message: { id: string }) => ({ sessionId: id, messageId: message.id })
      const remove = (message: { id: string }, query: { with?: 'answers' } = {}) =>
        ann.call(chatRoutes.removeMessage, { params: params(message), query })
      const restore = (message: { id: string }) => ann.call(chatRoutes.restoreTrash, { params: { itemId: message.id } })
      const all = ['0 q1', '1 a1', '2 q2', '3 a2', '4 q3']

      expect(await remove(a2)).toMatchObject({ messageCount: 4 })
      expect(await said()).toEqual(['0 q1', '1 a1', '2 q2', '3 q3'])
      expect((await ann.refusal(chatRoutes.removeMessage, { params: params(a2), query: {} })).code).toBe(
        'message_not_found',
      )
      await restore(a2)
      expect(await said()).toEqual(all)

      // A pair, with another version of the answer; the first question with what followed both.
      await ann.call(chatRoutes.addBranch, { params: params(a2), body: { content: 'a2 again' } })
      await ann.call(chatRoutes.branch, { params: params(a2), body: { branchIndex: 0 } })
      await remove(q2, { with: 'answers' })
      expect(await said()).toEqual(['0 q1', '1 a1', '2 q3'])
      await remove(q1)
      expect(await said()).toEqual(['0 a1', '1 q3'])
      // In the other order, and with something said meanwhile.
      await add(id, 'assistant', 'a3')
      await restore(q2)
      expect(await said()).toEqual(['0 a1', '1 q2', '2 a2', '3 q3', '4 a3'])
      await restore(q1)
      expect(await said()).toEqual([...all, '5 a3'])
      expect((await ann.call(chatRoutes.branches, { params: params(a2) })).items).toHaveLength(2)

      // The last of all, what is in the trash for good, and what is not one's own.
      const last = await add(id, 'user', 'q4')
      expect(await remove(last)).toMatchObject({ messageCount: 6 })
      await ann.call(chatRoutes.removeTrash, { params: { itemId: last.id } })
      expect(await said()).toEqual([...all, '5 a3'])
      expect((await bob.refusal(chatRoutes.removeMessage, { params: params(q1), query: {} })).code).toBe(
        'chat_not_found',
      )
    })

    test('that left a chat come back where what followed them was thrown away, or stays behind', async () => {
      const { id } = await newChat(ann)
      const said = async () => (await read(id)).messages.items.map(({ content, depth }) => `${depth} ${content}`)
      const [, a1, q2] = [
        await add(id, 'user', 'q1'),
        await add(id, 'assistant', 'a1'),
        await add(id, 'user', 'q2'),
        await add(id, 'assistant', 'a2'),
      ]
      const params = (message: { id: string }) => ({ sessionId: id, messageId: message.id })
      await ann.call(chatRoutes.removeMessage, { params: params(a1), query: {} })
      await ann.call(chatRoutes.truncate, { params: params(q2) })
      expect(await said()).toEqual(['0 q1'])
      await ann.call(chatRoutes.restoreTrash, { params: { itemId: a1.id } })
      expect(await said()).toEqual(['0 q1', '1 a1'])
      await ann.call(chatRoutes.restoreTrash, { params: { itemId: q2.id } })
      expect(await said()).toEqual(['0 q1', '1 a1', '2 q2', '3 a2'])
    })

    test('are not cut, switched or added to under a running answer, except by truncating, which stops it', async () => {
      const { id } = await newChat(ann, 'long-2000-drip-20')
      const { assistantMessage, userMessage } = await ann.call(chatRoutes.startGeneration, {
        ...at(id),
        body: { message: 'x' },
      })
      const params = { sessionId: id, messageId: assistantMessage.id }
      const codes = await Promise.all([
        ann.refusal(chatRoutes.addMessage, { ...at(id), body: { role: 'user', content: 'x' } }),
        ann.refusal(chatRoutes.branch, { params, body: { branchIndex: 0 } }),
        ann.refusal(chatRoutes.addBranch, { params, body: { content: 'x' } }),
        ann.refusal(chatRoutes.updateMessage, { params, body: { content: 'x' } }),
        ann.refusal(chatRoutes.compact, at(id)),
        ann.refusal(chatRoutes.removeMessage, { params, query: {} }),
      ])
      expect(codes.map(({ code }) => code)).toEqual(Array(6).fill('generation_running'))
      const cut = await ann.call(chatRoutes.truncate, { params: { sessionId: id, messageId: userMessage?.id ?? '' } })
      expect(cut).toMatchObject({ messageCount: 0, runningGenerationId: null, activeLeafId: null })
    })
  })

  describe('forks', () => {
    test('copy all branches of an own chat, with the path that is active', async () => {
      const { id } = await newChat(ann)
      await add(id, 'user', 'q')
      const answer = await add(id, 'assistant', 'a1')
      await add(id, 'user', 'a1-q')
      const params = { sessionId: id, messageId: answer.id }
      await ann.call(chatRoutes.addBranch, { params, body: { content: 'a2' } })
      const gone = await add(id, 'user', 'a2-q')
      await ann.call(chatRoutes.truncate, { params: { sessionId: id, messageId: gone.id } })
      const fork = await ann.call(chatRoutes.fork, { ...at(id), body: { branches: true } })
      const copy = await read(fork.id)
      expect(copy.messages.items.map(({ content }) => content)).toEqual(['q', 'a2'])
      expect(copy.messages.items[1]).toMatchObject({ siblingCount: 2, siblingIndex: 1 })
      const twin = { sessionId: fork.id, messageId: copy.messages.items[1]?.id ?? '' }
      const back = await ann.call(chatRoutes.branch, { params: twin, body: { branchIndex: 0 } })
      expect(back.messages.items.map(({ content }) => content)).toEqual(['q', 'a1', 'a1-q'])
      // The chat itself is as it was.
      expect((await read(id)).messages.items.map(({ content }) => content)).toEqual(['q', 'a2'])

      const upTo = await ann.call(chatRoutes.fork, { ...at(id), body: { branches: true, messageId: answer.id } })
      const part = await read(upTo.id)
      expect(part).toMatchObject({ messageCount: 2, messages: { items: [{ content: 'q' }, { content: 'a1' }] } })
      const last = part.messages.items[1]
      expect(last).toMatchObject({ siblingCount: 2, siblingIndex: 0 })
      // The path leads there from its beginning, and ends there.
      const around = { ...at(upTo.id), query: { around: part.messages.items[0]?.id ?? '' } }
      expect(await ann.call(chatRoutes.messages, around)).toMatchObject({ active: true, previousCursor: null })
      const other = { params: { sessionId: upTo.id, messageId: last?.id ?? '' }, body: { branchIndex: 1 } }
      const beside = await ann.call(chatRoutes.branch, other)
      expect(beside.messages.items.map(({ content }) => content)).toEqual(['q', 'a2'])
      // What followed it stayed behind.
      const { items } = await ann.call(chatRoutes.branchMap, { ...at(upTo.id), query: {} })
      expect(items.map(({ messageCount }) => messageCount)).toEqual([1, 1, 1])
    })

    test('copy the active path up to a message into a chat of its own', async () => {
      const { id } = await newChat(ann)
      const messages = []
      for (let n = 0; n < 250; n += 1) messages.push(await add(id, n % 2 ? 'assistant' : 'user', `m${n}`))
      const fork = await ann.call(chatRoutes.fork, {
        ...at(id),
        body: { messageId: messages[220]?.id ?? '', title: 'Fork' },
      })
      expect(fork).toMatchObject({ title: 'Fork', pinned: false })
      const copy = await read(fork.id)
      expect(copy).toMatchObject({ messageCount: 221, forkedFrom: { chatId: id, messageId: messages[220]?.id } })
      expect(copy.messages.items.at(-1)?.content).toBe('m220')
      const all: string[] = []
      for (let cursor: string | null | undefined = undefined; cursor !== null; ) {
        const query: { limit: number; cursor?: string } = cursor ? { limit: 100, cursor } : { limit: 100 }
        const page: { items: { content: string }[]; nextCursor: string | null } = await ann.call(chatRoutes.messages, {
          ...at(fork.id),
          query,
        })
        all.unshift(...page.items.map(({ content }) => content))
        cursor = page.nextCursor
      }
      expect(all).toEqual(messages.slice(0, 221).map(({ content }) => content))
      expect((await say(ann, fork.id, 'Go on')).status).toBe('complete')
      expect((await read(id)).messageCount).toBe(250)
      const none = { ...at(id), body: { messageId: 'none' } }
      expect((await ann.refusal(chatRoutes.fork, none)).code).toBe('message_not_found')
    })

    test('of which only a part was copied are not seen, and are cleaned up', async () => {
      const { id } = await newChat(ann)
      await add(id, 'user', 'x')
      const fork = await ann.call(chatRoutes.fork, { ...at(id), body: {} })
      await harness.database
        .tables<{ chat_sessions: { id: string; ready: number; created_at: number } }>()
        .updateTable('chat_sessions')
        .set({ ready: 0, created_at: 0 })
        .where('id', '=', fork.id)
        .execute()
      expect((await ann.refusal(chatRoutes.read, { ...at(fork.id), query: {} })).code).toBe('chat_not_found')
      expect((await ann.call(chatRoutes.list, { query: {} })).items.some((item) => item.id === fork.id)).toBe(false)
      await harness.chats.recover()
      const rows = await harness.database
        .tables<{ chat_sessions: { id: string } }>()
        .selectFrom('chat_sessions')
        .select('id')
        .where('id', '=', fork.id)
        .execute()
      expect(rows).toEqual([])
    })
  })

  describe('the queue', () => {
    test('is sent one by one when answers are done', async () => {
      // The first answer is not done before both prompts are in the queue.
      harness.provider.control({ holdAfter: 1 })
      const { id } = await newChat(ann)
      await ann.call(chatRoutes.startGeneration, { ...at(id), body: { message: 'first' } })
      await ann.call(chatRoutes.enqueue, { ...at(id), body: { content: 'second' } })
      const { queue } = await ann.call(chatRoutes.enqueue, { ...at(id), body: { content: 'third' } })
      expect(queue.map(({ content }) => content)).toEqual(['second', 'third'])
      harness.provider.control({ holdAfter: null })
      await until(async () => (await read(id)).messageCount === 6 && (await read(id)).runningGenerationId === null)
      const { messages, queue: left } = await read(id)
      expect(messages.items.filter(({ role }) => role === 'user').map(({ content }) => content)).toEqual([
        'first',
        'second',
        'third',
      ])
      expect(left).toEqual([])
    })

    test('is changed, put in order, and each prompt is taken by one caller only', async () => {
      const { id } = await newChat(ann, 'long-2000-drip-20')
      const { assistantMessage } = await ann.call(chatRoutes.startGeneration, { ...at(id), body: { message: 'x' } })
      const ids: string[] = []
      for (const content of ['a', 'b', 'c']) {
        ids.push((await ann.call(chatRoutes.enqueue, { ...at(id), body: { content } })).queue.at(-1)?.id ?? '')
      }
      const ordered = await ann.call(chatRoutes.reorderQueue, {
        ...at(id),
        body: { order: [ids[2] ?? '', 'unknown', ids[0] ?? ''] },
      })
      expect(ordered.queue.map(({ content }) => content)).toEqual(['c', 'a', 'b'])
      const entry = (entryId: string) => ({ params: { sessionId: id, entryId } })
      const changed = await ann.call(chatRoutes.updateQueued, { ...entry(ids[0] ?? ''), body: { content: 'A' } })
      expect(changed.queue.map(({ content }) => content)).toEqual(['c', 'A', 'b'])
      const takes = await Promise.allSettled(
        [1, 2, 3].map(() => ann.call(chatRoutes.removeQueued, entry(ids[1] ?? ''))),
      )
      expect(takes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
      const gone = await ann.refusal(chatRoutes.updateQueued, { ...entry(ids[1] ?? ''), body: { content: 'x' } })
      expect(gone.code).toBe('queue_entry_not_found')
      for (let n = 0; n < 18; n += 1) await ann.call(chatRoutes.enqueue, { ...at(id), body: { content: `${n}` } })
      expect((await ann.refusal(chatRoutes.enqueue, { ...at(id), body: { content: 'full' } })).code).toBe('queue_full')
      expect((await ann.refusal(chatRoutes.enqueue, { ...at(id), body: { content: ' ' } })).code).toBe(
        'validation_failed',
      )
      // A stopped answer holds the queue; nothing is sent behind the back of whoever stopped it.
      await ann.call(chatRoutes.cancel, { params: { sessionId: id, assistantMessageId: assistantMessage.id } })
      await new Promise((resolve) => setTimeout(resolve, 100))
      expect(await read(id)).toMatchObject({ runningGenerationId: null, messageCount: 2, queuePaused: true })
      expect((await read(id)).queue).toHaveLength(20)
    })

    test('stays paused after Stop, also behind another answer, until it is resumed', async () => {
      const { id } = await newChat(ann, 'long-2000-drip-20')
      const { assistantMessage } = await ann.call(chatRoutes.startGeneration, { ...at(id), body: { message: 'x' } })
      const first = await ann.call(chatRoutes.enqueue, { ...at(id), body: { content: 'one' } })
      expect(first.paused).toBe(false)
      await ann.call(chatRoutes.enqueue, { ...at(id), body: { content: 'two' } })
      const stop = { params: { sessionId: id, assistantMessageId: assistantMessage.id } }
      await ann.call(chatRoutes.cancel, stop)
      const entryId = first.queue[0]?.id ?? ''
      expect(await ann.call(chatRoutes.reorderQueue, { ...at(id), body: { order: [] } })).toMatchObject({
        paused: true,
      })
      await ann.call(chatRoutes.update, { ...at(id), body: { selection: local('echo') } })
      await ann.call(chatRoutes.generate, { ...at(id), body: { message: 'something else' } })
      const third = await ann.call(chatRoutes.enqueue, { ...at(id), body: { content: 'three' } })
      expect([third.paused, third.queue.length]).toEqual([true, 3])
      expect(await read(id)).toMatchObject({ runningGenerationId: null, messageCount: 4, queuePaused: true })
      await ann.call(chatRoutes.removeQueued, { params: { sessionId: id, entryId } })

      await ann.call(chatRoutes.resumeQueue, at(id))
      await until(async () => (await read(id)).messageCount === 8 && (await read(id)).runningGenerationId === null)
      expect(await read(id)).toMatchObject({ queue: [], queuePaused: false })

      // Stop that comes when the answer has just ended still keeps the next one from beginning.
      const slow = await newChat(ann, 'long-2000-drip-20')
      const running = await ann.call(chatRoutes.startGeneration, { ...at(slow.id), body: { message: 'x' } })
      for (const content of ['next', 'later']) await ann.call(chatRoutes.enqueue, { ...at(slow.id), body: { content } })
      const params = { sessionId: slow.id, assistantMessageId: running.assistantMessage.id }
      await ann.call(chatRoutes.cancel, { params })
      await ann.call(chatRoutes.resumeQueue, at(slow.id))
      expect((await read(slow.id)).queuePaused).toBe(false)
      expect(await ann.call(chatRoutes.cancel, { params })).toMatchObject({ outcome: 'already-ended' })
      const then = await read(slow.id)
      expect([then.queuePaused, then.queue.length]).toEqual([true, 1])
      const next = { sessionId: slow.id, assistantMessageId: then.messages.items.at(-1)?.id ?? '' }
      await ann.call(chatRoutes.cancel, { params: next })
    })

    test('is sent at once where nothing is being written', async () => {
      const { id } = await newChat(ann)
      await ann.call(chatRoutes.enqueue, { ...at(id), body: { content: 'alone' } })
      await until(async () => (await read(id)).messageCount === 2)
    })
  })

  test('drafts are kept with their attachments, per chat and for the next one, and go when they are sent', async () => {
    const { id, updatedAt } = await newChat(ann)
    const file = new Blob(['# Notes'], { type: 'text/markdown' })
    const attachment = await ann.call(chatRoutes.attach, { query: { name: 'notes.md' }, file })
    const quotes = [{ id: 'quote-01', messageId: 'some-answer', author: 'Echo', text: 'Said before' }]
    const typed = { content: 'half a', quotes, attachmentIds: [attachment.id] }
    await ann.call(chatRoutes.saveDraft, { ...at(id), body: typed })
    expect(await read(id)).toMatchObject({ draft: { content: 'half a', quotes, attachments: [attachment] }, updatedAt })
    await ann.call(chatRoutes.saveDraft, { ...at(id), body: { content: 'half a' } })
    expect((await read(id)).draft).toEqual({ content: 'half a', quotes: [], attachments: [] })
    await ann.call(chatRoutes.saveNewDraft, { body: { content: '', quotes } })
    expect(await ann.call(chatRoutes.newDraft, {})).toEqual({ content: '', quotes, attachments: [], sessionId: null })
    const nothing = { content: '', quotes: [], attachments: [], sessionId: null }
    expect(await bob.call(chatRoutes.newDraft, {})).toEqual(nothing)
    await say(ann, id, 'half a sentence')
    expect((await read(id)).draft).toEqual({ content: '', quotes: [], attachments: [] })
    const wrong = { body: { content: 'x', attachmentIds: ['none'] } }
    expect((await ann.refusal(chatRoutes.saveNewDraft, wrong)).code).toBe('attachment_not_found')
    await ann.call(chatRoutes.saveNewDraft, { body: { content: '' } })
    expect(await ann.call(chatRoutes.newDraft, {})).toEqual(nothing)
  })

  describe('a chat that is begun for a draft', () => {
    const mine = () => harness.ann.as('cleo')
    const begin = () => mine().call(chatRoutes.create, { body: { draft: true, selection: local('echo') } })
    const listed = async (id: string) =>
      (await mine().call(chatRoutes.list, { query: {} })).items.some((item) => item.id === id)

    test('is told with the draft, and comes into the list with the first question', async () => {
      harness.told.length = 0
      const { id } = await begin()
      await mine().call(chatRoutes.update, { ...at(id), body: { settings: { systemMessage: 'Short.' } } })
      expect((await mine().call(chatRoutes.newDraft, {})).sessionId).toBe(id)
      expect(await listed(id)).toBe(false)
      expect((await mine().call(chatRoutes.list, { query: { q: 'new chat' } })).items).toEqual([])
      expect(harness.told).toEqual([])
      await mine().call(chatRoutes.clear, {})
      await say(mine(), id, 'Now it begins')
      expect(await listed(id)).toBe(true)
      expect((await mine().call(chatRoutes.newDraft, {})).sessionId).toBeNull()
      expect((await mine().call(chatRoutes.read, { ...at(id), query: {} })).settings.systemMessage).toBe('Short.')
    })

    test('comes into the list with a message that is put into it', async () => {
      const { id } = await begin()
      await mine().call(chatRoutes.addMessage, { ...at(id), body: { role: 'user', content: 'x' } })
      expect(await listed(id)).toBe(true)
    })

    test('is removed a month after it was begun, when nothing was asked', async () => {
      const { id } = await begin()
      const kept = await begin()
      await harness.database
        .tables<{ chat_sessions: { id: string; updated_at: number } }>()
        .updateTable('chat_sessions')
        .set((eb) => ({ updated_at: eb('updated_at', '-', trashKeptMs + 60_000) }))
        .where('id', '=', id)
        .execute()
      const job = harness.chats.area.jobs?.['chat.purge-trash']
      await job?.prepare({})?.({ signal: new AbortController().signal } as JobContext)
      expect((await mine().refusal(chatRoutes.read, { ...at(id), query: {} })).code).toBe('chat_not_found')
      expect((await mine().call(chatRoutes.newDraft, {})).sessionId).toBe(kept.id)
    })
  })

  describe('folders', () => {
    test('count their chats, are renamed, and once for one id', async () => {
      const body = { id: 'folder-of-ann-1', name: 'Alpha' }
      const made = await ann.call(chatRoutes.createFolder, { body })
      expect((await ann.call(chatRoutes.createFolder, { body })).id).toBe(made.id)
      expect((await bob.refusal(chatRoutes.createFolder, { body })).code).toBe('id_reused')
      await ann.call(chatRoutes.create, { body: { folderId: made.id } })
      const renamed = await ann.call(chatRoutes.updateFolder, {
        params: { folderId: made.id },
        body: { name: 'Aardvark' },
      })
      expect(renamed).toMatchObject({ name: 'Aardvark', chatCount: 1, unreadCount: 0, runningCount: 0 })
      expect((await ann.call(chatRoutes.folders, {})).items[0]?.name).toBe('Aardvark')
      const foreign = { params: { folderId: made.id }, body: { name: 'x' } }
      expect((await bob.refusal(chatRoutes.updateFolder, foreign)).code).toBe('folder_not_found')
      expect((await bob.refusal(chatRoutes.removeFolder, { params: foreign.params, query: {} })).code).toBe(
        'folder_not_found',
      )
    })

    test('go with their chats while answers are written there, also when asked several times at once', async () => {
      const folders = await Promise.all(
        ['One', 'Two', 'Three', 'Four', 'Five'].map((name) => ann.call(chatRoutes.createFolder, { body: { name } })),
      )
      const chats = await Promise.all(
        folders.flatMap(({ id: folderId }) =>
          [1, 2].map(() => ann.call(chatRoutes.create, { body: { folderId, selection: local('long-2000-drip-20') } })),
        ),
      )
      await Promise.all(
        chats.map(({ id }) => ann.call(chatRoutes.startGeneration, { ...at(id), body: { message: 'Go' } })),
      )
      const outcomes = await Promise.all(
        [...folders, ...folders, ...folders].map(({ id: folderId }) =>
          ann.call(chatRoutes.removeFolder, { params: { folderId }, query: { chats: 'trash' } }).then(
            () => 'removed',
            (error: { problem?: { code: string } }) => error.problem?.code,
          ),
        ),
      )
      expect(outcomes.filter((outcome) => outcome === 'removed')).toHaveLength(5)
      expect(outcomes.filter((outcome) => outcome === 'folder_not_found')).toHaveLength(10)
      for (const { id } of chats)
        expect((await ann.refusal(chatRoutes.read, { ...at(id), query: {} })).code).toBe('chat_not_found')
      expect(
        (await ann.call(chatRoutes.folders, {})).items.filter(({ id }) => folders.some((one) => one.id === id)),
      ).toEqual([])
      for (const { id: itemId } of folders) await ann.call(chatRoutes.restoreTrash, { params: { itemId } })
      for (const one of chats) expect((await read(one.id)).folderId).toBe(one.folderId)
    })

    test('and a chat that is thrown away several times at once is thrown away once', async () => {
      const one = await ann.call(chatRoutes.create, { body: { title: 'once' } })
      const remove = () =>
        ann.call(chatRoutes.remove, at(one.id)).then(
          () => 'removed',
          (error: { problem?: { code: string } }) => error.problem?.code,
        )
      for (const outcome of await Promise.all(Array.from({ length: 6 }, remove)))
        expect(['removed', 'chat_not_found']).toContain(outcome)
      const { items } = await ann.call(chatRoutes.trash, { query: {} })
      expect(items.filter(({ title }) => title === 'once')).toHaveLength(1)
    })

    test('go to the trash with or without their chats, and come back with them', async () => {
      const keep = await ann.call(chatRoutes.createFolder, { body: { name: 'Keep' } })
      const kept = await ann.call(chatRoutes.create, { body: { folderId: keep.id, title: 'kept' } })
      await ann.call(chatRoutes.removeFolder, { params: { folderId: keep.id }, query: {} })
      expect((await read(kept.id)).folderId).toBeNull()
      const drop = await ann.call(chatRoutes.createFolder, { body: { name: 'Drop' } })
      const dropped = await ann.call(chatRoutes.create, { body: { folderId: drop.id, title: 'dropped' } })
      await ann.call(chatRoutes.removeFolder, { params: { folderId: drop.id }, query: { chats: 'trash' } })
      expect((await ann.refusal(chatRoutes.read, { ...at(dropped.id), query: {} })).code).toBe('chat_not_found')
      const { items } = await ann.call(chatRoutes.trash, { query: {} })
      expect(items.map(({ title }) => title)).not.toContain('dropped')
      expect(items[0]).toMatchObject({ kind: 'folder', title: 'Drop' })
      await ann.call(chatRoutes.restoreTrash, { params: { itemId: drop.id } })
      expect((await read(dropped.id)).folderId).toBe(drop.id)
    })

    test('are a hundred at most', async () => {
      const count = (await bob.call(chatRoutes.folders, {})).items.length
      for (let n = count; n < 100; n += 1) await bob.call(chatRoutes.createFolder, { body: { name: `f${n}` } })
      expect((await bob.refusal(chatRoutes.createFolder, { body: { name: 'more' } })).code).toBe('folder_limit')
    })
  })

  describe('the trash', () => {
    test('holds deleted chats, latest first, until they are restored or deleted for good', async () => {
      await bob.call(chatRoutes.emptyTrash, {})
      const ids: string[] = []
      for (let n = 0; n < 3; n += 1) ids.push((await bob.call(chatRoutes.create, { body: { title: `t${n}` } })).id)
      for (const id of ids) await bob.call(chatRoutes.remove, at(id))
      const first = await bob.call(chatRoutes.trash, { query: { limit: 2 } })
      expect(first.items.map(({ title }) => title)).toEqual(['t2', 't1'])
      const days =
        (Date.parse(first.items[0]?.expiresAt ?? '') - Date.parse(first.items[0]?.deletedAt ?? '')) / 86_400_000
      expect(days).toBe(30)
      const rest = await bob.call(chatRoutes.trash, { query: { limit: 2, cursor: first.nextCursor ?? '' } })
      expect(rest.items.map(({ title }) => title)).toEqual(['t0'])
      expect((await ann.refusal(chatRoutes.restoreTrash, { params: { itemId: ids[0] ?? '' } })).code).toBe(
        'trash_item_not_found',
      )
      expect((await ann.refusal(chatRoutes.removeTrash, { params: { itemId: ids[0] ?? '' } })).code).toBe(
        'trash_item_not_found',
      )
      await bob.call(chatRoutes.restoreTrash, { params: { itemId: ids[0] ?? '' } })
      expect((await bob.call(chatRoutes.read, { ...at(ids[0] ?? ''), query: {} })).deletedAt).toBeNull()
      await bob.call(chatRoutes.removeTrash, { params: { itemId: ids[1] ?? '' } })
      expect(await bob.call(chatRoutes.emptyTrash, {})).toEqual({ removed: 1 })
      expect((await bob.call(chatRoutes.trash, { query: {} })).items).toEqual([])
      expect((await bob.refusal(chatRoutes.trash, { query: { cursor: 'x' } })).code).toBe('bad_cursor')
    })

    test('gives no message back whose chat is in the trash', async () => {
      const { id } = await newChat(ann)
      const message = await add(id, 'user', 'x')
      await ann.call(chatRoutes.truncate, { params: { sessionId: id, messageId: message.id } })
      await ann.call(chatRoutes.remove, at(id))
      expect((await ann.refusal(chatRoutes.restoreTrash, { params: { itemId: message.id } })).code).toBe('conflict')
    })

    test('deletes what has been in it for thirty days, with its events and files', async () => {
      const { id } = await newChat(ann)
      const file = new Blob(['text'], { type: 'text/plain' })
      const attachment = await ann.call(chatRoutes.attach, { query: { name: 'a.txt' }, file })
      const body = { message: 'with a file', attachmentIds: [attachment.id] }
      const answer = await ann.call(chatRoutes.generate, { ...at(id), body })
      await ann.call(chatRoutes.remove, at(id))
      const month = 31 * 86_400_000
      const tables = harness.database.tables<{
        chat_trash: { item_id: string; deleted_at: number }
        chat_attachments: { id: string; created_at: number }
      }>()
      await tables
        .updateTable('chat_trash')
        .set((eb) => ({ deleted_at: eb('deleted_at', '-', month) }))
        .where('item_id', '=', id)
        .execute()
      await tables
        .updateTable('chat_attachments')
        .set((eb) => ({ created_at: eb('created_at', '-', month) }))
        .where('id', '=', attachment.id)
        .execute()
      await harness.chats.resources.chat.trash.removeExpired(Date.now() - trashKeptMs, AbortSignal.timeout(60_000))
      const job = harness.chats.area.jobs?.['chat.purge-trash']
      await job?.prepare({})?.({ signal: new AbortController().signal } as JobContext)
      expect((await ann.refusal(chatRoutes.restoreTrash, { params: { itemId: id } })).code).toBe('trash_item_not_found')
      expect(await harness.events.lastSeq(`generation:${answer.generationId}`)).toBe(0)
      const gone = await ann.refusal(chatRoutes.attachmentContent, { params: { attachmentId: attachment.id } })
      expect(gone.code).toBe('attachment_not_found')
    })
  })

  test('pages hear of every change by id alone', async () => {
    harness.told.length = 0
    const { id } = await newChat(ann)
    await say(ann, id, 'Private words')
    await until(() => harness.told.filter((line) => line === `ann chat-changed ${id}`).length >= 3)
    await ann.call(chatRoutes.remove, at(id))
    expect(harness.told).toContain(`ann chat-removed ${id}`)
    expect(harness.told).toContain('ann folders-changed')
    expect(harness.told.join('\n')).not.toContain('Private')
  })

  test('nothing went wrong on the way', async () => {
    expect(harness.lines).toEqual([])
  })
})
