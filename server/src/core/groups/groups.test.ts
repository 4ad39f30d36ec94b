import { randomBytes } from 'node:crypto'
import { groupsRoutes } from '@atrium/contract/groups'
import { type BudgetInput, usageRoutes } from '@atrium/contract/usage'
import { userAdministrationRoutes } from '@atrium/contract/user-administration'
import { afterEach, expect, test } from 'vitest'
import { createUsage, usageMigrations } from '../usage/index.ts'
import { groupMemberships } from './index.ts'
import type { Database } from '../../platform/db/types.ts'
import { createAudit } from '../../platform/audit/index.ts'
import { createLog } from '../../platform/log/log.ts'
import { openVault } from '../../platform/vault/vault.ts'
import { createTestAccounts, testAccountMigrations } from '../../testing/accounts.ts'
import { authenticateById } from '../../testing/authenticate.ts'
import { testClock } from '../../testing/clock.ts'
import { withDatabase } from '../../testing/databases.ts'
import { noUse } from '../../testing/people.ts'
import { serveAreas } from '../../testing/serve.ts'
import { recordingInMemory } from '../../testing/usage-policy.ts'
import { createUserAdministration } from '../../features/user-administration/index.ts'

const password = 'correct horse battery'
const clock = testClock()
const log = createLog({ level: 'silent' })
const stops: (() => Promise<unknown> | void)[] = []
afterEach(async () => {
  for (const stop of stops.splice(0).reverse()) await stop()
})

const tokens = (principalId: string, over: Partial<BudgetInput> = {}): BudgetInput => ({
  name: 'Team',
  principalType: 'group',
  principalId,
  unit: 'tokens',
  amount: '100',
  period: 'weekly',
  mode: 'block',
  ...over,
})

