import { chatRoutes } from '@atrium/contract/chat'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { Notifications } from '../../../core/notifications/index.ts'
import { type ChatHarness, newChat, openChats } from '../../../testing/chats.ts'
import { realClock } from '../../../testing/clock.ts'
import { onBothDatabases } from '../../../testing/databases.ts'
import { createTestNotifications } from '../../../testing/notifications.ts'

onBothDatabases('an answer that ends', (open) => {
  let harness: ChatHarness
  let notifications: Notifications
  let shift = 0
  const present = new Set<string>()
  const clock = { ...realClock, now: () => realClock.now() + shift }
  beforeAll(async () => {
    harness = await openChats(open, {
      clock,
      over: (database, vault) => {
        notifications = createTestNotifications({ clock, database, vault })
        return { answerNotices: { publisher: notifications.publisher, isPresent: async (id) => present.has(id) } }
      },
    })
  })
  afterAll(() => harness.close())

  const told = async (accountId: string) =>
    (await Array.fromAsync(notifications.listAll(accountId)))
      .flat()
      .flatMap(({ kind, facts, readAt }) =>
        kind === 'answer-finished' ? [[facts.chatId, facts.name, readAt !== null]] : [],
      )
  /** It takes a second, whatever the clock says meanwhile. */
  const ask = async (options: { waits: number; temporary?: boolean }) => {
    const { id } = await newChat(harness.ann, 'drip-20')
    const params = { sessionId: id }
    const body = { title: 'Plans', ...(options.temporary ? { temporary: true } : {}) }
    await harness.ann.call(chatRoutes.update, { params, body })
    await harness.ann.call(chatRoutes.startGeneration, { params, body: { message: 'again '.repeat(50) } })
    shift += options.waits
    await vi.waitFor(
      async () =>
        expect((await harness.ann.call(chatRoutes.read, { params, query: {} })).runningGenerationId).toBeNull(),
      { timeout: 120_000, interval: 100 },
    )
    return id
  }

  test('is told where it took long and nobody was there, once it is recorded, and read with its chat', async () => {
    const id = await ask({ waits: 40_000 })
    expect(await told('ann')).toEqual([[id, 'Plans', false]])
    await harness.ann.call(chatRoutes.update, { params: { sessionId: id }, body: { unread: false } })
    expect(await told('ann')).toEqual([[id, 'Plans', true]])
    await ask({ waits: 0 })
    await ask({ waits: 40_000, temporary: true })
    present.add('ann')
    await ask({ waits: 40_000 })
    present.clear()
    expect(await told('ann')).toHaveLength(1)
  })

  test('is told by what asked for it by itself alone, whichever process writes it, and not from the trash', async () => {
    let asksByItself = true
    harness.chats.unattended.askerOf.fill(async () => (asksByItself ? { mostCost: null, tells: true } : null))
    const before = await told('ann')
    await ask({ waits: 40_000 })
    expect(await told('ann')).toEqual(before)
    asksByItself = false
    const id = await ask({ waits: 40_000 })
    expect(await told('ann')).toHaveLength(before.length + 1)
    await harness.ann.call(chatRoutes.remove, { params: { sessionId: id } })
    expect(await told('ann')).toEqual(before)
  })
})
