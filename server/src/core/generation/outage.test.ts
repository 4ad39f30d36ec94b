/** Answers while the database is away, and while other processes believe that theirs is. */
import { randomBytes } from 'node:crypto'
import { describe, expect, onTestFinished, test } from 'vitest'
import { accountMigrations } from '../accounts/index.ts'
import { type Database, migrate, openDatabase } from '../../platform/db/index.ts'
import { createEventLog } from '../../platform/events/event-log.ts'
import { fail } from '../../platform/http/refusal.ts'
import { eventMigrations } from '../../platform/events/tables.ts'
import { createLog } from '../../platform/log/log.ts'
import { openVault } from '../../platform/vault/vault.ts'
import { vaultMigrations } from '../../platform/vault/tables.ts'
import type { Part } from '../../providers/types.ts'
import { insertAccount } from '../../testing/chats.ts'
import { realClock } from '../../testing/clock.ts'
import { onBothDatabases, openerFor, type Place } from '../../testing/databases.ts'
import { type Link, linkTo, setReadOnly } from '../../testing/outage.ts'
import { createGenerations, generationMigrations, type Run } from './index.ts'
import type { GenerationTables } from './tables.ts'

const migrations = [...vaultMigrations, ...eventMigrations, ...accountMigrations, ...generationMigrations]
const log = createLog({ level: 'silent' })
const instanceKey = randomBytes(32)
/** Beats come faster than in the product. Whoever comes back late has longer: a busy machine takes its time to connect. */
const presence = { beatMs: 40, silentBeats: 12, confirmMs: 2500 }

const until = async (condition: () => unknown): Promise<void> => {
  await expect.poll(condition, { timeout: 120_000, interval: 10 }).toBeTruthy()
}

/** A model that says what the test has it say. */
const createSpeaker = () => {
  const parts: Part[] = []
  let rouse = (): void => undefined
  let ended = false
  let signal: AbortSignal | null = null
  async function* open(given: AbortSignal): AsyncGenerator<readonly Part[]> {
    signal = given
    for (;;) {
      while (parts.length > 0) yield parts.splice(0)
      if (ended) return
      await new Promise<void>((resolve) => {
        rouse = resolve
      })
    }
  }
  return {
    prepare: async () => ({ plan: null, open }),
    say: (delta: string) => {
      parts.push({ type: 'text', delta })
      rouse()
    },
    end: () => {
      ended = true
      rouse()
    },
    isStopped: () => signal?.aborted === true,
  }
}

/** A process that writes answers. */
const startProcess = async (
  database: Database,
  first: boolean,
  {
    queryMs,
    sweepMs = 30,
    windowMs = 10,
  }: {
    readonly queryMs?: number
    readonly sweepMs?: number
    readonly windowMs?: number
  } = {},
) => {
  if (first) await insertAccount(database, 'ann')
  const processId = realClock.id()
  await database.holdPresence(processId)
  const vault = await openVault({ database, instanceKey, clock: realClock })
  const events = createEventLog({ database, vault, clock: realClock, log, processId, tuning: { windowMs } })
  const pauses = { firstMs: 5, longestMs: 20 }
  const generations = createGenerations({ database, events, clock: realClock, log, processId, pauses, sweepMs })
  const texts: string[] = []
  let tries = 0
  generations.register('test', {
    finish: async (_run, { answer }) => {
      tries += 1
      return { write: async () => void texts.push(answer.text) }
    },
    readStored: async () => null,
  })
  await generations.recover()
  onTestFinished(async () => {
    await generations.stop()
    await events.stop()
    await database.close()
  })
  return {
    database,
    events,
    generations,
    texts,
    queryMs,
    tries: () => tries,
    ask: async (id: string, beforehand?: () => Promise<unknown>) => {
      const speaker = createSpeaker()
      const prepare = async () => {
        await beforehand?.()
        return await speaker.prepare()
      }
      const request = { id, accountId: 'ann', kind: 'test', scopeId: id, subjectId: id, prepare }
      return { run: await generations.start(request), ...speaker }
    },
    stateOf: async (id: string) => (await generations.read(id, 'ann'))?.state,
    shownOf: (run: Run) => follow(generations, run),
  }
}

