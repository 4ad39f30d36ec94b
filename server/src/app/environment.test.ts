/** What the version before wrote into its rows is read as it was. */
import { expect, test } from 'vitest'
import { randomBytes } from 'node:crypto'
import { accountSettings } from '../core/accounts/index.ts'
import { mailSettings } from '../core/mail/index.ts'
import { instanceSettings } from '../core/settings/index.ts'
import { auditSettings } from '../features/audit/index.ts'
import { chatSettings } from '../features/chat/index.ts'
import { webSearchSettings } from '../features/web-search/index.ts'
import { openVault } from '../platform/vault/vault.ts'
import { testClock } from '../testing/clock.ts'
import { withDatabase } from '../testing/databases.ts'
import { savedSettings } from '../testing/settings.ts'
import { migrations } from './areas.ts'

const rows = {
  signupEnabled: true,
  privateAddresses: ['gpu-box:8000'],
  voiceInput: 'admins',
  localRuntime: { enabled: true, baseUrl: 'http://gpu-box:11434' },
  'session-policy': { lifetimeDays: 9 },
  'second-factor': { mode: 'required' },
  audit: { retentionDays: null },
  mail: { enabled: true, host: 'mail.example.org', port: 2525, password: 'sesame', from: 'a@example.org' },
  'web-search': {
    enabled: null,
    engine: 'brave',
    url: '',
    keys: { brave: 'key' },
    json: { resultsPath: 'items' },
    access: 'all-users',
    maxResults: 8,
    safeSearch: false,
    readPages: true,
    allowedDomains: [],
    blockedDomains: ['example.com'],
  },
}
const compaction = { enabled: true, thresholdTokens: 9000, keepRecentMessages: 4, model: null, prompt: 'Shortly.' }

const declared = {
  ...instanceSettings,
  ...accountSettings,
  ...mailSettings,
  ...auditSettings,
  ...webSearchSettings,
  ...chatSettings,
}

interface Tables {
  instance_settings: { name: string; value: Uint8Array; updated_at: number }
  chat_config: { id: string; value: Uint8Array }
}

withDatabase('saved settings of the version before', (open) => {
  test('are read as they were', async () => {
    const clock = testClock()
    const database = await open(migrations)
    const vault = await openVault({ database, instanceKey: randomBytes(32), clock })
    const keyring = await vault.keyring(null)
    for (const [name, row] of Object.entries(rows)) {
      const value = keyring.seal('instance_settings.value', name, JSON.stringify(row))
      await database.tables<Tables>().insertInto('instance_settings').values({ name, value, updated_at: 1 }).execute()
    }
    const value = keyring.seal('chat_config.value', 'compaction', JSON.stringify(compaction))
    await database.tables<Tables>().insertInto('chat_config').values({ id: 'compaction', value }).execute()

    const saved = savedSettings({ database, vault, clock })
    const { signupEnabled, privateAddresses, voiceInput, localRuntime } = rows
    const { instance, sessions, secondFactor, audit, mail, search, compaction: summaries } = saved.bind(declared)
    expect(await instance.values()).toEqual({
      signupEnabled,
      privateAddresses,
      voiceInput,
      localRuntime,
      // These came later.
      voiceOutput: 'all-users',
      voiceMode: 'all-users',
      chatLinks: false,
      artifactLinks: false,
      artifactLinkAudience: 'all-users',
      artifactLinkGroups: [],
      chatLinkAudience: 'all-users',
      chatLinkGroups: [],
      voiceInputGroups: [],
      voiceOutputGroups: [],
      voiceModeGroups: [],
      defaultTheme: { mode: 'system', accent: 'verdigris' },
      storageQuotaBytes: 10_000_000_000,
    })
    expect(await sessions.values()).toEqual({ lifetimeDays: 9, idleHours: 336 })
    expect(await secondFactor.values()).toEqual({ mode: 'required' })
    expect((await audit.read()).retentionDays).toMatchObject({ value: 180, source: 'default' })
    expect(await mail.values()).toMatchObject({ ...rows.mail, security: 'starttls', username: '', appUrl: '' })
    expect((await mail.read()).security.source).toBe('default')
    const { json: _, ...searchRow } = rows['web-search']
    expect(await search.values()).toMatchObject(searchRow)
    expect(await summaries.values()).toEqual(compaction)
    expect(await saved.unreadable()).toEqual([])

    await summaries.change({ thresholdTokens: 7000 })
    await mail.change({ port: 465 })
    const read = savedSettings({ database, vault, clock }).bind(declared)
    expect(await read.compaction.values()).toEqual({ ...compaction, thresholdTokens: 7000 })
    expect(await read.mail.values()).toMatchObject({ ...rows.mail, port: 465 })
  })
})
