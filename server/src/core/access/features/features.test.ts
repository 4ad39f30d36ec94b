import { randomBytes } from 'node:crypto'
import type { FeatureName } from '@atrium/contract/access'
import { AccessMode, Audience, GroupIds } from '@atrium/contract/common'
import { afterEach, expect, test } from 'vitest'
import { z } from 'zod'
import { createLog } from '../../../platform/log/log.ts'
import { gatherDifferences } from '../../../platform/settings/differences.ts'
import { defineSettings, setting } from '../../../platform/settings/index.ts'
import { openVault } from '../../../platform/vault/vault.ts'
import { createTestAccounts, testAccountMigrations } from '../../../testing/accounts.ts'
import { testClock } from '../../../testing/clock.ts'
import { onBothDatabases } from '../../../testing/databases.ts'
import { savedSettings } from '../../../testing/settings.ts'
import { settingsMigrations } from '../../settings/index.ts'
import { type Features, createFeatures } from './features.ts'
import { modeRule, switchChange, switchRule } from './rules.ts'

const code = defineSettings(
  {
    mode: setting(AccessMode, { default: 'all-users', strictest: 'off', env: 'CODE', about: 'code' }),
    groupIds: setting(GroupIds, { default: [] }),
  },
  { row: 'code' },
)
const links = defineSettings(
  {
    on: setting(z.boolean(), { default: true, env: 'LINKS', about: 'links' }),
    audience: setting(Audience, { default: 'all-users', strictest: 'admins' }),
    groupIds: setting(GroupIds, { default: [] }),
  },
  { row: 'links' },
)

const stops: (() => void)[] = []
afterEach(() => {
  for (const stop of stops.splice(0)) stop()
})

const decide = async (features: Features, name: FeatureName, accountId: string) => {
  const decision = (await features.decideAll(accountId)).find((each) => each.name === name)
  if (!decision) throw new Error('it was not registered')
  return decision
}