withDatabase('groups', (open) => {
  const instanceKey = randomBytes(32)
  /** Accounts and usage of one process. */
  const startProcess = async (database: Database, processId: string) => {
    const vault = await openVault({ database, instanceKey, clock })
    const audit = createAudit({ database, vault, clock })
    const accounts = createTestAccounts({
      database,
      vault,
      clock,
      log,
      audit,
      version: '',
      signupEnabled: async () => true,
      announce: async () => undefined,
    })
    const usage = createUsage({
      recording: recordingInMemory(database),
      database,
      clock,
      log,
      processId,
      findPrincipal: async (type, id) => {
        const found = type === 'group' ? await accounts.groups.find(id) : null
        return found && { name: found.name, accountId: null }
      },
      groupsOf: accounts.groups.idsOf,
      groupNames: accounts.groups.names,
      memberships: groupMemberships,
    })
    accounts.groups.onRemoved(usage.removeGroup)
    stops.push(async () => {
      await usage.stop()
      accounts.close()
    })
    const admit = (accountId: string, inputTokens = 60) =>
      usage.admit({
        accountId,
        tokenId: null,
        providerId: 'openai',
        providerName: 'OpenAI',
        model: 'gpt-5.4-mini',
        capability: 'chat',
        inputTokens,
        outputTokens: 0,
      })
    return { accounts, audit, usage, admit }
  }
  /** A call that is counted at once. */
  const ended = {
    model: 'gpt-5.4-mini',
    status: 'success',
    failure: null,
    errorClass: null,
    relayed: false,
    inputTokens: 1,
    outputTokens: 1,
    cachedTokens: null,
    reasoningTokens: null,
    units: null,
    firstTokenMs: null,
    durationMs: 1,
  } as const
  /** Ann is administrator; whoever calls says who they are. */
  const start = async () => {
    const database = await open([...testAccountMigrations, ...usageMigrations])
    const here = await startProcess(database, 'here')
    const account = async (username: string) => {
      clock.advance(1)
      return await here.accounts.createAccount({ username, password, role: username === 'ann' ? 'admin' : 'user' })
    }
    const ann = await account('ann')
    const ben = await account('ben')
    const cid = await account('cid')
    const served = await serveAreas({
      areas: [
        createUserAdministration({
          ...here,
          groups: here.accounts.groups,
          signInProviders: here.accounts.signInProviders,
          apiTokens: here.accounts.apiTokens,
          ...noUse,
          spentBy: here.usage.spentBy,
          ownBudgets: here.usage.ownBudgets,
        }),
        ...here.accounts.areas,
        here.usage.area,
      ],
      clock,
      authenticate: authenticateById(ann.id),
    })
    stops.push(() => served.stop())
    const admin = served.guest.as(ann.id)
    const add = (name: string) => {
      clock.advance(1)
      return admin.call(groupsRoutes.addGroup, { body: { name } })
    }
    const join = (id: string, accountId: string) => admin.call(groupsRoutes.addMember, { params: { id, accountId } })
    const leave = (id: string, accountId: string) =>
      admin.call(groupsRoutes.removeMember, { params: { id, accountId } })
    return { ...here, database, admin, guest: served.guest, ann, ben, cid, add, join, leave }
  }

  test('usage is added up by who is in a group now, and can be narrowed to one', async () => {
    const { admin, admit, usage, ann, ben, cid, add, join } = await start()
    const [research, design] = [await add('Research'), await add('Design')]
    for (const { id } of [ann, ben]) await join(research.id, id)
    await join(design.id, ben.id)
    for (const { id } of [ann, ben, ben, cid]) usage.meter({ subject: await admit(id), ...ended })
    await usage.flush()
    const report = await admin.call(usageRoutes.report, {})
    expect(report.groups.map(({ name, calls }) => [name, calls])).toEqual([
      ['Research', 3],
      ['Design', 2],
    ])
    const query = { groupId: research.id }
    const narrowed = await admin.call(usageRoutes.report, { query })
    expect(narrowed.totals).toMatchObject({ calls: 3, uniqueUsers: 2 })
    expect(narrowed.series.at(-1)?.calls).toBe(3)
    const both = await admin.call(usageRoutes.report, { query: { ...query, accountId: cid.id } })
    expect(both.totals.calls).toBe(0)
    for (const rows of ['days', 'calls'] as const) {
      const csv = await (await admin.answer(usageRoutes.export, { query: { ...query, rows } })).text()
      expect(csv).not.toContain(cid.id)
      expect(csv).toContain(ben.id)
    }
  })

  test('groups are made, renamed, listed page by page and removed, and their names are sealed', async () => {
    const { admin, database, add } = await start()
    const made = await add('  Research ')
    expect(made).toMatchObject({ name: 'Research', memberCount: 0 })
    for (const name of ['Design', 'Sales']) await add(name)
    const first = await admin.call(groupsRoutes.groups, { query: { limit: 2 } })
    expect(first.items.map(({ name }) => name)).toEqual(['Research', 'Design'])
    const rest = await admin.call(groupsRoutes.groups, { query: { limit: 2, cursor: first.nextCursor ?? '' } })
    expect(rest).toMatchObject({ items: [{ name: 'Sales' }], nextCursor: null })
    expect(await admin.refusal(groupsRoutes.groups, { query: { cursor: 'nonsense' } })).toMatchObject({
      code: 'bad_cursor',
    })

    expect(
      await admin.call(groupsRoutes.renameGroup, { params: { id: made.id }, body: { name: 'RESEARCH' } }),
    ).toMatchObject({
      name: 'RESEARCH',
    })
    const rows = await database
      .tables<{ account_groups: { name: Uint8Array; name_index: string } }>()
      .selectFrom('account_groups')
      .selectAll()
      .execute()
    for (const row of rows)
      expect(`${Buffer.from(row.name).toString('latin1')} ${row.name_index}`).not.toMatch(/research|design|sales/i)

    expect(await admin.call(groupsRoutes.removeGroup, { params: { id: made.id } })).toEqual({})
    for (const refusal of [
      admin.refusal(groupsRoutes.removeGroup, { params: { id: made.id } }),
      admin.refusal(groupsRoutes.renameGroup, { params: { id: made.id }, body: { name: 'Other' } }),
      admin.refusal(groupsRoutes.members, { params: { id: made.id } }),
    ])
      expect(await refusal).toMatchObject({ status: 404, code: 'group_not_found' })
  })

  test('a name is given once, whatever its capitals, also when many ask at the same time', async () => {
    const { admin, add, accounts } = await start()
    const { id } = await add('Straße')
    expect(await admin.refusal(groupsRoutes.addGroup, { body: { name: 'ｓTRAßE' } })).toMatchObject({
      status: 409,
      code: 'group_exists',
    })
    const other = await add('Other')
    expect(
      await admin.refusal(groupsRoutes.renameGroup, { params: { id: other.id }, body: { name: 'straße' } }),
    ).toMatchObject({ code: 'group_exists' })
    await admin.call(groupsRoutes.renameGroup, { params: { id }, body: { name: 'STRAße' } })
    const asked = await Promise.allSettled(
      Array.from({ length: 8 }, (_, i) => accounts.groups.add(i % 2 ? 'Twins' : 'TWINS')),
    )
    expect(asked.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    for (const answer of asked)
      if (answer.status === 'rejected') expect(answer.reason).toMatchObject({ code: 'group_exists' })
    expect(await admin.refusal(groupsRoutes.addGroup, { body: { name: ' ' } })).toMatchObject({
      code: 'validation_failed',
    })
  })

  test('there can be 500 groups, and no more when the last place is asked for twice', async () => {
    const { accounts, admin } = await start()
    for (let i = 0; i < 499; i++) await accounts.groups.add(`Group ${i}`)
    const asked = await Promise.allSettled([accounts.groups.add('One'), accounts.groups.add('Two')])
    expect(asked.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(await admin.refusal(groupsRoutes.addGroup, { body: { name: 'Three' } })).toMatchObject({
      status: 409,
      code: 'group_limit',
    })
  })

  test('accounts join and leave, and show the groups that they are in', async () => {
    const { admin, add, join, leave, ben, cid, accounts } = await start()
    const design = await add('Design')
    const sales = await add('Sales')
    for (const group of [design, sales, sales]) await join(group.id, ben.id)
    await join(sales.id, cid.id)
    const { items } = await admin.call(userAdministrationRoutes.list, { query: { sort: 'oldest' } })
    expect(items.map(({ username, groups }) => [username, groups.map(({ name }) => name)])).toEqual([
      ['ann', []],
      ['ben', ['Design', 'Sales']],
      ['cid', ['Sales']],
    ])
    const first = await admin.call(groupsRoutes.members, { params: { id: sales.id }, query: { limit: 1 } })
    expect(first.items.map(({ username }) => username)).toEqual(['ben'])
    const query = { limit: 1, cursor: first.nextCursor ?? '' }
    expect(await admin.call(groupsRoutes.members, { params: { id: sales.id }, query })).toMatchObject({
      items: [{ username: 'cid' }],
      nextCursor: null,
    })
    await leave(sales.id, ben.id)
    await leave(sales.id, ben.id)
    const counts = await admin.call(groupsRoutes.groups, {})
    expect(counts.items.map(({ memberCount }) => memberCount)).toEqual([1, 1])
    const nobody = { params: { id: sales.id, accountId: 'nobody' } }
    expect(await admin.refusal(groupsRoutes.addMember, nobody)).toMatchObject({ status: 404, code: 'user_not_found' })
    const nowhere = { params: { id: 'nowhere', accountId: ben.id } }
    for (const route of [groupsRoutes.addMember, groupsRoutes.removeMember])
      expect(await admin.refusal(route, nowhere)).toMatchObject({ status: 404, code: 'group_not_found' })

    const dan = await accounts.createAccount({ username: 'dan', password, status: 'pending' })
    await join(sales.id, dan.id)
    await admin.call(userAdministrationRoutes.reject, { params: { id: dan.id } })
    expect((await admin.call(groupsRoutes.groups, {})).items[1]).toMatchObject({ name: 'Sales', memberCount: 1 })
  })

  test('guests and users are kept out', async () => {
    const { guest, add, ben } = await start()
    const { id } = await add('Design')
    const client = guest.as(ben.id)
    for (const refusal of [
      client.refusal(groupsRoutes.groups, {}),
      client.refusal(groupsRoutes.members, { params: { id } }),
      client.refusal(groupsRoutes.addMember, { params: { id, accountId: ben.id } }),
    ])
      expect(await refusal).toMatchObject({ status: 403, code: 'forbidden' })
    expect(await guest.refusal(groupsRoutes.groups, {})).toMatchObject({ status: 401 })
  })

  test('the budget of a group stops its members together and nobody else', async () => {
    const { admin, guest, add, join, leave, admit, ann, ben, cid } = await start()
    const { id } = await add('Design')
    for (const member of [ben, cid]) await join(id, member.id)
    expect(await admin.call(usageRoutes.addBudget, { body: tokens(id) })).toMatchObject({ principalName: 'Design' })
    await admit(ben.id)
    await expect(admit(cid.id)).rejects.toMatchObject({ kind: 'over_budget' })
    await admit(ann.id)
    const own = async (who: string) => (await guest.as(who).call(usageRoutes.myBudgets, {})).items
    expect(await own(cid.id)).toMatchObject([{ name: 'Team', principalType: 'group', amount: null, spent: null }])
    expect(await own(ann.id)).toEqual([])

    await leave(id, cid.id)
    await admit(cid.id)
    expect(await own(cid.id)).toEqual([])
    await join(id, ann.id)
    await expect(admit(ann.id)).rejects.toMatchObject({ kind: 'over_budget' })
  })

  test('another process hears at once who came and who left', async () => {
    const { database, admin, add, join, leave, ben } = await start()
    const { id } = await add('Design')
    await admin.call(usageRoutes.addBudget, { body: tokens(id, { amount: '10' }) })
    const there = await startProcess(database, 'there')
    await there.admit(ben.id)
    await join(id, ben.id)
    await expect.poll(() => there.accounts.groups.idsOf(ben.id)).toEqual([id])
    await expect(there.admit(ben.id)).rejects.toMatchObject({ kind: 'over_budget' })
    await leave(id, ben.id)
    await expect.poll(() => there.accounts.groups.idsOf(ben.id)).toEqual([])
    await there.admit(ben.id)
    await join(id, ben.id)
    await admin.call(groupsRoutes.removeGroup, { params: { id } })
    await expect.poll(() => there.accounts.groups.idsOf(ben.id)).toEqual([])
    await there.admit(ben.id)
  })

  test('a group that goes takes its budgets along, and there is none for a group that is gone', async () => {
    const { admin, add, join, admit, ben } = await start()
    const { id } = await add('Design')
    const kept = await add('Sales')
    await join(id, ben.id)
    await admin.call(usageRoutes.addBudget, { body: tokens(id, { amount: '10' }) })
    await admin.call(usageRoutes.addBudget, { body: tokens(kept.id, { name: 'Kept' }) })
    await expect(admit(ben.id)).rejects.toMatchObject({ kind: 'over_budget' })
    await admin.call(groupsRoutes.removeGroup, { params: { id } })
    expect((await admin.call(usageRoutes.budgets, {})).items.map(({ name }) => name)).toEqual(['Kept'])
    await admit(ben.id)
    expect(await admin.refusal(usageRoutes.addBudget, { body: tokens(id) })).toMatchObject({
      code: 'validation_failed',
      problem: { errors: [{ path: 'body.principalId', message: 'there is no such group' }] },
    })
    for (let round = 0; round < 5; round++) {
      const group = await add(`Round ${round}`)
      await Promise.allSettled([
        admin.call(usageRoutes.addBudget, { body: tokens(group.id) }),
        admin.call(groupsRoutes.removeGroup, { params: { id: group.id } }),
      ])
    }
    expect((await admin.call(usageRoutes.budgets, {})).items.map(({ name }) => name)).toEqual(['Kept'])
  })
})
