import { chatRoutes } from '@atrium/contract/chat'
import { settingsRoutes } from '@atrium/contract/settings'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type ChatHarness, local, newChat, openChats, say, until } from '../../../testing/chats.ts'
import { type Client, createClient } from '../../../testing/client.ts'
import { onBothDatabases } from '../../../testing/databases.ts'
import type { ChatTables } from '../tables.ts'

const at = (sessionId: string) => ({ params: { sessionId } })
type LinkBody = { expiresInDays?: number; password?: string; withFiles?: boolean }

onBothDatabases('chats that are shared by a link', (open) => {
  let harness: ChatHarness
  let ann: Client
  let visitor: Client
  let now = Date.now()
  beforeAll(async () => {
    let count = 0
    harness = await openChats(open, { clock: { now: () => now, id: () => `id-${now}-${count++}` } })
    ann = harness.ann
    visitor = createClient(ann.baseUrl)
  })
  afterAll(() => harness.close())
  beforeEach(async () => {
    harness.calm()
    await allow(true)
  })

  const allow = (chatLinks: boolean) => ann.call(settingsRoutes.updateInstance, { body: { chatLinks } })
  const link = async (sessionId: string, body: LinkBody = {}) => {
    const made = await ann.call(chatRoutes.addLink, { ...at(sessionId), body })
    return { ...made.link, secret: made.url.split('#')[1] ?? '' }
  }
  const enter = async (secret: string, password?: string): Promise<string> => {
    const opened = await visitor.call(chatRoutes.openLink, { body: { secret, password } })
    if (opened.state !== 'open') throw new Error('a password is asked for')
    return opened.visit
  }
  const read = (visit: string, cursor?: string) => visitor.call(chatRoutes.linkedMessages, { body: { visit, cursor } })
  const refusalOf = async (visit: string) =>
    (await visitor.refusal(chatRoutes.linkedMessages, { body: { visit } })).code
  const openRefusal = async (secret: string, password?: string) =>
    (await visitor.refusal(chatRoutes.openLink, { body: { secret, password } })).code
  const watch = (visit: string) => {
    const seen: string[] = []
    const ended = (async () => {
      for await (const { event } of visitor.follow(chatRoutes.followLink, { body: { visit } })) seen.push(event.type)
    })()
    return { seen, ended }
  }
  const attach = (words: string) =>
    ann.call(chatRoutes.attach, { query: { name: 'plan.txt' }, file: new Blob([words], { type: 'text/plain' }) })

  describe('for its owner', () => {
    test('a link is made with an end, listed without its secret, and taken back', async () => {
      const { id } = await newChat(ann)
      const { url, link: made } = await ann.call(chatRoutes.addLink, { ...at(id), body: {} })
      expect(url).toMatch(/^https:\/\/atrium\.example\/shared-chat#atc_[\w-]{43}$/)
      expect(Date.parse(made.expiresAt) - Date.parse(made.createdAt)).toBe(30 * 24 * 3600_000)
      expect(await ann.call(chatRoutes.links, at(id))).toEqual({ allowed: true, items: [made], nextCursor: null })
      expect((await ann.call(chatRoutes.read, { ...at(id), query: {} })).shared).toBe(true)
      const [own] = (await ann.call(chatRoutes.ownLinks, { query: {} })).items
      expect(own).toMatchObject({ id: made.id, chatId: id, title: expect.any(String) })

      expect((await harness.bob.refusal(chatRoutes.removeLink, { params: { linkId: made.id } })).code).toBe(
        'chat_link_not_found',
      )
      await ann.call(chatRoutes.removeLink, { params: { linkId: made.id } })
      expect((await ann.call(chatRoutes.links, at(id))).items).toEqual([])
      expect((await ann.call(chatRoutes.read, { ...at(id), query: {} })).shared).toBe(false)
    })

    test('nothing of the secret or the password is kept that would open the link', async () => {
      const { id } = await newChat(ann)
      const { secret } = await link(id, { password: 'correct horse' })
      const rows = await harness.database.tables<ChatTables>().selectFrom('chat_links').selectAll().execute()
      const kept = JSON.stringify(rows)
      expect(kept).not.toContain(secret)
      expect(kept).not.toContain('correct horse')
      expect(rows.at(-1)?.password).toMatch(/^\$argon2id\$/)
    })

    test('it is refused where the administrator allows none, for others, and for a temporary chat', async () => {
      const { id } = await newChat(ann)
      expect((await harness.bob.refusal(chatRoutes.addLink, { ...at(id), body: {} })).code).toBe('chat_not_found')
      const temporary = await ann.call(chatRoutes.create, { body: { selection: local('echo'), temporary: true } })
      expect((await ann.refusal(chatRoutes.addLink, { ...at(temporary.id), body: {} })).code).toBe('conflict')
      await allow(false)
      expect((await ann.refusal(chatRoutes.addLink, { ...at(id), body: {} })).code).toBe('chat_links_off')
    })

    test('its end and its password are changed by its owner alone, and it stays as it is where nothing is named', async () => {
      const { id } = await newChat(ann)
      const made = await link(id, { withFiles: true })
      const params = { linkId: made.id }
      now += 1000
      const body = { expiresInDays: 7, password: 'correct horse' }
      expect((await harness.bob.refusal(chatRoutes.updateLink, { params, body })).code).toBe('chat_link_not_found')
      const changed = await ann.call(chatRoutes.updateLink, { params, body })
      const { secret: _, ...before } = made
      const expiresAt = new Date(now + 7 * 24 * 3600_000).toISOString()
      expect(changed).toEqual({ ...before, expiresAt, hasPassword: true })
      expect(await ann.call(chatRoutes.updateLink, { params, body: {} })).toEqual(changed)
      expect((await ann.call(chatRoutes.links, at(id))).items).toEqual([changed])
      now += 7 * 24 * 3600_000
      // One whose time is over is not brought back.
      expect((await ann.refusal(chatRoutes.updateLink, { params, body })).code).toBe('chat_link_not_found')
    })

    test('what is done with it is in the audit', async () => {
      const { id } = await newChat(ann)
      const { id: linkId } = await link(id, { withFiles: true })
      const params = { linkId }
      await ann.call(chatRoutes.updateLink, { params, body: { expiresInDays: 7, password: 'correct horse' } })
      await ann.call(chatRoutes.removeLink, { params })
      const rows = await harness.database
        .tables<{ audit_events: { action: string; target_id: string | null; seq: number } }>()
        .selectFrom('audit_events')
        .select('action')
        .where('target_id', '=', id)
        .orderBy('seq')
        .execute()
      expect(rows.map(({ action }) => action)).toEqual(['grant.create', 'grant.update', 'grant.delete'])
    })
  })

  describe('for a visitor', () => {
    test('the active path is shown and nothing that is the owner’s alone', async () => {
      const { id } = await newChat(ann)
      await say(ann, id, 'First way')
      const chat = await ann.call(chatRoutes.read, { ...at(id), query: {} })
      const [question] = chat.messages.items
      await ann.call(chatRoutes.generate, { ...at(id), body: { message: 'Second way', branchOf: question?.id } })
      const { secret } = await link(id)
      const opened = await visitor.call(chatRoutes.openLink, { body: { secret } })
      expect(opened).toEqual({
        state: 'open',
        visit: expect.any(String),
        validUntil: new Date(now + 3600_000).toISOString(),
        ownerName: 'ann',
      })
      const shown = await read(await enter(secret))
      expect(shown.items.map(({ content }) => content)).toEqual(['Second way', expect.stringContaining('Second way')])
      expect(Object.keys(shown).toSorted()).toEqual(['isAnswering', 'items', 'nextCursor', 'title'])
      expect(Object.keys(shown.items[1] ?? {}).toSorted()).toEqual(
        ['attachments', 'content', 'createdAt', 'documents', 'id', 'media', 'role', 'sources', 'status'].toSorted(),
      )
      // A place that leads into another branch gives nothing of it.
      const cursor = Buffer.from(`m.${question?.id}`).toString('base64url')
      const body = { visit: await enter(secret), cursor }
      expect((await visitor.refusal(chatRoutes.linkedMessages, { body })).code).toBe('bad_cursor')
    })

    test('long chats come page by page', async () => {
      const { id } = await newChat(ann)
      for (let n = 0; n < 60; n++)
        await ann.call(chatRoutes.addMessage, { ...at(id), body: { role: 'user', content: `line ${n}` } })
      const visit = await enter((await link(id)).secret)
      const last = await read(visit)
      expect(last.items.map(({ content }) => content)).toEqual(Array.from({ length: 50 }, (_, n) => `line ${n + 10}`))
      const first = await read(visit, last.nextCursor ?? '')
      expect(first.items.map(({ content }) => content)).toEqual(Array.from({ length: 10 }, (_, n) => `line ${n}`))
      expect(first.nextCursor).toBeNull()
    })

    test('attachments are shown where the link says so, and only those of messages on the path', async () => {
      const { id } = await newChat(ann)
      const [sent, left, draft] = [await attach('the plan'), await attach('an older plan'), await attach('not sent')]
      await ann.call(chatRoutes.generate, { ...at(id), body: { message: 'Old', attachmentIds: [left.id] } })
      const old = (await ann.call(chatRoutes.read, { ...at(id), query: {} })).messages.items[0]
      const body = { message: 'New', attachmentIds: [sent.id], branchOf: old?.id }
      await ann.call(chatRoutes.generate, { ...at(id), body })
      const [plain, whole] = [await link(id), await link(id, { withFiles: true })]
      const bare = await enter(plain.secret)
      expect((await read(bare)).items[0]?.attachments).toEqual([])
      const visit = await enter(whole.secret)
      const message = (await read(visit)).items[0]
      const messageId = message?.id ?? ''
      expect(message?.attachments).toMatchObject([{ id: sent.id, name: 'plan.txt', kind: 'text' }])
      const bytes = await visitor.call(chatRoutes.linkedAttachment, {
        body: { visit, messageId, attachmentId: sent.id },
      })
      expect(await bytes.text()).toBe('the plan')
      for (const asked of [
        { visit: bare, messageId, attachmentId: sent.id },
        { visit, messageId, attachmentId: left.id },
        { visit, messageId, attachmentId: draft.id },
        { visit, messageId: old?.id ?? '', attachmentId: left.id },
      ])
        expect((await visitor.refusal(chatRoutes.linkedAttachment, { body: asked })).code).toBe('attachment_not_found')
    })

    test('nothing comes of a visit for another chat, of one that was changed, and of one that was made up', async () => {
      const [one, other] = [await newChat(ann), await newChat(ann)]
      const visit = await enter((await link(one.id)).secret)
      const { id: otherLink } = await link(other.id)
      const [, end = '', mac = ''] = visit.split('.')
      expect(await refusalOf(`${otherLink}.${end}.${mac}`)).toBe('chat_link_not_found')
      expect(await refusalOf(visit.replace(end, `${Number(end) + 1}`))).toBe('chat_link_not_found')
      expect(await refusalOf('made up')).toBe('chat_link_not_found')
      for (const secret of ['atc_', `atc_${'a'.repeat(43)}`, visit, "' or 1=1 --"])
        expect(await openRefusal(secret)).toBe('chat_link_not_found')
    })

    test('a visit ends after an hour, and a link with its time', async () => {
      const { id } = await newChat(ann)
      const { secret } = await link(id, { expiresInDays: 1 })
      const visit = await enter(secret)
      now += 3600_000
      expect(await refusalOf(visit)).toBe('chat_link_not_found')
      const second = await enter(secret)
      now += 23 * 3600_000
      expect(await refusalOf(second)).toBe('chat_link_not_found')
      expect(await openRefusal(secret)).toBe('chat_link_not_found')
    })

    test('the chat is gone for visitors while it is in the trash', async () => {
      const { id } = await newChat(ann)
      const visit = await enter((await link(id)).secret)
      await ann.call(chatRoutes.remove, at(id))
      expect(await refusalOf(visit)).toBe('chat_link_not_found')
    })
  })

  describe('a password', () => {
    test('opens the link, and before it nothing is told', async () => {
      const { id } = await newChat(ann)
      const { secret } = await link(id, { password: 'correct horse' })
      expect(await visitor.call(chatRoutes.openLink, { body: { secret } })).toEqual({ state: 'password' })
      expect(await openRefusal(secret, 'wrong horse')).toBe('chat_link_password')
      expect((await read(await enter(secret, 'correct horse'))).items).toEqual([])
    })

    test('that is new ends open visits, and what they were exchanged for', async () => {
      const { id } = await newChat(ann)
      const { secret, id: linkId } = await link(id)
      const visit = await enter(secret)
      const page = watch(visit)
      await until(() => page.seen.length === 1)
      await ann.call(chatRoutes.updateLink, { params: { linkId }, body: { password: 'correct horse' } })
      // The page asks anew, and is refused.
      await until(() => page.seen.length > 1)
      expect(await refusalOf(visit)).toBe('chat_link_not_found')
      expect(await visitor.call(chatRoutes.openLink, { body: { secret } })).toEqual({ state: 'password' })
      const second = await enter(secret, 'correct horse')
      await ann.call(chatRoutes.updateLink, { params: { linkId }, body: { expiresInDays: 7 } })
      expect((await read(second)).items).toEqual([])
      await ann.call(chatRoutes.updateLink, { params: { linkId }, body: { password: null } })
      expect(await refusalOf(second)).toBe('chat_link_not_found')
      expect((await read(await enter(secret))).items).toEqual([])
    })

    test('is guessed twenty times in an hour at most, also many at a time', async () => {
      const { id } = await newChat(ann)
      const { secret } = await link(id, { password: 'correct horse' })
      const tries = await Promise.all(Array.from({ length: 25 }, (_, n) => openRefusal(secret, `guess ${n}`)))
      expect(tries.filter((code) => code === 'chat_link_password')).toHaveLength(20)
      expect(tries.filter((code) => code === 'chat_link_locked')).toHaveLength(5)
      expect(await openRefusal(secret, 'correct horse')).toBe('chat_link_locked')
      now += 3600_001
      expect((await read(await enter(secret, 'correct horse'))).items).toEqual([])
    })
  })

  describe('an open page', () => {
    test('hears of what is said, and of the end when the link is taken back', async () => {
      const { id } = await newChat(ann)
      const { secret, id: linkId } = await link(id)
      const page = watch(await enter(secret))
      await until(() => page.seen.length === 1)
      now += 1
      await ann.call(chatRoutes.addMessage, { ...at(id), body: { role: 'user', content: 'More' } })
      await until(() => page.seen.length > 1)
      await ann.call(chatRoutes.removeLink, { params: { linkId } })
      await page.ended
      expect(page.seen.at(-1)).toBe('ended')
      expect(page.seen.filter((type) => type === 'ended')).toHaveLength(1)
    })

    test('ends when another process takes the link back, when links are switched off, and with the chat', async () => {
      const endings = [
        async (linkId: string) => {
          await harness.database.tables<ChatTables>().deleteFrom('chat_links').where('id', '=', linkId).execute()
        },
        () => allow(false),
        (_linkId: string, id: string) => ann.call(chatRoutes.remove, at(id)),
      ]
      for (const end of endings) {
        await allow(true)
        const { id } = await newChat(ann)
        const { secret, id: linkId } = await link(id)
        const page = watch(await enter(secret))
        await until(() => page.seen.length === 1)
        await end(linkId, id)
        await page.ended
        expect(page.seen.at(-1)).toBe('ended')
      }
    })
  })

  test('whoever tries secrets from one address is turned away after sixty in a quarter of an hour', async () => {
    now += 3600_000
    const codes: string[] = []
    for (let n = 0; n < 61; n++) codes.push(await openRefusal(`atc_${String(n).padStart(43, '0')}`))
    expect(new Set(codes.slice(0, 60))).toEqual(new Set(['chat_link_not_found']))
    expect(codes[60]).toBe('rate_limited')
  })
})
