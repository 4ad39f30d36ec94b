/** Who is there: over all processes, told at a pace to those who may know, and never in writing. */
import { randomBytes } from 'node:crypto'
import { presenceRoutes as routes, type Presence } from '@atrium/contract/presence'
import { expect, onTestFinished, test } from 'vitest'
import { authenticateById } from '../../testing/authenticate.ts'
import { testClock } from '../../testing/clock.ts'
import { type Open, onBothDatabases } from '../../testing/databases.ts'
import { bindRoutes } from '../../platform/http/area.ts'
import { createLog } from '../../platform/log/log.ts'
import { vaultMigrations } from '../../platform/vault/tables.ts'
import { openVault } from '../../platform/vault/vault.ts'
import { serveAreas } from '../../testing/serve.ts'
import { createPresence, presenceMigrations } from './index.ts'
import type { PresenceTables } from './tables.ts'

const begin = async (open: Open) => {
  const database = await open([...vaultMigrations, ...presenceMigrations])
  const clock = testClock()
  const vault = await openVault({ database, instanceKey: randomBytes(32), clock })
  const log = createLog({ level: 'silent' })
  /** They may know of nobody, and nobody of them. */
  const strangers = new Set(['eve'])
  const start = (processId: string) => {
    let isCut = false
    const cut = Object.assign(Object.create(database) as typeof database, {
      notify: async (channel: string, text: string) => (isCut ? undefined : database.notify(channel, text)),
    })
    const area = createPresence({ database: cut, clock, vault, log, processId })
    area.api.acquaintances.fill(async (accountId, others) =>
      strangers.has(accountId) ? new Set() : new Set(others.filter((id) => !strangers.has(id))),
    )
    onTestFinished(area.stop)
    /** A page of somebody, with all it was told. */
    const visit = (accountId: string, shows: readonly string[] = []) => {
      const told: Presence[] = []
      const page = area.api.visit(accountId, (people) => told.push(...people))
      if (shows.length > 0) page.shows(shows)
      return { ...page, told, states: () => told.map(({ state }) => state) }
    }
    const kill = (): void => {
      isCut = true
    }
    const serve = async () => {
      const areas = [bindRoutes({ name: 'presence', routes, handlers: area.handlers })]
      const { guest, stop } = await serveAreas({ areas, clock, authenticate: authenticateById() })
      onTestFinished(stop)
      return guest.as('ann')
    }
    return { ...area, visit, kill, serve }
  }
  return { database, clock, start, strangers }
}

