import { type AutomationContent, type AutomationRun, automationsRoutes as routes } from '@atrium/contract/automations'
import { accountsRoutes } from '@atrium/contract/accounts'
import { calendarRoutes } from '@atrium/contract/calendar'
import { channelsRoutes } from '@atrium/contract/channels'
import { documentsRoutes } from '@atrium/contract/documents'
import { toolsRoutes } from '@atrium/contract/tools'
import type { Transaction } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Provider, startProvider } from '../../../../e2e/provider/provider.ts'
import { type TestApp, startTestApp } from '../../testing/app.ts'
import { local } from '../../testing/chats.ts'
import type { Client } from '../../testing/client.ts'
import { uploadAndRead } from '../../testing/documents.ts'
import { onBothDatabases } from '../../testing/databases.ts'
import { systemClock } from '../../platform/system-clock.ts'
import { automationMigrations } from './migrations.ts'
import { createEventStore, putWatches } from './stores/events.ts'
import type { AutomationTables } from './tables.ts'

const onDatabase = async (url: string | undefined, ...statements: string[]): Promise<void> => {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  for (const statement of statements) await client.query(statement)
  await client.end()
}

type EventTrigger = Extract<AutomationContent['triggers'][number], { kind: 'event' }>

describe.each(['sqlite', 'postgres'] as const)('automations that wait for events, on %s', (dialect) => {
  let provider: Provider
  let app: TestApp
  let ann: Client
  let ben: Client
  /** How far the clock of the server is ahead. */
  let ahead = 0
  beforeAll(async () => {
    provider = await startProvider()
    app = await startTestApp({
      dialect,
      env: { OLLAMA_BASE_URL: provider.url },
      overrides: { clock: { ...systemClock, now: () => Date.now() + ahead } },
    })
    ann = await app.signUpAdmin()
    ben = await app.signUpUser('ben')
  })
  afterAll(async () => {
    await app?.close()
    await provider?.close()
  })

  const waiting = (trigger: Partial<EventTrigger>, given: Partial<AutomationContent> = {}, client = ann) =>
    client.call(routes.create, {
      body: {
        name: 'Watcher',
        instructions: 'Sum it up.',
        triggers: [{ kind: 'event', event: 'channel-message', placeId: null, match: null, ...trigger }],
        selection: local('echo'),
        ...given,
      },
    })
  const runsOf = async (automationId: string, client = ann): Promise<AutomationRun[]> =>
    (await client.call(routes.runs, { query: { automationId } })).items
  const ended = async (automationId: string, count = 1, client = ann): Promise<AutomationRun[]> => {
    await expect
      .poll(async () => (await runsOf(automationId, client)).filter(({ endedAt }) => endedAt !== null).length)
      .toBe(count)
    return await runsOf(automationId, client)
  }
  const payloadOf = async ({ id }: AutomationRun, client = ann): Promise<unknown> =>
    JSON.parse((await client.call(routes.readRun, { params: { runId: id } })).payload ?? 'null')
  const makeChannel = async (): Promise<string> => {
    const memberIds = [(await ben.call(accountsRoutes.me, {})).id]
    return (await ann.call(channelsRoutes.create, { body: { type: 'private', name: 'Builds', memberIds } })).id
  }
  const post = (client: Client, channelId: string, content: string) =>
    client.call(channelsRoutes.post, { params: { channelId }, body: { content } })

  test('start at a message with their words, once a minute, while their owner reads the channel', async () => {
    const channelId = await makeChannel()
    const { id, nextRunAt } = await waiting({ placeId: channelId, match: 'Failed' }, {}, ben)
    expect(nextRunAt).toBeNull()
    await post(ann, channelId, 'All is well.')
    const { id: messageId } = await post(ann, channelId, 'Build 7 FAILED.')
    const [run] = await ended(id, 1, ben)
    expect(run).toMatchObject({ state: 'succeeded', trigger: 'event' })
    expect(await payloadOf(run as AutomationRun, ben)).toMatchObject({
      event: 'channel-message',
      messageId,
      channelName: 'Builds',
      text: 'Build 7 FAILED.',
    })
    await post(ann, channelId, 'Build 8 failed, in the same minute.')
    ahead += 61_000
    await post(ann, channelId, 'Build 9 failed.')
    const runs = await ended(id, 2, ben)
    expect(await payloadOf(runs[0] as AutomationRun, ben)).toMatchObject({ text: 'Build 9 failed.' })

    ahead += 61_000
    const member = { channelId, userId: (await ben.call(accountsRoutes.me, {})).id }
    await ann.call(channelsRoutes.removeMember, { params: member })
    const own = await waiting({ placeId: channelId })
    await post(ann, channelId, 'Build 10 failed, and Ben is gone.')
    await ended(own.id)
    expect(await runsOf(id, ben)).toHaveLength(2)
    for (const [owner, automation] of [
      [ann, own],
      [ben, { id }],
    ] as const)
      await owner.call(routes.remove, { params: { automationId: automation.id } })
  })

  test('start at a document in their collection, and at an event of their calendar that begins', async () => {
    const collection = await ann.call(documentsRoutes.createCollection, { body: { name: `Minutes ${dialect}` } })
    const read = await waiting({ event: 'collection-document', placeId: collection.id })
    await uploadAndRead(ann, 'The minutes of Monday.', { name: 'monday.txt', collectionId: collection.id })
    const [first] = await ended(read.id)
    expect(await payloadOf(first as AutomationRun)).toMatchObject({ event: 'collection-document', title: 'monday.txt' })

    const begins = await waiting({ event: 'calendar-event', match: 'stand-up' })
    const startAt = (ms: number) => new Date(Date.now() + ahead + ms).toISOString()
    const events = await Promise.all(
      ['Stand-up', 'Lunch'].map((title) =>
        ann.call(calendarRoutes.createEvent, {
          body: { title, startAt: startAt(60_000), endAt: startAt(600_000), timeZone: 'UTC' },
        }),
      ),
    )
    ahead += 61_000
    // A change of the calendar has it looked at now.
    const lunch = { params: { eventId: events[1]?.id ?? '' }, query: {} }
    await ann.call(calendarRoutes.updateEvent, { ...lunch, body: { notes: 'Anew' } })
    const [second, ...others] = await ended(begins.id)
    expect(others).toEqual([])
    expect(await payloadOf(second as AutomationRun)).toMatchObject({ event: 'calendar-event', title: 'Stand-up' })
    for (const { id } of [read, begins]) await ann.call(routes.remove, { params: { automationId: id } })
  })

  test('never start by what they wrote themselves', async () => {
    const channelId = await makeChannel()
    const own = await waiting({ placeId: channelId }, { target: { kind: 'channel', channelId } })
    const other = await waiting({ placeId: channelId })
    await ann.call(routes.run, { params: { automationId: own.id } })
    await ended(own.id)
    // By then the message was handed to both.
    expect(await ended(other.id)).toMatchObject([{ trigger: 'event' }])
    expect(await runsOf(own.id)).toMatchObject([{ trigger: 'manual' }])
    for (const { id } of [own, other]) await ann.call(routes.remove, { params: { automationId: id } })
  })

  test('never start by what their models sent for them', async () => {
    const channelId = await makeChannel()
    const instructions = `<<post_to_channel {"id":"${channelId}","message":"Built."}>>`
    const own = await waiting({ placeId: channelId }, { instructions, tools: ['builtin:post_to_channel'] })
    const other = await waiting({ placeId: channelId })
    await ann.call(routes.run, { params: { automationId: own.id } })
    const pending = async () => (await ann.call(toolsRoutes.approvals, {})).pending
    await expect.poll(async () => (await pending()).length).toBe(1)
    const approvalId = (await pending())[0]?.id ?? ''
    await ann.call(toolsRoutes.decideApproval, { params: { approvalId }, body: { decision: 'allow_once' } })
    // By then the message was handed to both.
    expect(await ended(other.id)).toMatchObject([{ trigger: 'event' }])
    await ended(own.id)
    expect(await runsOf(own.id)).toMatchObject([{ trigger: 'manual', state: 'succeeded' }])
    for (const { id } of [own, other]) await ann.call(routes.remove, { params: { automationId: id } })
  })

  test('that start each other end after five, and say so', async () => {
    const channels: string[] = []
    for (let count = 0; count < 6; count += 1) channels.push(await makeChannel())
    const chain: string[] = []
    for (const [index, placeId] of channels.entries()) {
      const target = { kind: 'channel', channelId: channels[index + 1] ?? placeId } as const
      chain.push((await waiting({ placeId }, { target })).id)
    }
    await post(ann, channels[0] ?? '', 'Go.')
    const [last] = await ended(chain.at(-1) ?? '')
    expect(last).toMatchObject({ state: 'skipped', reason: 'chain_too_deep', trigger: 'event', seen: false })
    for (const id of chain.slice(0, -1)) expect(await runsOf(id)).toMatchObject([{ state: 'succeeded' }])
    for (const automationId of chain) await ann.call(routes.remove, { params: { automationId } })
  })

  test('never start by events that their models put into the calendar, and others know that it is a chain', async () => {
    const startAt = Math.ceil((Date.now() + ahead) / 60_000) * 60_000 + 120_000
    const start = new Date(startAt).toISOString().slice(0, 16)
    const instructions = `<<create_calendar_event {"title":"Made stand-up","start":"${start}"}>>`
    const trigger = { event: 'calendar-event', match: 'made stand-up' } as const
    const own = await waiting(trigger, { instructions, tools: ['builtin:create_calendar_event'] })
    const other = await waiting(trigger)
    await ann.call(routes.run, { params: { automationId: own.id } })
    const pending = async () => (await ann.call(toolsRoutes.approvals, {})).pending
    await expect.poll(async () => (await pending()).length).toBe(1)
    const approvalId = (await pending())[0]?.id ?? ''
    await ann.call(toolsRoutes.decideApproval, { params: { approvalId }, body: { decision: 'allow_once' } })
    await ended(own.id)
    const range = { from: new Date(startAt - 1).toISOString(), to: new Date(startAt + 1).toISOString() }
    const made = (await ann.call(calendarRoutes.events, { query: range })).items.find(({ title }) =>
      /^Made/.test(title),
    )
    ahead += startAt - (Date.now() + ahead) + 1000
    // A change of the calendar has it looked at now.
    await ann.call(calendarRoutes.updateEvent, {
      params: { eventId: made?.id ?? '' },
      query: {},
      body: { notes: 'Anew' },
    })
    expect(await ended(other.id)).toMatchObject([{ trigger: 'event', state: 'succeeded' }])
    expect(await runsOf(own.id)).toMatchObject([{ trigger: 'manual' }])
    for (const { id } of [own, other]) await ann.call(routes.remove, { params: { automationId: id } })
  })

  if (dialect === 'postgres')
    test('an event that fails for one of them starts the others, and is tried again for that one alone', async () => {
      const channelId = await makeChannel()
      const [one, broken, other] = [
        await waiting({ placeId: channelId }),
        await waiting({ placeId: channelId }),
        await waiting({ placeId: channelId }),
      ]
      await onDatabase(
        app.databaseUrl,
        `create function refuse_run() returns trigger language plpgsql as $$ begin
           if new.automation_id = '${broken.id}' then raise exception 'no room'; end if;
           return new;
         end $$`,
        'create trigger refuse_run before insert on automation_runs for each row execute function refuse_run()',
      )
      await post(ann, channelId, 'Go.')
      for (const { id } of [one, other]) expect(await ended(id)).toMatchObject([{ trigger: 'event' }])
      expect(await runsOf(broken.id)).toEqual([])
      await onDatabase(app.databaseUrl, 'drop trigger refuse_run on automation_runs', 'drop function refuse_run')
      // Its next try is a minute away.
      ahead += 61_000
      const elsewhere = await makeChannel()
      const waker = await waiting({ placeId: elsewhere })
      await post(ann, elsewhere, 'Wake.')
      expect(await ended(broken.id)).toMatchObject([{ trigger: 'event', state: 'succeeded' }])
      for (const { id } of [one, other]) expect(await runsOf(id)).toHaveLength(1)
      for (const { id } of [one, broken, other, waker]) await ann.call(routes.remove, { params: { automationId: id } })
    })

  // What follows has nothing of its own in the database.
  if (dialect === 'postgres') return

  test('start at what their owner is notified of', async () => {
    const channelId = await makeChannel()
    const { id } = await waiting({ event: 'mention' }, {}, ben)
    await post(ann, channelId, 'Lunch, anybody?')
    await post(ann, channelId, 'Can you look at this, @ben?')
    const [run] = await ended(id, 1, ben)
    expect(await payloadOf(run as AutomationRun, ben)).toMatchObject({ event: 'mention' })
    expect(await runsOf(id, ben)).toHaveLength(1)
  })

  test('are refused where their owner may not look, or nobody says where', async () => {
    const channelId = await makeChannel()
    const eve = await app.signUpUser()
    const refusal = async (trigger: Partial<EventTrigger>) => {
      const whole = { kind: 'event', event: 'channel-message', placeId: null, match: null, ...trigger } as const
      const body = { name: 'Spy', instructions: 'Look.', triggers: [whole] }
      return (await eve.refusal(routes.create, { body })).code
    }
    expect(await refusal({ placeId: channelId })).toBe('channel_not_found')
    expect(await refusal({ event: 'collection-document', placeId: 'unknown' })).toBe('collection_not_found')
    expect(await refusal({ event: 'calendar-event', placeId: 'unknown' })).toBe('calendar_not_found')
    expect(await refusal({})).toBe('trigger_invalid')
    expect(await refusal({ event: 'mention', placeId: channelId })).toBe('trigger_invalid')
    expect(await refusal({ event: 'automation-failed' as never })).toBe('validation_failed')
    expect((await eve.call(routes.list, {})).items).toEqual([])
  })
})

