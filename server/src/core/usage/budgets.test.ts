import { randomBytes } from 'node:crypto'
import { type BudgetInput, usageRoutes as routes } from '@atrium/contract/usage'
import { sql } from 'kysely'
import { afterEach, expect, test } from 'vitest'
import type { Database } from '../../platform/db/types.ts'
import { createLog } from '../../platform/log/log.ts'
import type { PlannedCall } from '../../providers/metering.ts'
import { authenticateById } from '../../testing/authenticate.ts'
import { testClock } from '../../testing/clock.ts'
import { onBothDatabases } from '../../testing/databases.ts'
import { serveAreas } from '../../testing/serve.ts'
import { recordingInMemory } from '../../testing/usage-policy.ts'
import { createTestNotifications } from '../../testing/notifications.ts'
import { vaultMigrations } from '../../platform/vault/tables.ts'
import { openVault } from '../../platform/vault/vault.ts'
import { type Notifications, notificationMigrations } from '../notifications/index.ts'
import { createUsage, type Usage, usageMigrations } from './index.ts'
import type { UsageTables } from './tables.ts'

const stops: (() => Promise<unknown> | void)[] = []
afterEach(async () => {
  for (const stop of stops.splice(0).reverse()) await stop()
})

const budget = (over: Partial<BudgetInput> = {}): BudgetInput => ({
  name: 'Team',
  principalType: 'instance',
  principalId: null,
  unit: 'tokens',
  amount: '1000',
  period: 'weekly',
  mode: 'block',
  ...over,
})

