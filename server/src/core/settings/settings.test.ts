import { randomBytes } from 'node:crypto'
import { Preferences, settingsRoutes as routes } from '@atrium/contract/settings'
import type { AccountEvent } from '@atrium/contract/system'
import { afterEach, expect, test } from 'vitest'
import { createLog } from '../../platform/log/log.ts'
import type { Platform } from '../../platform/platform.ts'
import type { Environment } from '../../platform/settings/index.ts'
import { openVault } from '../../platform/vault/vault.ts'
import { createTestAccounts, testAccountMigrations } from '../../testing/accounts.ts'
import { authenticateById } from '../../testing/authenticate.ts'
import { testClock } from '../../testing/clock.ts'
import { withDatabase } from '../../testing/databases.ts'
import { serveAreas } from '../../testing/serve.ts'
import { savedSettings } from '../../testing/settings.ts'
import { createSettings, settingsMigrations, instanceSettings } from './index.ts'

const clock = testClock()
const stops: (() => Promise<void> | void)[] = []
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop()
})

withDatabase('settings', (open) => {
  const fresh = async () => {
    const database = await open([...testAccountMigrations, ...settingsMigrations])
    return { database, vault: await openVault({ database, instanceKey: randomBytes(32), clock }) }
  }
  /** One process, with Ann, an administrator, and Ben. The token is the account's id. */
  const start = async (harness: Pick<Platform, 'database' | 'vault'>, environment: Environment = {}) => {
    const events: [string, AccountEvent][] = []
    const saved = savedSettings({ ...harness, clock }, environment)
    const settings = createSettings({
      ...harness,
      clock,
      saved,
      ...saved.bind(instanceSettings),
      announce: async (accountId, event) => void events.push([accountId, event]),
      announceAll: async (event) => void events.push(['*', event]),
    })
    const served = await serveAreas({
      areas: [settings.area],
      clock,
      authenticate: authenticateById(),
    })
    stops.push(async () => {
      await served.stop()
      settings.close()
    })
    return { settings, events, ann: served.guest.as('ann'), ben: served.guest.as('ben'), guest: served.guest }
  }
  const settled = async (environment: Environment = {}) => {
    const harness = await fresh()
    const ids = ['ann', 'ben']
    const accounts = createTestAccounts({
      ...harness,
      version: '',
      log: createLog({ level: 'silent' }),
      clock: { now: clock.now, id: () => ids.shift() ?? clock.id() },
      signupEnabled: async () => false,
      announce: async () => undefined,
    })
    await accounts.createAccount({ username: 'ann', password: 'x', role: 'admin' })
    await accounts.createAccount({ username: 'ben', password: 'x' })
    accounts.close()
    return { ...harness, ...(await start(harness, environment)) }
  }

  test('each account has preferences of its own, with defaults filled in', async () => {
    const { ann, ben, guest, events, settings } = await settled()
    expect(await ann.call(routes.read, {})).toEqual(Preferences.parse({}))
    const changed = await ann.call(routes.update, { body: { theme: { mode: 'dark' }, systemMessage: 'Be brief.' } })
    expect(changed).toEqual({
      ...Preferences.parse({}),
      theme: { mode: 'dark', accent: 'verdigris' },
      systemMessage: 'Be brief.',
    })
    expect(await ann.call(routes.read, {})).toEqual(changed)
    expect(await settings.preferencesOf('ann')).toEqual(changed)
    expect(await ben.call(routes.read, {})).toEqual(Preferences.parse({}))
    expect(events).toEqual([['ann', { type: 'preferences-changed', data: {} }]])
    expect(await guest.refusal(routes.read, {})).toMatchObject({ code: 'unauthenticated' })
  })

  test('whoever chose no theme has that of the instance, which administrators set', async () => {
    const { ann, ben, settings, events } = await settled()
    await ben.call(routes.update, { body: { theme: { accent: 'rose' } } })
    events.length = 0
    expect(await ann.call(routes.updateDefaultTheme, { body: { theme: { mode: 'dark', accent: 'ochre' } } })).toEqual({
      theme: { mode: 'dark', accent: 'ochre' },
    })
    expect(events).toEqual([['*', { type: 'preferences-changed', data: {} }]])
    await ann.call(routes.updateInstance, { body: { defaultTheme: { mode: 'light' } } })
    const theme = { mode: 'light', accent: 'ochre' } as const
    expect(await ann.call(routes.defaultTheme, {})).toEqual({ theme })
    expect(await settings.defaultTheme()).toEqual(theme)
    expect((await ann.call(routes.read, {})).theme).toEqual(theme)
    expect((await ben.call(routes.read, {})).theme).toEqual({ mode: 'light', accent: 'rose' })
    expect((await ann.call(routes.instance, {})).defaultTheme).toMatchObject({ value: theme, source: 'saved' })
    expect(await ben.refusal(routes.defaultTheme, {})).toMatchObject({ code: 'forbidden' })
    expect(await ben.refusal(routes.updateDefaultTheme, { body: { theme } })).toMatchObject({ code: 'forbidden' })
  })

  test('one preference at a time can be set, and options taken back', async () => {
    const { ann } = await settled()
    const local = { providerType: 'local', providerId: null, model: 'm' }
    expect((await ann.call(routes.updateDefaultModel, { body: { model: 'm' } })).defaultModel).toEqual(local)
    const cloud = { providerId: 'cloud', model: 'big' }
    expect((await ann.call(routes.updateDefaultModel, { body: cloud })).defaultModel).toEqual({
      ...cloud,
      providerType: 'plugin',
    })
    expect((await ann.call(routes.updateSystemMessage, { body: { message: 'Short.' } })).systemMessage).toBe('Short.')
    await ann.call(routes.updateGenerationOptions, { body: { temperature: 0.5, top_k: 4 } })
    const { generationOptions } = await ann.call(routes.updateGenerationOptions, { body: { top_k: 5 } })
    expect(generationOptions).toEqual({ temperature: 0.5, top_k: 5 })
    const own = { ...cloud, options: { temperature: 0 } }
    expect((await ann.call(routes.updateModelGenerationOptions, { body: own })).modelGenerationOptions).toEqual({
      'plugin:cloud:big': { temperature: 0 },
    })
    const reset = await ann.call(routes.resetGenerationOptions, {})
    expect([reset.generationOptions, reset.modelGenerationOptions]).toEqual([
      {},
      { 'plugin:cloud:big': { temperature: 0 } },
    ])
    const none = await ann.call(routes.updateModelGenerationOptions, { body: { ...cloud, options: {} } })
    expect(none.modelGenerationOptions).toEqual({})
  })

  test('one preference at a time refuses what the whole refuses', async () => {
    const { ann } = await settled()
    const wrong = { model: 'm', providerType: 'plugin' } as const
    expect(await ann.refusal(routes.updateDefaultModel, { body: wrong })).toMatchObject({
      problem: { code: 'validation_failed', errors: [{ path: 'body.providerId' }] },
    })
    expect(await ann.refusal(routes.updateSystemMessage, { body: {} as never })).toMatchObject({ status: 400 })
    expect(await ann.refusal(routes.updateGenerationOptions, { body: { top_p: 3 } })).toMatchObject({ status: 400 })
    expect(await ann.refusal(routes.update, { body: { timeZone: 'Mars/Olympus' } })).toMatchObject({
      problem: { errors: [{ path: 'body.timeZone' }] },
    })
    const many = Object.fromEntries(Array.from({ length: 200 }, (_, i) => [`local::m${i}`, { seed: i }]))
    await ann.call(routes.update, { body: { modelGenerationOptions: many } })
    const more = { model: 'one more', options: { seed: 1 } }
    expect(await ann.refusal(routes.updateModelGenerationOptions, { body: more })).toMatchObject({ code: 'too_large' })
    expect(await ann.call(routes.read, {})).toEqual({ ...Preferences.parse({}), modelGenerationOptions: many })
  })

  test('two pages that change different members at the same time undo nothing', async () => {
    const { ann } = await settled()
    await Promise.all([
      ...(['sidebarWidth', 'paneWidth'] as const).map((name) =>
        ann.call(routes.update, { body: { layout: { [name]: 400 } } }),
      ),
      ann.call(routes.update, { body: { language: 'ar' } }),
      ann.call(routes.update, { body: { density: 'roomy' } }),
      ...Array.from({ length: 10 }, (_, i) => ann.call(routes.update, { body: { recentModels: [`m${i}`] } })),
    ])
    expect(await ann.call(routes.read, {})).toMatchObject({
      language: 'ar',
      density: 'roomy',
      layout: { sidebarWidth: 400, paneWidth: 400, sidebarOpen: true },
    })
  })

  test('unknown members and values out of range are refused by name, and change nothing', async () => {
    const { ann } = await settled()
    for (const [body, path] of [
      [{ colour: 'red' }, 'body.colour'],
      [{ theme: { mode: 'sepia' } }, 'body.theme.mode'],
      [{ layout: { sidebarWidth: 10_000 } }, 'body.layout.sidebarWidth'],
      [{ generationOptions: { temperature: 9 } }, 'body.generationOptions.temperature'],
      [{ defaultModel: { providerType: 'local', providerId: 'x', model: 'm' } }, 'body.defaultModel.providerId'],
    ] as const) {
      const { problem } = await ann.refusal(routes.update, { body: body as never })
      expect(problem).toMatchObject({ code: 'validation_failed', errors: [{ path }] })
    }
    const many = Object.fromEntries(Array.from({ length: 8000 }, (_, i) => [`action-${i}`.padEnd(60, 'x'), 'Mod+K']))
    expect(await ann.refusal(routes.update, { body: { shortcuts: many } })).toMatchObject({
      status: 413,
      code: 'too_large',
    })
    expect(await ann.call(routes.read, {})).toEqual(Preferences.parse({}))
  })

  test('nothing of the preferences or settings stands in plain in the database', async () => {
    const { ann, database } = await settled()
    await ann.call(routes.update, { body: { systemMessage: 'planted words' } })
    await ann.call(routes.updateInstance, { body: { privateAddresses: ['planted.internal:80'] } })
    const tables = database.tables<Record<string, Record<string, unknown>>>()
    const rows = [
      ...(await tables.selectFrom('preferences').selectAll().execute()),
      ...(await tables.selectFrom('instance_settings').selectAll().execute()),
    ]
    expect(rows).toHaveLength(2)
    for (const row of rows)
      for (const value of Object.values(row)) {
        expect(value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : String(value)).not.toContain(
          'planted',
        )
      }
  })

  test('preferences go with their account', async () => {
    const { ben, database } = await settled()
    await ben.call(routes.update, { body: { language: 'ar' } })
    const tables = database.tables<Record<string, Record<string, unknown>>>()
    await tables.deleteFrom('accounts').where('id', '=', 'ben').execute()
    expect(await tables.selectFrom('preferences').selectAll().execute()).toEqual([])
  })

  test('only administrators see and change the settings of the instance', async () => {
    const { ann, ben, settings } = await settled()
    const free = { source: 'default', variable: null }
    expect(await ann.call(routes.instance, {})).toEqual({
      signupEnabled: { value: false, ...free },
      defaultTheme: { value: { mode: 'system', accent: 'verdigris' }, ...free },
      privateAddresses: { value: [], ...free },
      voiceInput: { value: 'all-users', ...free },
      voiceOutput: { value: 'all-users', ...free },
      voiceMode: { value: 'all-users', ...free },
      chatLinks: { value: false, ...free },
      artifactLinks: { value: false, ...free },
      artifactLinkAudience: { value: 'all-users', ...free },
      artifactLinkGroups: { value: [], ...free },
      chatLinkAudience: { value: 'all-users', ...free },
      chatLinkGroups: { value: [], ...free },
      voiceInputGroups: { value: [], ...free },
      voiceOutputGroups: { value: [], ...free },
      voiceModeGroups: { value: [], ...free },
      storageQuotaBytes: { value: 10_000_000_000, ...free },
      localRuntime: { value: { enabled: false, baseUrl: 'http://localhost:11434' }, ...free },
      unreadable: [],
    })
    expect(await ben.refusal(routes.instance, {})).toMatchObject({ status: 403, code: 'forbidden' })
    expect(await ben.refusal(routes.updateInstance, { body: { signupEnabled: true } })).toMatchObject({
      code: 'forbidden',
    })
    expect(await settings.signupEnabled()).toBe(false)
    expect(await ann.call(routes.updateInstance, { body: { signupEnabled: true } })).toMatchObject({
      signupEnabled: { value: true, source: 'saved', variable: null },
    })
    expect(await settings.signupEnabled()).toBe(true)
  })

  test('the environment wins over what was saved, and locks', async () => {
    const harness = await settled()
    await harness.ann.call(routes.updateInstance, { body: { signupEnabled: false, privateAddresses: ['saved:80'] } })
    const { ann, settings } = await start(harness, {
      ENABLE_SIGNUP: 'true',
      OUTBOUND_ALLOW: 'fixed.internal:8080',
      OLLAMA_BASE_URL: 'http://127.0.0.1:11434',
    })
    expect(await ann.call(routes.instance, {})).toEqual({
      signupEnabled: { value: true, source: 'environment', variable: 'ENABLE_SIGNUP' },
      privateAddresses: { value: ['fixed.internal:8080'], source: 'environment', variable: 'OUTBOUND_ALLOW' },
      localRuntime: {
        value: { enabled: true, baseUrl: 'http://127.0.0.1:11434' },
        source: 'environment',
        variable: 'OLLAMA_BASE_URL',
      },
      voiceInput: { value: 'all-users', source: 'default', variable: null },
      voiceOutput: { value: 'all-users', source: 'default', variable: null },
      voiceMode: { value: 'all-users', source: 'default', variable: null },
      chatLinks: { value: false, source: 'default', variable: null },
      artifactLinks: { value: false, source: 'default', variable: null },
      artifactLinkAudience: { value: 'all-users', source: 'default', variable: null },
      artifactLinkGroups: { value: [], source: 'default', variable: null },
      chatLinkAudience: { value: 'all-users', source: 'default', variable: null },
      chatLinkGroups: { value: [], source: 'default', variable: null },
      voiceInputGroups: { value: [], source: 'default', variable: null },
      voiceOutputGroups: { value: [], source: 'default', variable: null },
      voiceModeGroups: { value: [], source: 'default', variable: null },
      defaultTheme: { value: { mode: 'system', accent: 'verdigris' }, source: 'default', variable: null },
      storageQuotaBytes: { value: 10_000_000_000, source: 'default', variable: null },
      unreadable: [],
    })
    for (const body of [{ signupEnabled: false }, { privateAddresses: [] }]) {
      const { problem } = await ann.refusal(routes.updateInstance, { body })
      expect(problem).toMatchObject({
        status: 409,
        code: 'setting_locked',
        detail: expect.stringMatching(/ENABLE_SIGNUP|OUTBOUND_ALLOW/),
      })
    }
    await expect(settings.setLocalRuntime({ enabled: false, baseUrl: 'http://x:1' })).rejects.toMatchObject({
      code: 'setting_locked',
    })
    expect([...(await settings.allowedAddresses())].sort()).toEqual(['127.0.0.1:11434', 'fixed.internal:8080'])
  })

  test('allowed addresses are the list and the local runtime while it is enabled, in plain form', async () => {
    const { ann, settings } = await settled()
    await ann.call(routes.updateInstance, {
      body: { privateAddresses: ['GPU-Box:8000', 'gpu-box:8000', '[0:0::1]:99'] },
    })
    expect([...(await settings.allowedAddresses())]).toEqual(['gpu-box:8000', '[::1]:99'])
    await settings.setLocalRuntime({ enabled: true, baseUrl: 'http://localhost:11434/' })
    expect((await settings.allowedAddresses()).has('localhost:11434')).toBe(true)
    await settings.setLocalRuntime({ enabled: false, baseUrl: 'http://localhost:11434/' })
    expect((await settings.allowedAddresses()).has('localhost:11434')).toBe(false)
  })

  test('addresses that can never be called are refused by name', async () => {
    const { ann } = await settled()
    for (const entry of [
      '169.254.169.254:80',
      '[fe80::1]:80',
      '0.0.0.0:80',
      'host:0',
      'host:99999',
      'host',
      'http://host:80',
      'a b:80',
    ]) {
      const { problem } = await ann.refusal(routes.updateInstance, { body: { privateAddresses: ['fine:80', entry] } })
      expect(problem).toMatchObject({ code: 'validation_failed', errors: [{ path: 'body.privateAddresses.1' }] })
    }
    expect((await ann.call(routes.instance, {})).privateAddresses.value).toEqual([])
  })

  test('a change is known in every process, and told to listeners', async () => {
    const harness = await settled()
    const there = await start(harness)
    expect(await there.settings.signupEnabled()).toBe(false)
    const heard: string[] = []
    there.settings.onInstanceChanged(() => heard.push('there'))
    harness.settings.onInstanceChanged(() => heard.push('here'))
    await harness.ann.call(routes.updateInstance, { body: { signupEnabled: true } })
    await expect.poll(() => there.settings.signupEnabled()).toBe(true)
    await expect.poll(() => new Set(heard)).toEqual(new Set(['here', 'there']))
  })

  test('one address can be allowed inside another step, and is undone with it', async () => {
    const { settings, database } = await settled()
    const before = await settings.allowAddress('GPU-box:8000')
    await expect(
      database.write(async (trx) => {
        await before.write(trx)
        throw new Error('the step failed')
      }),
    ).rejects.toThrow('the step failed')
    expect(await settings.allowedAddresses()).toEqual(new Set())
    const allowance = await settings.allowAddress('GPU-box:8000')
    await database.write((trx) => allowance.write(trx))
    await allowance.written()
    expect(await settings.allowedAddresses()).toEqual(new Set(['gpu-box:8000']))
    await expect(settings.allowAddress('169.254.169.254:80')).rejects.toMatchObject({ code: 'validation_failed' })
  })
})