onBothDatabases('calendars that automations wait for', (open) => {
  test('are looked at once more where they changed while somebody looked', async () => {
    const database = await open(automationMigrations)
    const events = createEventStore(database)
    const now = 1_000_000
    const place = { kind: 'calendar-event', placeId: 'work' } as const
    const write = <T>(work: (trx: Transaction<AutomationTables>) => Promise<T>) =>
      database.write<AutomationTables, T>(work)
    await write((trx) => putWatches(trx, { id: 'a', accountId: 'ann' }, [place], now))
    const look = async (nextAt: number, meanwhile: () => Promise<unknown>) => {
      const [watch] = await events.dueCalendars(now, 10)
      await meanwhile()
      return watch && (await write((trx) => events.moveCalendar(trx, watch, { nextAt, until: now + 1 })))
    }
    for (const again of [1, 2]) {
      expect(await look(now + 900_000, () => events.lookSoon('ann', now)), `${again}`).toBe(false)
      expect(await events.nextDue()).toBeLessThanOrEqual(now)
    }
    expect(await look(now + 900_000, async () => undefined)).toBe(true)
    expect(await events.dueCalendars(now, 10)).toEqual([])
    expect(await events.lookSoon('ann', now)).toBe(true)
    expect(await events.nextDue()).toBe(now)
  })
})
