/** What channels, the calendar and automations do while the disk is full, and once it has room again. */
import { automationsRoutes } from '@atrium/contract/automations'
import { accountsRoutes } from '@atrium/contract/accounts'
import { calendarRoutes } from '@atrium/contract/calendar'
import { channelsRoutes as routes } from '@atrium/contract/channels'
import { notificationsRoutes } from '@atrium/contract/notifications'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Database } from '../../platform/db/types.ts'
import { systemClock } from '../../platform/system-clock.ts'
import { type TestApp, startTestApp } from '../../testing/app.ts'
import type { Client } from '../../testing/client.ts'

let app: TestApp
let ann: Client
let ben: Client
let database: Database
let channelId = ''
/** How far the clock of the server is ahead. */
let ahead = 0

beforeAll(async () => {
  app = await startTestApp({
    overrides: {
      clock: { ...systemClock, now: () => Date.now() + ahead },
      opened: (opened) => {
        database = opened
      },
    },
  })
  ann = await app.signUpAdmin()
  ben = await app.signUpUser('ben')
  const memberIds = [(await ben.call(accountsRoutes.me, {})).id]
  channelId = (await ann.call(routes.create, { body: { type: 'private', name: 'Team', memberIds } })).id
})
afterAll(() => app?.close())

/** The database grows no more: one page of its file is the least that is left. */
const fill = () => sql`pragma max_page_count = 1`.execute(database.tables())
const makeRoom = () => sql`pragma max_page_count = 4294967294`.execute(database.tables())
const at = { params: { channelId: '' } }
const post = (n: number) => ({
  ...at,
  body: { id: `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`, content: `@ben ${'long '.repeat(3500)}${n}` },
})

test('nothing is written half, each is told why, who only reads goes on, and later all of it is there once', async () => {
  at.params.channelId = channelId
  await ann.call(routes.post, post(0))
  const dueAt = new Date(Date.now() + 3600_000)
  const automation = (name: string, at: Date) => ({
    body: {
      name,
      instructions: `${name}.`,
      triggers: [{ kind: 'once', at: at.toISOString() } as const],
      asksModel: false,
      target: { kind: 'channel', channelId } as const,
    },
  })
  const { id: automationId } = await ann.call(automationsRoutes.create, automation('Due', dueAt))
  const runs = async () =>
    (await ann.call(automationsRoutes.runs, { query: { automationId } })).items.map(({ state }) => state)

  await fill()
  let sent = 1
  // What is free within the file is used up first.
  for (; ; sent += 1) {
    const answer = await ann.answer(routes.post, post(sent))
    if (answer.status === 200) continue
    expect(answer.status).toBe(507)
    expect(await answer.json()).toMatchObject({ code: 'storage_full' })
    break
  }
  const event = {
    title: 'Review',
    notes: 'long '.repeat(1900),
    startLocal: '2026-06-01T09:00',
    endLocal: '2026-06-01T10:00',
    timeZone: 'UTC',
  }
  expect(await ann.refusal(calendarRoutes.createEvent, { body: event })).toMatchObject({ code: 'storage_full' })
  const june = { query: { from: '2026-06-01T00:00:00Z', to: '2026-07-01T00:00:00Z' } }
  expect((await ann.call(calendarRoutes.events, june)).items).toEqual([])
  const { items } = await ben.call(routes.messages, { ...at, query: { limit: 100 } })
  expect(items.map(({ seq }) => seq)).toEqual(Array.from({ length: sent }, (_, index) => index + 1))

  // Its time comes while hardly anything can be written.
  ahead = 3600_000
  const another = automation('Another', new Date(dueAt.getTime() + 3 * 3600_000))
  await ann.answer(automationsRoutes.create, another)

  await makeRoom()
  // What is made has the scheduler look at the clock.
  await ann.call(automationsRoutes.create, another)
  await ann.call(routes.post, post(sent))
  await ann.call(routes.post, post(sent))
  await ann.call(calendarRoutes.createEvent, { body: event })
  await expect.poll(runs).toEqual(['succeeded'])
  const seen: string[] = []
  for await (const { event: told } of ben.follow(routes.events, { ...at, query: { after: 0 } })) {
    if (told.type === 'message-created') seen.push(told.data.message.content.slice(-3).trim())
    if (seen.length === sent + 2) break
  }
  const all = (await ben.call(routes.messages, { ...at, query: { limit: 100 } })).items
  expect(all.map(({ seq }) => seq)).toEqual(Array.from({ length: sent + 2 }, (_, index) => index + 1))
  expect(new Set(seen).size).toBe(sent + 2)
  const mentions = (await ben.call(notificationsRoutes.list, { query: { limit: 100 } })).items.flatMap((one) =>
    one.kind === 'mention' ? [one.facts.messageId] : [],
  )
  expect(mentions.toSorted()).toEqual(Array.from({ length: sent + 1 }, (_, n) => post(n).body.id))
  expect((await ann.call(calendarRoutes.events, june)).items).toHaveLength(1)
})
