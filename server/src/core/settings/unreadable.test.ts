import { randomBytes } from 'node:crypto'
import { settingsRoutes as routes } from '@atrium/contract/settings'
import { afterEach, expect, test } from 'vitest'
import { z } from 'zod'
import type { Log } from '../../platform/log/log.ts'
import { logUnreadableRows } from '../../platform/stored-json.ts'
import type { Environment } from '../../platform/settings/index.ts'
import { openVault } from '../../platform/vault/vault.ts'
import { testAccountMigrations } from '../../testing/accounts.ts'
import { testClock } from '../../testing/clock.ts'
import { withDatabase } from '../../testing/databases.ts'
import { serveAreas } from '../../testing/serve.ts'
import { savedSettings } from '../../testing/settings.ts'
import { createSettings, settingsMigrations, instanceSettings } from './index.ts'
import type { SettingsTables } from './tables.ts'

const noSeal = Buffer.from('no seal at all, but long enough to be one')
const stops: (() => Promise<void> | void)[] = []
afterEach(async () => {
  logUnreadableRows(null)
  for (const stop of stops.splice(0).reverse()) await stop()
})

withDatabase('saved settings that cannot be read', (open) => {
  const clock = testClock()
  const start = async (environment: Environment = {}) => {
    const database = await open([...testAccountMigrations, ...settingsMigrations])
    const vault = await openVault({ database, instanceKey: randomBytes(32), clock })
    const keyring = await vault.keyring(null)
    const table = database.tables<SettingsTables>()
    const store = (name: string, json: string | null) =>
      table
        .insertInto('instance_settings')
        .values({
          name,
          value: json === null ? noSeal : keyring.seal('instance_settings.value', name, json),
          updated_at: 1,
        })
        .execute()
    const begin = async () => {
      const saved = savedSettings({ database, vault, clock }, environment)
      const settings = createSettings({
        database,
        vault,
        clock,
        saved,
        ...saved.bind(instanceSettings),
        announce: async () => undefined,
        announceAll: async () => undefined,
      })
      const person = { accountId: 'ann', sessionId: 's', role: 'admin', via: 'bearer', token: null } as const
      const served = await serveAreas({ areas: [settings.area], clock, authenticate: async () => person })
      stops.push(
        () => served.stop(),
        () => settings.close(),
      )
      return { saved, settings, ann: served.guest.as('ann') }
    }
    return { store, begin }
  }

  test('stand as such, the strictest value holds, every other works, and they can be saved anew', async () => {
    const { store, begin } = await start()
    await store('signupEnabled', '"perhaps"')
    await store('privateAddresses', null)
    await store('voiceInput', '{"voice":')
    await store('localRuntime', '{"enabled":true,"baseUrl":"http://runtime.example:11434"}')
    const { settings, ann } = await begin()
    const instance = await ann.call(routes.instance, {})
    expect(instance).toMatchObject({
      signupEnabled: { value: false, source: 'unreadable' },
      privateAddresses: { value: [], source: 'unreadable' },
      voiceInput: { value: 'off', source: 'unreadable' },
      localRuntime: { value: { enabled: true }, source: 'saved' },
      unreadable: ['signupEnabled', 'privateAddresses', 'voiceInput'],
    })
    expect(await settings.allowedAddresses()).toEqual(new Set(['runtime.example:11434']))
    const body = { signupEnabled: true, privateAddresses: ['10.0.0.1:80'], voiceInput: 'admins' } as const
    const saved = await ann.call(routes.updateInstance, { body: { ...body, privateAddresses: ['10.0.0.1:80'] } })
    expect([saved.unreadable, saved.signupEnabled]).toEqual([[], { value: true, source: 'saved', variable: null }])
  })

  test('yield to the environment', async () => {
    const { store, begin } = await start({ ENABLE_SIGNUP: 'true' })
    await store('signupEnabled', null)
    const { ann } = await begin()
    expect(await ann.call(routes.instance, {})).toMatchObject({
      signupEnabled: { value: true, source: 'environment' },
      unreadable: [],
    })
  })

  test('of another area: its strict value holds, the log says it once, and saving it mends it', async () => {
    const told: unknown[] = []
    logUnreadableRows({ warn: (...words: unknown[]) => void told.push(words) } as Pick<Log, 'warn'>)
    const { store, begin } = await start()
    const form = z.object({ mode: z.enum(['optional', 'required']).default('optional') })
    await store('sealed', null)
    await store('formed', '{"mode":7}')
    const { saved, ann } = await begin()
    const sealed = saved.document('sealed', form, { mode: 'required' })
    const formed = saved.document('formed', form)
    for (let i = 0; i < 3; i++)
      expect([await sealed.read(), await formed.read()]).toEqual([{ mode: 'required' }, { mode: 'optional' }])
    expect(told).toHaveLength(2)
    expect((await ann.call(routes.instance, {})).unreadable).toEqual(['sealed', 'formed'])
    await expect(sealed.change(() => ({ mode: 'never' as 'optional' }))).rejects.toThrow('mode')
    await sealed.change(() => ({ mode: 'optional' }))
    expect(await sealed.read()).toEqual({ mode: 'optional' })
    expect((await ann.call(routes.instance, {})).unreadable).toEqual(['formed'])
  })
})