/** What a reader sees: text, and the states of ends and errors. */
const follow = (generations: ReturnType<typeof createGenerations>, run: Run) => {
  const seen: string[] = []
  const numbers: number[] = []
  const done = (async () => {
    for await (const { seq, event } of generations.follow(run, 0, new AbortController().signal)) {
      numbers.push(seq)
      if (event.type === 'text') seen.push(event.data.delta)
      if (event.type === 'end') seen.push(event.data.state)
    }
  })().catch((error: unknown) => seen.push(String(error)))
  return { seen, numbers, done }
}

const openAt = async (place: Place, link: Link | null, first: boolean, queryMs = 10_000): Promise<Database> => {
  const options = link ? { ...place.options, url: link.url } : place.options
  const quiet = { warn: () => undefined, error: () => undefined }
  const database = await openDatabase({ ...options, presence, queryMs, log: quiet })
  if (first) await migrate(database, migrations, { version: '0', snapshotFolder: place.folder, now: () => 0 })
  return database
}

const linked = async (place: Place): Promise<Link> => {
  const link = await linkTo(place.options.url ?? '')
  onTestFinished(() => link.close())
  return link
}

onBothDatabases('an answer that ends while the database takes no writes', (open, dialect) => {
  test('is whole and done once it takes them again, and its reader is told so once', async () => {
    const place = await open.place()
    const link = dialect === 'postgres' ? await linked(place) : null
    const database = await openAt(place, link, true)
    const harness = await startProcess(database, true)
    const { run, say, end } = await harness.ask('g1')
    const reader = harness.shownOf(run)
    say('one ')
    await until(() => reader.seen.length === 1)
    if (link) link.cut()
    else await setReadOnly(database, true)
    say('two ')
    say('three')
    end()
    // More often than any fixed number of tries that one could think of, with the own sweep running all the while.
    await until(() => harness.tries() > 12)
    if (link) link.restore()
    else await setReadOnly(database, false)
    await harness.generations.waitUntilEnded('g1')
    await reader.done
    expect(await harness.stateOf('g1')).toBe('done')
    expect(harness.texts.at(-1)).toBe('one two three')
    expect(reader.seen.join('')).toBe('one two threedone')
    const late = harness.shownOf(run)
    await late.done
    expect(late.seen.join('')).toBe('one two threedone')
  })
})