onBothDatabases('budgets', (open, dialect) => {
  const clock = testClock(Date.UTC(2026, 10, 20, 12))
  const process = (database: Database, processId: string, now = clock, notifications?: Notifications) => {
    const usage = createUsage({
      ...(notifications ? { notifications } : {}),
      recording: recordingInMemory(database),
      database,
      clock: now,
      processId,
      log: createLog({ level: 'silent' }),
      findPrincipal: async (type, id) => (type === 'group' ? null : { name: `the ${id}`, accountId: 'ben' }),
    })
    stops.push(() => usage.stop())
    return usage
  }
  const start = async () => {
    clock.set(Date.UTC(2026, 10, 20, 12))
    const database = await open(usageMigrations)
    const usage = process(database, 'here')
    const served = await serveAreas({
      areas: [usage.area],
      clock,
      authenticate: authenticateById(),
    })
    stops.push(() => served.stop())
    const left = async () => {
      const { items } = await served.guest.as('ann').call(routes.budgets, {})
      return items.map(({ spent, reserved, state }) => [spent, reserved, state])
    }
    return { usage, database, left, ann: served.guest.as('ann'), ben: served.guest.as('ben') }
  }
  const admit = (usage: Usage, over: Partial<PlannedCall> = {}) =>
    usage.admit({
      accountId: 'ben',
      tokenId: null,
      providerId: 'openai',
      providerName: 'OpenAI',
      model: 'gpt-5.4-mini',
      capability: 'chat',
      inputTokens: 60,
      outputTokens: 40,
      ...over,
    })
  const end = (usage: Usage, subject: unknown, tokens: number | null, status: 'success' | 'error' = 'success') =>
    usage.meter({
      subject,
      model: 'gpt-5.4-mini',
      status,
      inputTokens: tokens,
      outputTokens: tokens === null ? null : 0,
      cachedTokens: null,
      reasoningTokens: null,
      units: null,
      firstTokenMs: null,
      failure: null,
      errorClass: null,
      relayed: false,
      durationMs: 1,
    })

  test('an account is told of its own budgets at four fifths and when they are used up, once in a period', async () => {
    clock.set(Date.UTC(2026, 10, 20, 12))
    const database = await open([...vaultMigrations, ...notificationMigrations, ...usageMigrations])
    const vault = await openVault({ database, instanceKey: randomBytes(32), clock })
    const notifications = createTestNotifications({ clock, database, vault })
    const here = process(database, 'here', clock, notifications)
    const served = await serveAreas({ areas: [here.area], clock, authenticate: authenticateById() })
    stops.push(() => served.stop())
    const ann = served.guest.as('ann')
    const add = (over: Partial<BudgetInput>) => ann.call(routes.addBudget, { body: budget(over) })
    const own = await add({ name: 'Own', principalType: 'account', mode: 'warn' })
    await add({ name: 'Of all', mode: 'warn' })
    await add({ name: 'Watched', principalType: 'account', mode: 'observe' })
    const use = async (usage: Usage, tokens: number) => {
      end(usage, await admit(usage), tokens)
      await usage.flush()
    }
    const told = async (accountId = 'ben') =>
      (await Array.fromAsync(notifications.listAll(accountId))).flat().map(({ facts }) => facts)
    await use(here, 799)
    expect(await told()).toEqual([])
    await use(here, 1)
    const facts = { budgetId: own.id, name: 'Own', blocks: false, resetsAt: own.resetsAt }
    expect(await told()).toEqual([{ ...facts, state: 'warned' }])
    // Another process knows nothing of what this one told.
    const other = process(database, 'other', clock, notifications)
    await other.begin()
    await use(other, 10)
    expect(await told()).toHaveLength(1)
    await use(here, 500)
    await use(here, 500)
    expect(await told()).toEqual([{ ...facts, state: 'exceeded' }])
    clock.set(Date.parse(own.resetsAt))
    await use(here, 900)
    expect((await told()).map((each) => 'state' in each && each.state)).toEqual(['warned', 'exceeded'])
    await ann.call(routes.removeBudget, { params: { id: own.id } })
    expect([await told(), await told('ann')]).toEqual([[], []])
  })

  test('a process that dies between counting and telling leaves that to the others', async () => {
    clock.set(Date.UTC(2026, 10, 20, 12))
    const database = await open([...vaultMigrations, ...notificationMigrations, ...usageMigrations])
    const vault = await openVault({ database, instanceKey: randomBytes(32), clock })
    const notifications = createTestNotifications({ clock, database, vault })
    const never: Notifications['publisher'] = () => Promise.reject(new Error('killed'))
    const killed = process(database, 'killed', clock, { ...notifications, publisher: never })
    const served = await serveAreas({ areas: [killed.area], clock, authenticate: authenticateById() })
    stops.push(() => served.stop())
    const body = budget({ name: 'Own', principalType: 'account' })
    const own = await served.guest.as('ann').call(routes.addBudget, { body })
    end(killed, await admit(killed), 1000)
    await killed.flush()
    const told = async () => (await Array.fromAsync(notifications.listAll('ben'))).flat().map(({ facts }) => facts)
    expect(await told()).toEqual([])
    // Nothing is spent any more: the budget refuses. It is told all the same, once.
    for (const name of ['next', 'third']) {
      const other = process(database, name, clock, notifications)
      await other.begin()
      await expect.poll(told).toMatchObject([{ budgetId: own.id, state: 'exceeded', resetsAt: own.resetsAt }])
    }
    expect(await database.tables<UsageTables>().selectFrom('usage_owed_budget_notices').selectAll().execute()).toEqual(
      [],
    )
  })

  test('what a call may use is set aside before it, and what it used is counted after it', async () => {
    const { usage, ann, left } = await start()
    await ann.call(routes.addBudget, { body: budget() })
    const subject = await admit(usage)
    expect(await left()).toEqual([['0', '100', 'normal']])
    end(usage, subject, 70)
    end(usage, subject, 70)
    await usage.flush()
    expect(await left()).toEqual([['70', '0', 'normal']])
    end(usage, await admit(usage), 800)
    await usage.flush()
    expect(await left()).toEqual([['870', '0', 'warned']])
  })

  test('a call that is not covered is refused with the budget and the day, and nothing is set aside', async () => {
    const { usage, ann, left } = await start()
    await ann.call(routes.addBudget, { body: budget({ amount: '150' }) })
    await ann.call(routes.addBudget, { body: budget({ name: 'Wide', amount: '100000' }) })
    const subject = await admit(usage)
    await expect(admit(usage)).rejects.toMatchObject({
      kind: 'over_budget',
      message: expect.stringMatching(/left of the budget “Team” for this week .* Monday, 23 November 2026/),
    })
    expect(await left()).toEqual([
      ['0', '100', 'normal'],
      ['0', '100', 'normal'],
    ])
    end(usage, subject, 150)
    await usage.flush()
    await expect(admit(usage, { inputTokens: 1, outputTokens: 0 })).rejects.toThrow(/“Team” for this week is used up/)
    clock.set(Date.UTC(2026, 10, 23))
    await admit(usage)
  })

  test('many calls at once never get more than there is, in one process and in several', async () => {
    const { usage, database, ann, left } = await start()
    await ann.call(routes.addBudget, { body: budget() })
    const processes =
      dialect === 'postgres' ? [usage, process(database, 'there'), process(database, 'yonder')] : [usage]
    const asked = await Promise.allSettled(
      Array.from({ length: 60 }, (_, i) => {
        const own = processes[i % processes.length] as Usage
        return admit(own).then((subject) => ({ own, subject }))
      }),
    )
    const let_in = asked.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : []))
    expect(let_in).toHaveLength(10)
    expect(await left()).toEqual([['0', '1000', 'normal']])
    for (const { own, subject } of let_in) end(own, subject, 90)
    await Promise.all(processes.map((own) => own.flush()))
    expect(await left()).toEqual([['900', '0', 'warned']])
  })

  test('an answer without a limit gets what is left', async () => {
    const { usage, ann, left } = await start()
    await ann.call(routes.addBudget, { body: budget() })
    const subject = await admit(usage, { outputTokens: null })
    expect(await left()).toEqual([['0', '1000', 'normal']])
    await expect(admit(usage, { inputTokens: 1, outputTokens: null })).rejects.toMatchObject({ kind: 'over_budget' })
    end(usage, subject, 200)
    await usage.flush()
    expect(await left()).toEqual([['200', '0', 'normal']])
  })

  test('money is counted by the price that holds, and free calls of the local runtime go on', async () => {
    const { usage, ann, left } = await start()
    await ann.call(routes.addBudget, { body: budget({ unit: 'money', amount: '0.75' }) })
    const subject = await admit(usage, { inputTokens: 900_000, outputTokens: 0 })
    expect(await left()).toEqual([['0', '0.675', 'normal']])
    end(usage, subject, 1_000_000)
    await usage.flush()
    expect(await left()).toEqual([['0.75', '0', 'exceeded']])
    await expect(admit(usage, { inputTokens: 1, outputTokens: 1 })).rejects.toMatchObject({ kind: 'over_budget' })
    await admit(usage, { providerId: 'local', model: 'llama3' })
  })

  test('budgets that only watch or warn refuse nothing and count everything', async () => {
    const { usage, ann, left } = await start()
    await ann.call(routes.addBudget, { body: budget({ mode: 'observe', amount: '10' }) })
    await ann.call(routes.addBudget, { body: budget({ mode: 'warn', amount: '10' }) })
    end(usage, await admit(usage), 100)
    await usage.flush()
    expect(await left()).toEqual([
      ['100', '0', 'exceeded'],
      ['100', '0', 'exceeded'],
    ])
  })

  test('accounts and tokens each have their own, and a person sees no figures of what others spend', async () => {
    const { usage, ann, ben } = await start()
    const each = await ann.call(routes.addBudget, {
      body: budget({ name: 'Each', principalType: 'account', amount: '100' }),
    })
    const token = budget({ name: 'Token', principalType: 'token', principalId: 'tok', amount: '500' })
    expect(await ann.call(routes.addBudget, { body: token })).toMatchObject({ principalName: 'the tok' })
    await ann.call(routes.addBudget, { body: budget({ name: 'All', amount: '5000' }) })
    end(usage, await admit(usage, { tokenId: 'tok' }), 100)
    await usage.flush()
    await expect(admit(usage)).rejects.toThrow(/“Each”/)
    await admit(usage, { accountId: 'ann' })
    expect((await ben.call(routes.myBudgets, {})).items).toMatchObject([
      { name: 'Each', spent: '100', remaining: '0', state: 'exceeded', resetsAt: '2026-11-23T00:00:00.000Z' },
      { name: 'Token', spent: '100', remaining: '400' },
      { name: 'All', amount: null, spent: null, remaining: null },
    ])
    await ann.call(routes.removeBudget, { params: { id: each.id } })
    await admit(usage)
    expect(await ann.refusal(routes.removeBudget, { params: { id: each.id } })).toMatchObject({
      code: 'budget_not_found',
    })
    expect(await ben.refusal(routes.budgets, {})).toMatchObject({ code: 'forbidden' })
  })

  test('what cannot be a budget is refused by name', async () => {
    const { ann } = await start()
    for (const [over, path] of [
      [{ principalType: 'group', principalId: 'g' }, 'body.principalId'],
      [{ principalType: 'token' }, 'body.principalId'],
      [{ principalId: 'x' }, 'body.principalId'],
      [{ amount: '1.5' }, 'body.amount'],
      [{ amount: '0' }, 'body.amount'],
      [{ amount: '-1' }, 'body.amount'],
      [{ name: ' ' }, 'body.name'],
    ] as [Partial<BudgetInput>, string][]) {
      const { problem } = await ann.refusal(routes.addBudget, { body: budget(over) })
      expect(problem).toMatchObject({ code: 'validation_failed', errors: [{ path }] })
    }
  })

  test('what was spent before in the period counts for a new budget, and for one that is made another', async () => {
    const { usage, ann, left } = await start()
    end(usage, await admit(usage), 90)
    end(usage, await admit(usage, { accountId: 'ann' }), 10)
    const { id } = await ann.call(routes.addBudget, { body: budget() })
    expect(await left()).toEqual([['100', '0', 'normal']])
    const body = budget({ principalType: 'account', principalId: 'ben' })
    await ann.call(routes.changeBudget, { params: { id }, body })
    expect(await left()).toEqual([['90', '0', 'normal']])
    end(usage, await admit(usage), 10)
    await usage.flush()
    expect(await left()).toEqual([['100', '0', 'normal']])
  })

  test('a budget holds in all processes although it could not be read, or what was spent before not counted', async () => {
    const { usage, database, ann } = await start()
    const there = process(database, 'there')
    const asked = (own: Usage) =>
      admit(own).then(
        () => 'let in',
        ({ kind }) => kind,
      )
    for (const missing of ['usage_tariffs', 'usage_sums']) {
      expect([await asked(usage), await asked(there)]).toEqual(['let in', 'let in'])
      await sql`alter table ${sql.table(missing)} rename to away`.execute(database.tables())
      const { problem } = await ann.refusal(routes.addBudget, { body: budget({ amount: '50' }) })
      expect(problem.code).toBe('internal')
      await sql`alter table away rename to ${sql.table(missing)}`.execute(database.tables())
      expect(await asked(usage)).toBe('over_budget')
      await expect.poll(() => asked(there)).toBe('over_budget')
      const [{ id } = { id: '' }] = (await ann.call(routes.budgets, {})).items
      await ann.call(routes.removeBudget, { params: { id } })
      await expect.poll(() => asked(there)).toBe('let in')
    }
  })

  test('what a process set aside is let go when it is gone, and a late call is still counted', async () => {
    const { usage, database, ann, left } = await start()
    await ann.call(routes.addBudget, { body: budget() })
    await database.holdPresence('here')
    const ended = process(database, 'ended')
    await admit(ended)
    const own = await admit(usage)
    expect(await left()).toEqual([['0', '200', 'normal']])
    await usage.begin()
    await expect.poll(left).toEqual([['0', '100', 'normal']])
    clock.advance(61 * 60_000)
    await process(database, 'here').begin()
    await expect.poll(left).toEqual([['0', '0', 'normal']])
    end(usage, own, 80)
    await usage.flush()
    expect(await left()).toEqual([['80', '0', 'normal']])
    expect(await database.tables<UsageTables>().selectFrom('usage_budget_reservations').selectAll().execute()).toEqual(
      [],
    )
  })

  test('without budgets a call asks no database', async () => {
    const { usage, database } = await start()
    await admit(usage)
    await database.close()
    for (let i = 0; i < 100; i++) await admit(usage)
  })

  test('a failed call costs nothing, and one of which nothing was reported costs what was expected', async () => {
    const { usage, ann, left } = await start()
    await ann.call(routes.addBudget, { body: budget() })
    end(usage, await admit(usage), null, 'error')
    await usage.flush()
    expect(await left()).toEqual([['0', '0', 'normal']])
    end(usage, await admit(usage), null)
    await usage.flush()
    expect(await left()).toEqual([['100', '0', 'normal']])
  })

  test('a budget that cannot be read limits nothing, stands in the list as such, and can be removed', async () => {
    const { usage, database, ann, left } = await start()
    const sound = await ann.call(routes.addBudget, { body: budget() })
    const table = database.tables<UsageTables>()
    for (const [name, column, value] of [
      ['Unit', 'unit', 'apples'],
      ['Amount', 'amount', 'a lot'],
    ] as const) {
      const { id } = await ann.call(routes.addBudget, { body: budget({ name }) })
      await table
        .updateTable('usage_budgets')
        .set({ [column]: value })
        .where('id', '=', id)
        .execute()
    }
    // Has every process read again.
    await ann.call(routes.changeBudget, { params: { id: sound.id }, body: budget() })
    end(usage, await admit(usage), 90)
    await usage.flush()
    expect(await left()).toEqual([['90', '0', 'normal']])
    const { items, unreadable } = await ann.call(routes.budgets, {})
    expect([items.map(({ id }) => id), unreadable.length]).toEqual([[sound.id], 2])
    for (const id of unreadable) await ann.call(routes.removeBudget, { params: { id } })
    expect((await ann.call(routes.budgets, {})).unreadable).toEqual([])
  })
})
