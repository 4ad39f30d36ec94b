import { accessRoutes } from '@atrium/contract/access'
import { chatRoutes } from '@atrium/contract/chat'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type ChatHarness, newChat, openChats, until } from '../../../testing/chats.ts'
import type { Client } from '../../../testing/client.ts'
import { onBothDatabases } from '../../../testing/databases.ts'
import { createChatStore } from '../stores/index.ts'

onBothDatabases('in a chat with branches', (open) => {
  let harness: ChatHarness
  let ann: Client
  beforeAll(async () => {
    harness = await openChats(open)
    ann = harness.ann
  })
  afterAll(() => harness.close())

  const at = (sessionId: string) => ({ params: { sessionId } })
  const add = (sessionId: string, content: string, role: 'user' | 'assistant' = 'user') =>
    ann.call(chatRoutes.addMessage, { ...at(sessionId), body: { role, content } })
  const read = (sessionId: string) => ann.call(chatRoutes.read, { ...at(sessionId), query: {} })
  const pin = (sessionId: string, messageId: string, pinned = true) =>
    ann.call(chatRoutes.updateMessage, { params: { sessionId, messageId }, body: { pinned } })
  const pins = async (sessionId: string) => (await ann.call(chatRoutes.pins, at(sessionId))).items
  const branches = (sessionId: string, query: { limit?: number; cursor?: string } = {}) =>
    ann.call(chatRoutes.branchMap, { ...at(sessionId), query })
  const goTo = (sessionId: string, messageId: string) =>
    ann.call(chatRoutes.branch, { params: { sessionId, messageId }, body: {} })

  /** Two versions of an answer; below the first, two of the question that follows it, and the second of these is left. */
  const branched = async () => {
    const { id } = await newChat(ann)
    const ask = await add(id, 'How tall?')
    const short = await add(id, 'Two metres.', 'assistant')
    const next = await add(id, 'And wide?')
    const wide = await add(id, 'One metre.', 'assistant')
    const version = (messageId: string, content: string) =>
      ann.call(chatRoutes.addBranch, { params: { sessionId: id, messageId }, body: { content } })
    const deep = await version(next.id, 'And deep?')
    const long = await version(short.id, 'It depends on the door.')
    return { id, ask, short, next, wide, deep, long }
  }

  describe('the branch map', () => {
    test('lists what is read now on one level, other versions one deeper, and how many messages each has', async () => {
      const { id, ask, short, next, deep, long } = await branched()
      const shape = async () =>
        (await branches(id)).items.map(({ id: first, words, answer, messageCount, active, level }) => [
          first,
          words,
          answer,
          messageCount,
          active,
          level,
        ])
      expect(await shape()).toEqual([
        [ask.id, 'How tall?', null, 1, true, 0],
        [long.id, 'It depends on the door.', null, 1, true, 0],
        [short.id, 'Two metres.', null, 1, false, 1],
        [deep.id, 'And deep?', null, 1, false, 1],
        [next.id, 'And wide?', 'One metre.', 2, false, 2],
      ])
      const there = await goTo(id, next.id)
      expect(there.messages.items.map(({ content }) => content)).toEqual([
        'How tall?',
        'Two metres.',
        'And wide?',
        'One metre.',
      ])
      expect(await shape()).toEqual([
        [ask.id, 'How tall?', null, 1, true, 0],
        [short.id, 'Two metres.', null, 1, true, 0],
        [long.id, 'It depends on the door.', null, 1, false, 1],
        [next.id, 'And wide?', 'One metre.', 2, true, 0],
        [deep.id, 'And deep?', null, 1, false, 1],
      ])
      const body = { content: 'How heavy?' }
      const begun = await ann.call(chatRoutes.addBranch, { params: { sessionId: id, messageId: ask.id }, body })
      await goTo(id, ask.id)
      expect((await shape()).slice(0, 3)).toEqual([
        [ask.id, 'How tall?', null, 1, true, 0],
        [begun.id, 'How heavy?', null, 1, false, 1],
        [short.id, 'Two metres.', null, 1, true, 0],
      ])
    })

    test('gives the end first by pages, and leaves out what was deleted', async () => {
      const { id, deep, long } = await branched()
      const all = (await branches(id)).items.map((branch) => branch.id)
      const last = await branches(id, { limit: 3 })
      expect(last.total).toBe(5)
      const first = await branches(id, { limit: 3, cursor: last.nextCursor ?? '' })
      expect(first.nextCursor).toBeNull()
      expect([...first.items, ...last.items].map((branch) => branch.id)).toEqual(all)
      for (const messageId of [long.id, deep.id])
        await ann.call(chatRoutes.truncate, { params: { sessionId: id, messageId } })
      expect((await branches(id)).items).toMatchObject([{ words: 'How tall?', messageCount: 4, active: true }])
      const gone = { ...at(id), query: { cursor: first.nextCursor ?? last.nextCursor ?? '' } }
      expect((await ann.refusal(chatRoutes.branchMap, gone)).code).toBe('bad_cursor')
    })
  })

  test('words are found in all of its branches, with those around them', async () => {
    const { id, wide, deep } = await branched()
    const find = (who: Client, q: string) => who.call(chatRoutes.findInBranches, { ...at(id), query: { q } })
    expect(await find(ann, 'METRE.')).toMatchObject({
      items: [{ id: wide.id, role: 'assistant', words: 'One metre.', active: false }],
      total: 1,
    })
    expect((await find(ann, 'and')).items.map((message) => message.id)).toContain(deep.id)
    expect((await find(ann, 'door')).items).toMatchObject([{ words: 'It depends on the door.', active: true }])
    expect(await find(ann, '**')).toEqual({ items: [], total: 0 })
    await ann.call(chatRoutes.truncate, { params: { sessionId: id, messageId: wide.id } })
    expect((await find(ann, 'metre.')).total).toBe(0)
  })

  test('a page around a message says whether that is what is read now', async () => {
    const { id, ask, wide } = await branched()
    const around = async (messageId: string) =>
      (await ann.call(chatRoutes.messages, { ...at(id), query: { around: messageId } })).active
    expect([await around(ask.id), await around(wide.id)]).toEqual([true, false])
    await goTo(id, wide.id)
    expect([await around(ask.id), await around(wide.id)]).toEqual([true, true])
  })

  describe('the name of a branch', () => {
    const name = (sessionId: string, messageId: string, branchName: string | null) =>
      ann.call(chatRoutes.updateMessage, { params: { sessionId, messageId }, body: { branchName } })
    const names = async (sessionId: string) =>
      (await branches(sessionId)).items.flatMap((branch) => (branch.name === null ? [] : [[branch.id, branch.name]]))

    test('stands in the map, at its message and among versions, until it is cleared, and changes nothing else', async () => {
      const { id, short, long } = await branched()
      const { updatedAt } = await read(id)
      expect(long.branchName).toBeNull()
      expect(await name(id, long.id, '  The careful answer ')).toMatchObject({
        branchName: 'The careful answer',
        content: 'It depends on the door.',
        editedAt: null,
      })
      await name(id, short.id, 'مختصر')
      expect(await names(id)).toEqual([
        [long.id, 'The careful answer'],
        [short.id, 'مختصر'],
      ])
      expect(await read(id)).toMatchObject({
        updatedAt,
        messages: { items: [{ branchName: null }, { branchName: 'The careful answer' }] },
      })
      const versions = await ann.call(chatRoutes.branches, { params: { sessionId: id, messageId: long.id } })
      expect(versions.items.map(({ branchName }) => branchName)).toEqual(['مختصر', 'The careful answer'])
      await name(id, long.id, 'Renamed')
      await name(id, short.id, null)
      expect(await names(id)).toEqual([[long.id, 'Renamed']])
    })

    test('is one line of 120 characters at most, without signs that turn its direction, and of no summary', async () => {
      const { id, long } = await branched()
      const refused = async (branchName: string) =>
        (
          await ann.refusal(chatRoutes.updateMessage, {
            params: { sessionId: id, messageId: long.id },
            body: { branchName },
          })
        ).code
      for (const wrong of ['', '   ', 'x'.repeat(121), 'two\nlines', 'a\u202eb', 'a\u200fb', 'a\u0000b'])
        expect(await refused(wrong), JSON.stringify(wrong)).toBe('validation_failed')
      expect((await name(id, long.id, 'x'.repeat(120))).branchName).toHaveLength(120)
      const row = await createChatStore(harness.database).messages.read(id, long.id)
      if (!row) throw new Error('it was just named')
      const { version: _, indexed_version: __, citations_noted: ___, ...plain } = row
      const summary = {
        ...plain,
        id: `${id}-summary`,
        role: 'summary' as const,
        parent_id: null,
        covers_to_id: long.id,
      }
      const { messages, write } = createChatStore(harness.database)
      await write((trx) => messages.insertIn(trx, summary))
      const call = { params: { sessionId: id, messageId: summary.id }, body: { branchName: 'Summed up' } }
      expect((await ann.refusal(chatRoutes.updateMessage, call)).code).toBe('message_not_found')
    })

    test('is found with the words of all branches, and sealed on the disk', async () => {
      const { id, deep } = await branched()
      await name(id, deep.id, 'The Abyss')
      const find = (q: string) => ann.call(chatRoutes.findInBranches, { ...at(id), query: { q } })
      expect(await find('abyss')).toMatchObject({
        items: [{ id: deep.id, words: 'And deep?', branchName: 'The Abyss', active: false }],
        total: 1,
      })
      expect((await find('deep')).items).toMatchObject([{ id: deep.id, branchName: 'The Abyss' }])
      const row = await createChatStore(harness.database).messages.read(id, deep.id)
      expect(Buffer.from(row?.branch_name ?? []).length).toBeGreaterThan('The Abyss'.length)
      expect(Buffer.from(row?.branch_name ?? []).toString('latin1')).not.toContain('Abyss')
    })

    test('goes and comes back with its message, and is in an export and in a copy of all branches', async () => {
      const { id, deep, long } = await branched()
      await name(id, deep.id, 'Depths')
      await name(id, long.id, 'Careful')
      await ann.call(chatRoutes.truncate, { params: { sessionId: id, messageId: deep.id } })
      expect(await names(id)).toEqual([[long.id, 'Careful']])
      await ann.call(chatRoutes.restoreTrash, { params: { itemId: deep.id } })
      expect(await names(id)).toHaveLength(2)

      const exported = await (await ann.answer(chatRoutes.export, { ...at(id), query: { format: 'json' } })).text()
      const inExport = (JSON.parse(exported) as { messages: { id: string; branchName: string | null }[] }).messages
      expect(inExport.flatMap(({ branchName }) => branchName ?? []).sort()).toEqual(['Careful', 'Depths'])
      const copy = await ann.call(chatRoutes.fork, { ...at(id), body: { branches: true } })
      expect((await names(copy.id)).map(([, called]) => called)).toEqual(['Careful', 'Depths'])
      // A path by itself has no branches to be told apart.
      const path = await ann.call(chatRoutes.fork, { ...at(id), body: {} })
      expect(await names(path.id)).toEqual([])
    })

    test('is its owner’s alone', async () => {
      const { id, short, long } = await branched()
      await name(id, short.id, 'For the boss')
      await name(id, long.id, 'For myself')
      const grant = { resourceType: 'chat' as const, resourceId: id, principalType: 'account' as const }
      await ann.call(accessRoutes.grant, { body: { ...grant, principalId: 'bob' } })
      const { bob } = harness
      const seen = [
        await bob.call(chatRoutes.read, { ...at(id), query: {} }),
        await bob.call(chatRoutes.messages, { ...at(id), query: {} }),
        await bob.call(chatRoutes.branches, { params: { sessionId: id, messageId: long.id } }),
      ]
      expect(JSON.stringify(seen)).toContain('It depends on the door.')
      expect(JSON.stringify(seen)).not.toMatch(/boss|myself/)
      const call = { params: { sessionId: id, messageId: long.id }, body: { branchName: 'Mine now' } }
      expect((await bob.refusal(chatRoutes.updateMessage, call)).code).toMatch(/chat_not_found|right_missing/)
      const theirs = await bob.call(chatRoutes.fork, { ...at(id), body: {} })
      const inCopy = await bob.call(chatRoutes.read, { ...at(theirs.id), query: {} })
      expect(inCopy.messages.items.map(({ branchName }) => branchName)).toEqual([null, null])
    })
  })

  describe('a pinned message', () => {
    test('is listed with all others in whichever branch it is, and goes and comes back with its message', async () => {
      const { id, ask, wide, long } = await branched()
      const { updatedAt } = await read(id)
      expect(await pin(id, wide.id)).toMatchObject({ id: wide.id, pinned: true })
      await pin(id, wide.id)
      await pin(id, ask.id)
      expect(await pins(id)).toMatchObject([
        { id: ask.id, role: 'user', words: 'How tall?', active: true },
        { id: wide.id, role: 'assistant', words: 'One metre.', active: false },
      ])
      const pinned = { pinnedCount: 2, updatedAt, messages: { items: [{ pinned: true }, { pinned: false }] } }
      expect(await read(id)).toMatchObject(pinned)
      expect((await branches(id)).items.map(({ pinnedCount }) => pinnedCount)).toEqual([1, 0, 0, 0, 1])

      await goTo(id, wide.id)
      expect((await pins(id)).map(({ active }) => active)).toEqual([true, true])
      await ann.call(chatRoutes.truncate, { params: { sessionId: id, messageId: wide.id } })
      expect((await pins(id)).map((message) => message.id)).toEqual([ask.id])
      await ann.call(chatRoutes.restoreTrash, { params: { itemId: wide.id } })
      expect(await pins(id)).toHaveLength(2)
      await pin(id, wide.id, false)
      expect(await read(id)).toMatchObject({ pinnedCount: 1 })
      expect((await pins(id)).map((message) => message.id)).toEqual([ask.id])
      expect(long.pinned).toBe(false)
    })

    test('is in a copy and in an export of its owner, and is nobody else’s', async () => {
      const { id, ask } = await branched()
      await pin(id, ask.id)
      const copy = await ann.call(chatRoutes.fork, { ...at(id), body: { branches: true } })
      expect(await pins(copy.id)).toMatchObject([{ words: 'How tall?' }])
      const exported = await (await ann.answer(chatRoutes.export, { ...at(id), query: { format: 'json' } })).text()
      expect(JSON.parse(exported).messages[0]).toMatchObject({ id: ask.id, pinned: true })

      const grant = { resourceType: 'chat' as const, resourceId: id, principalType: 'account' as const }
      await ann.call(accessRoutes.grant, { body: { ...grant, principalId: 'bob' } })
      const seen = await harness.bob.call(chatRoutes.read, { ...at(id), query: {} })
      expect(seen).toMatchObject({ pinnedCount: 0, messages: { items: [{ pinned: false }, { pinned: false }] } })
      const theirs = await harness.bob.call(chatRoutes.fork, { ...at(id), body: {} })
      expect((await harness.bob.call(chatRoutes.pins, at(theirs.id))).items).toEqual([])
    })

    test('can be an answer that is still being written', async () => {
      const { id } = await newChat(ann, 'long-2000-drip-20')
      const { assistantMessage } = await ann.call(chatRoutes.startGeneration, { ...at(id), body: { message: 'x' } })
      expect(await pin(id, assistantMessage.id)).toMatchObject({ status: 'running', pinned: true })
      const params = { sessionId: id, assistantMessageId: assistantMessage.id }
      expect((await ann.call(chatRoutes.cancel, { params })).message.pinned).toBe(true)
    })

    test('is one of a hundred at most, also when two are pinned at once, and its pages hear of it', async () => {
      const { id } = await newChat(ann)
      const first = await add(id, 'First')
      const [{ id: one }, { id: other }] = [await add(id, 'One'), await add(id, 'Other')]
      const { messages, pins: stored, write } = createChatStore(harness.database)
      const row = await messages.read(id, first.id)
      if (!row) throw new Error('it was just added')
      const { version: _, indexed_version: __, citations_noted: ___, ...plain } = row
      const pinned = Array.from({ length: 99 }, (_none, n) => ({ ...plain, id: `${row.id}-${n}`, pinned_at: n + 1 }))
      await write((trx) => messages.insertIn(trx, ...pinned))
      harness.told.length = 0
      const tried = await Promise.allSettled([pin(id, one), pin(id, other)])
      expect(tried.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
      await until(() => harness.told.includes(`ann chat-changed ${id}`))
      const late = tried[0]?.status === 'fulfilled' ? other : one
      const call = { params: { sessionId: id, messageId: late }, body: { pinned: true } }
      expect((await ann.refusal(chatRoutes.updateMessage, call)).code).toBe('pin_limit')
      expect(await pins(id)).toHaveLength(100)
      // One that was deleted for good since it was read.
      expect(await stored.pin({ id: `${id}-gone`, chat_id: id }, 1, 200)).toBe('gone')
    })
  })
})