describe('answers of several processes on PostgreSQL', () => {
  const open = openerFor('postgres')
  const twoProcesses = async (windowMs?: number) => {
    const place = await open.place()
    const links = [await linked(place), await linked(place)] as const
    const ours = await startProcess(await openAt(place, links[0], true), true, { ...(windowMs && { windowMs }) })
    const theirs = await startProcess(await openAt(place, links[1], false), false)
    return { ours, theirs, links }
  }

  test('go on when the server was away and one process is back sooner than the one that writes', async () => {
    const { ours, theirs, links } = await twoProcesses()
    const { run, say, end } = await ours.ask('g1')
    const reader = theirs.shownOf(run)
    say('one ')
    await until(() => reader.seen.length === 1)
    for (const link of links) link.cut()
    // Their sweep looks as soon as they are back, and the other one is not there yet.
    links[1].restore()
    await until(async () => (await theirs.stateOf('g1').catch(() => null)) === 'running')
    await new Promise((resolve) => setTimeout(resolve, 150))
    links[0].restore()
    say('two')
    end()
    await ours.generations.waitUntilEnded('g1')
    await reader.done
    expect(await theirs.stateOf('g1')).toBe('done')
    expect(reader.seen.join('')).toBe('one twodone')
  })

  test('stop where the message that stops them is lost, because their process had no connection just then', async () => {
    const place = await open.place()
    const [link, other] = [await linked(place), await linked(place)]
    // By itself none of them looks before the test is over.
    const ours = await startProcess(await openAt(place, link, true), true, { sweepMs: 600_000 })
    const theirs = await startProcess(await openAt(place, other, false), false, { sweepMs: 600_000 })
    const { say, isStopped } = await ours.ask('g1')
    say('one')
    await until(async () => (await theirs.stateOf('g1')) === 'running')
    link.cut()
    const stop = theirs.generations.cancel('g1', 'ann').catch((error: unknown) => error)
    await until(async () => {
      const rows = theirs.database.tables<GenerationTables>().selectFrom('generations').select('cancel_requested')
      return (await rows.executeTakeFirst())?.cancel_requested === 1
    })
    link.restore()
    await until(isStopped)
    await stop
    await ours.generations.waitUntilEnded('g1')
  })

  test('are whole in the log as soon as their end is known, so that who follows elsewhere misses no word', async () => {
    // Nothing reaches the log before the end does.
    const { ours, theirs } = await twoProcesses(60_000)
    const { run, say, end } = await ours.ask('g1')
    const early = theirs.shownOf(run)
    say('one ')
    say('two')
    end()
    await ours.generations.waitUntilEnded('g1')
    const ended = await theirs.generations.read('g1', 'ann')
    expect(ended?.state).toBe('done')
    const late = theirs.shownOf(ended ?? run)
    await Promise.all([early.done, late.done])
    expect([early.seen.join(''), late.seen.join('')]).toEqual(['one twodone', 'one twodone'])
    expect([early.numbers, late.numbers]).toEqual([
      [1, 2, 3, 4],
      [1, 2, 3, 4],
    ])
  })

  test('that were being prepared when the server went away are prepared when it is back', async () => {
    const place = await open.place()
    const link = await linked(place)
    const harness = await startProcess(await openAt(place, link, true), true)
    const read: Promise<unknown>[] = []
    const gone = Promise.withResolvers<void>()
    const { run, say, end } = await harness.ask('g1', async () => {
      await gone.promise
      const reading = harness.database.tables<GenerationTables>().selectFrom('generations').select('id').execute()
      read.push(reading)
      await reading
    })
    const reader = harness.shownOf(run)
    link.cut()
    gone.resolve()
    await until(() => read.length > 0)
    await expect(read[0]).rejects.toMatchObject({ code: 'unavailable' })
    link.restore()
    say('one')
    end()
    await reader.done
    expect(reader.seen.join('')).toBe('onedone')
  })

  test('that are refused for another reason fail at once, though the refusal has the same status', async () => {
    const harness = await startProcess(await openAt(await open.place(), null, true), true)
    for (const code of ['provider_not_configured', 'api_key_needed', 'unavailable'] as const) {
      let tries = 0
      const { run } = await harness.ask(code, async () => {
        tries += 1
        throw fail(code)
      })
      await harness.shownOf(run).done
      expect([await harness.stateOf(code), tries]).toEqual(['failed', 1])
    }
  })

  test('of a machine that says nothing any more are ended by another, and it stops its model when it finds out', async () => {
    const { ours, theirs, links } = await twoProcesses()
    const { run, say, isStopped } = await ours.ask('g1')
    const reader = theirs.shownOf(run)
    say('one')
    await until(() => reader.seen.length === 1)
    // The server goes on believing in its connections and keeps its locks.
    links[0].freeze()
    await reader.done
    expect(reader.seen).toEqual(['one', 'interrupted'])
    expect(await theirs.stateOf('g1')).toBe('interrupted')
    expect(isStopped()).toBe(false)
    links[0].restore()
    await until(isStopped)
    expect(await theirs.stateOf('g1')).toBe('interrupted')
  })

  test('stop at once, also while the server stands still, and nobody waits for it longer than the limit', async () => {
    const place = await open.place()
    const link = await linked(place)
    const harness = await startProcess(await openAt(place, link, true, 1500), true)
    const { say, isStopped } = await harness.ask('g1')
    say('one')
    await until(() => harness.generations.liveCount === 1)
    link.freeze()
    const write = harness.events
      .append({ id: 'account:ann', accountId: 'ann' }, 'news')
      .catch((error: unknown) => error)
    const stop = harness.generations.cancel('g1', 'ann')
    await until(isStopped)
    await expect(harness.database.ping()).rejects.toMatchObject({ code: 'unavailable' })
    expect(await write).toMatchObject({ code: 'unavailable' })
    link.restore()
    expect(await stop).toBe('cancelled')
    expect(await harness.stateOf('g1')).toBe('cancelled')
  })
})