onBothDatabases('features', (open) => {
  const clock = testClock()
  const start = async (environment: Record<string, string> = {}) => {
    const database = await open([...testAccountMigrations, ...settingsMigrations])
    const vault = await openVault({ database, instanceKey: randomBytes(32), clock })
    const told: (readonly string[] | 'all')[] = []
    const asked: string[] = []
    /** Whose account cannot be read. */
    const unreadable = new Set<string>()
    const accounts = createTestAccounts({ database, vault, clock })
    const account = async (username: string, role: 'admin' | 'user' = 'user') =>
      (await accounts.createAccount({ username, password: 'a long enough password', role })).id
    /** One process. */
    const open_ = () => {
      const saved = savedSettings({ database, vault, clock }, environment)
      const bound = saved.bind({ code, links })
      const features = createFeatures({
        database,
        log: createLog({ level: 'silent' }),
        groups: accounts.groups,
        async readUser(id) {
          asked.push(id)
          if (unreadable.has(id)) throw new Error('not now')
          return await accounts.user(id)
        },
        administratorIds: accounts.administratorIds,
        announceAll: async () => void told.push('all'),
        announceEach: async (ids) => void told.push([...ids].sort()),
        onAccountChanged: (changed) => accounts.onAccountChanged(changed),
        onSettingsChanged: saved.onChanged,
      })
      features.register({
        name: 'code-interpreter',
        refusal: 'code_interpreter_off',
        async read() {
          const { mode, groupIds } = await bound.code.read()
          return modeRule(mode, groupIds)
        },
        save: async (change) => void (await bound.code.change({ mode: change.mode, groupIds: [...change.groupIds] })),
      })
      features.register({
        name: 'chat-links',
        needs: ['code-interpreter'],
        async read() {
          const { on, audience, groupIds } = await bound.links.read()
          return switchRule(on, audience, groupIds)
        },
        async save({ mode, groupIds }, rule) {
          await bound.links.change({ ...switchChange(mode, rule), groupIds: [...groupIds] })
        },
      })
      stops.push(features.close, saved.close)
      return features
    }
    stops.push(accounts.close)
    const features = open_()
    accounts.groups.onRemoved(features.groupChanged)
    accounts.groups.onMembersChanged(features.groupChanged)
    const [ann, ben, cleo] = [await account('ann', 'admin'), await account('ben'), await account('cleo')]
    const group = await accounts.groups.add('Analysts')
    const may = async (name: FeatureName = 'code-interpreter') =>
      await Promise.all([ann, ben, cleo].map((id) => features.allows(name, id)))
    return { accounts, features, other: open_, told, asked, unreadable, ann, ben, cleo, group, may }
  }

  test('one rule decides for everybody, administrators, groups and nobody, and says why', async () => {
    const { accounts, features, ann, ben, cleo, group, may } = await start()
    await accounts.groups.addMember(group.id, ben)
    const reasons = () =>
      Promise.all([ann, ben, cleo].map(async (id) => (await decide(features, 'code-interpreter', id)).reason))
    expect(await reasons()).toEqual(['everyone', 'everyone', 'everyone'])
    await features.save('code-interpreter', { mode: 'groups', groupIds: [group.id] })
    expect([await may(), await reasons()]).toEqual([
      [true, true, false],
      ['administrator', 'group', 'no-group'],
    ])
    expect(await decide(features, 'code-interpreter', ben)).toMatchObject({
      groups: [{ id: group.id, name: 'Analysts' }],
    })
    // What needs another feature goes with it.
    expect(await decide(features, 'chat-links', cleo)).toMatchObject({
      reason: 'needs-other',
      needs: ['code-interpreter'],
    })
    await features.save('code-interpreter', { mode: 'admins' })
    expect(await may()).toEqual([true, false, false])
    await features.save('code-interpreter', { mode: 'off' })
    expect([await may(), await reasons()]).toEqual([
      [false, false, false],
      ['off', 'off', 'off'],
    ])
    // The groups that were chosen are kept for the next time.
    expect(await features.save('code-interpreter', { mode: 'groups' })).toMatchObject({ groupIds: [group.id] })
    expect(await decide(features, 'code-interpreter', 'nobody')).toMatchObject({ reason: 'inactive-account' })
  })

  test('whoever loses a feature loses what runs with it, in every process, and those concerned are told', async () => {
    const { accounts, features, other, told, ben, cleo, group } = await start()
    const there = other()
    for (const id of [ben, cleo]) await accounts.groups.addMember(group.id, id)
    await features.save('code-interpreter', { mode: 'groups', groupIds: [group.id] })
    expect(told).toEqual(['all'])
    const [his, hers] = [ben, cleo].map((id) => there.watch('code-interpreter', id))
    const begun = Promise.withResolvers<void>()
    const run = there.whileAllowed('code-interpreter', ben, undefined, (signal) => {
      begun.resolve()
      return new Promise((resolve) => signal.addEventListener('abort', resolve))
    })
    await begun.promise
    await Promise.all([
      expect(run).rejects.toMatchObject({ code: 'code_interpreter_off' }),
      accounts.groups.removeMember(group.id, ben),
    ])
    expect([his?.signal.aborted, hers?.signal.aborted]).toEqual([true, false])
    expect(told.at(-1)).toEqual([ben])
    // Of a group that is gone nobody has it: no rule becomes wider.
    await accounts.groups.remove(group.id)
    await expect.poll(() => hers?.signal.aborted).toBe(true)
    expect(told.at(-1)).toEqual([cleo])
    expect(await there.rule('code-interpreter')).toMatchObject({ mode: 'groups', groupIds: [] })
    await expect(there.require('code-interpreter', cleo)).rejects.toMatchObject({ code: 'code_interpreter_off' })
  })

  test('what could not be decided is looked at again, and nobody else keeps what they lost meanwhile', async () => {
    const { accounts, features, asked, unreadable, ben, cleo, group } = await start()
    for (const id of [ben, cleo]) await accounts.groups.addMember(group.id, id)
    await features.save('code-interpreter', { mode: 'groups', groupIds: [group.id] })
    const [his, hers] = [ben, cleo].map((id) => features.watch('code-interpreter', id))
    unreadable.add(ben)
    await accounts.groups.remove(group.id)
    await expect.poll(() => hers?.signal.aborted).toBe(true)
    expect(his?.signal.aborted).toBe(false)
    unreadable.clear()
    await expect.poll(() => his?.signal.aborted).toBe(true)
    // What is off is off for everybody: nobody's account is read for it.
    await features.save('code-interpreter', { mode: 'off' })
    for (const watch of [his, hers]) watch?.end()
    asked.length = 0
    expect([await features.allows('code-interpreter', ben), asked]).toEqual([false, []])
  })

  test('a change from one group to another tells their members and administrators, and nothing outdated is saved', async () => {
    const { accounts, features, told, ann, ben, cleo, group } = await start()
    const others = await accounts.groups.add('Writers')
    await accounts.groups.addMember(group.id, ben)
    await accounts.groups.addMember(others.id, cleo)
    await features.save('code-interpreter', { mode: 'groups', groupIds: [group.id] })
    await features.save('code-interpreter', { mode: 'groups', groupIds: [others.id] })
    expect(told.at(-1)).toEqual([ann, ben, cleo].sort())
    // Whoever still sees the first group does not give it back with another one.
    const stale = { mode: 'groups' as const, groupIds: [group.id] }
    const both = { mode: 'groups' as const, groupIds: [group.id, others.id] }
    await expect(features.save('code-interpreter', { ...both, before: stale })).rejects.toMatchObject({
      code: 'conflict',
      current: { mode: 'groups', groupIds: [others.id] },
    })
    const changes: string[] = []
    const latest = { mode: 'groups' as const, groupIds: [others.id] }
    await gatherDifferences(changes, () => features.save('code-interpreter', { ...stale, before: latest }))
    expect(changes).toEqual([`groups added: ${group.id}`, `groups removed: ${others.id}`])
    await expect(features.save('code-interpreter', { mode: 'groups', groupIds: ['none'] })).rejects.toMatchObject({
      code: 'group_not_found',
    })
  })

  test('what the environment fixes stays, and an audience can be chosen where it only says that there is one', async () => {
    const { accounts, features, may, ben, group } = await start({ CODE: 'all-users', LINKS: 'true' })
    await accounts.groups.addMember(group.id, ben)
    const locked = { code: 'setting_locked' }
    await expect(features.save('code-interpreter', { mode: 'off' })).rejects.toMatchObject(locked)
    await expect(features.save('chat-links', { mode: 'off' })).rejects.toMatchObject(locked)
    expect(await features.save('chat-links', { mode: 'groups', groupIds: [group.id] })).toMatchObject({
      modes: ['admins', 'groups', 'all-users'],
      variable: 'LINKS',
    })
    expect([await may(), await may('chat-links')]).toEqual([
      [true, true, true],
      [true, true, false],
    ])
  })
})