onBothDatabases('presence', (open) => {
  test('who is in front of a page is there in every process, until the page or its process is gone', async () => {
    const { clock, start } = await begin(open)
    const [one, two] = [start('one'), start('two')]
    const page = one.visit('ann')
    expect(await one.api.isPresent('ann')).toBe(false)
    await expect
      .poll(() => {
        page.here(false)
        page.here(true)
        return two.api.isPresent('ann')
      })
      .toBe(true)
    page.here(false)
    await expect.poll(() => two.api.isPresent('ann')).toBe(false)
    page.here(true)
    await expect.poll(() => two.api.isPresent('ann')).toBe(true)
    // It says so every few seconds; once it is killed, it does not.
    clock.advance(20_000)
    one.look()
    // Told after it, so that the other has heard both.
    one.visit('ben').here(true)
    await expect.poll(() => two.api.listPresent(['ann', 'ben', 'cid'])).toEqual(['ann', 'ben'])
    one.kill()
    clock.advance(20_000)
    for (const process of [one, two]) process.look()
    expect(await two.api.isPresent('ann')).toBe(true)
    clock.advance(9_000)
    two.look()
    expect(await two.api.isPresent('ann')).toBe(false)
    expect(await one.api.isPresent('ann')).toBe(true)
  })

  test('pages are told of whom they show, at most once in five seconds, and of nobody whom they may not know', async () => {
    const { clock, start, strangers } = await begin(open)
    const house = start('one')
    const ann = house.visit('ann')
    const ben = house.visit('ben', ['ann', 'eve'])
    const eve = house.visit('eve', ['ann', 'ben'])
    await expect.poll(() => ben.told).toEqual([{ userId: 'ann', state: 'away', status: null }])
    clock.advance(5_000)
    ann.here(true)
    await expect.poll(ben.states).toEqual(['away', 'active'])
    // What is over before the time has come is never told.
    ann.here(false)
    clock.advance(3_000)
    house.look()
    ann.here(true)
    clock.advance(5_000)
    house.look()
    ann.here(false)
    clock.advance(4_900)
    house.look()
    expect(ben.states()).toEqual(['away', 'active'])
    clock.advance(200)
    house.look()
    await expect.poll(ben.states).toEqual(['away', 'active', 'away'])
    // Asking again and again tells nothing sooner.
    ann.here(true)
    ben.shows(['ann'])
    await expect.poll(ben.states).toEqual(['away', 'active', 'away', 'away'])
    clock.advance(5_000)
    house.look()
    await expect.poll(() => ben.states().at(-1)).toBe('active')
    // Who may not know any more hears nothing more.
    strangers.add('ben')
    const before = ben.told.length
    ann.here(false)
    clock.advance(5_100)
    house.look()
    ann.here(true)
    clock.advance(5_100)
    house.look()
    const carl = house.visit('carl', ['ann'])
    await expect.poll(carl.states).toEqual(['active'])
    expect(ben.told).toHaveLength(before)
    expect(eve.told).toEqual([])
  })

  test('what people set is kept sealed, shown to others, and heard of by their own pages', async () => {
    const { clock, database, start } = await begin(open)
    const house = start('one')
    const ann = await house.serve()
    expect(await ann.call(routes.own, {})).toEqual({ mode: 'automatic', until: null, status: null })
    const own = house.visit('ann', ['ann'])
    own.here(true)
    const ben = house.visit('ben', ['ann'])
    await expect.poll(ben.states).toHaveLength(1)
    clock.advance(10_000)
    house.look()
    const until = new Date(clock.now() + 3600_000).toISOString()
    const body = { mode: 'do-not-disturb' as const, until, status: 'Writing the plan' }
    expect(await ann.call(routes.set, { body })).toEqual(body)
    const shown = { userId: 'ann', state: 'do-not-disturb', status: 'Writing the plan' }
    await expect.poll(() => ben.told.at(-1)).toEqual(shown)
    expect(await house.api.quietUntil('ann')).toBe(clock.now() + 3600_000)
    expect(await house.api.listPresent(['ann'])).toEqual(['ann'])
    const rows = await database.tables<PresenceTables>().selectFrom('presence_settings').selectAll().execute()
    expect(Buffer.concat(rows.map(({ settings }) => Buffer.from(settings))).toString('latin1')).not.toContain('plan')
    // It outlives the process, and ends by itself.
    const later = start('two')
    expect(await later.api.settingsOf('ann')).toEqual(body)
    clock.advance(3600_001)
    house.look()
    await expect.poll(() => ben.told.at(-1)).toEqual({ ...shown, state: 'active' })
    expect(await ann.call(routes.own, {})).toEqual({ mode: 'automatic', until: null, status: 'Writing the plan' })
    expect(await house.api.quietUntil('ann')).toBeNull()
    // Others see no difference between these two, the own pages are told.
    clock.advance(6_000)
    await ann.call(routes.set, { body: { mode: 'away' } })
    await expect.poll(() => ben.told.at(-1)).toEqual({ userId: 'ann', state: 'away', status: null })
    expect(await house.api.isPresent('ann')).toBe(false)
    const heard = own.told.length
    await ann.call(routes.set, { body: { mode: 'invisible' } })
    await expect.poll(() => own.told.length).toBeGreaterThan(heard)
    expect(await house.api.isPresent('ann')).toBe(true)
    expect(await house.api.listPresent(['ann'])).toEqual([])
  })

  test('an end that has passed, is missing or too far away, and lines that are none, are refused', async () => {
    const { clock, start } = await begin(open)
    const house = start('one')
    const ann = await house.serve()
    const after = (ms: number) => new Date(clock.now() + ms).toISOString()
    for (const body of [
      { mode: 'do-not-disturb' as const },
      { mode: 'do-not-disturb' as const, until: after(-1) },
      { mode: 'do-not-disturb' as const, until: after(400 * 24 * 3600_000) },
      { mode: 'away' as const, until: after(1000) },
      { mode: 'away' as const, status: 'two\nlines' },
      { mode: 'away' as const, status: 'x'.repeat(101) },
    ])
      expect(await ann.refusal(routes.set, { body })).toMatchObject({ code: 'validation_failed' })
  })
})
