import { expect, test } from 'vitest'
import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import { testClock } from '../../testing/clock.ts'
import { withDatabase } from '../../testing/databases.ts'
import { testAccountMigrations } from '../../testing/accounts.ts'
import { savedSettings } from '../../testing/settings.ts'
import { settingsMigrations } from '../../core/settings/index.ts'
import type { Database } from '../db/types.ts'
import { openVault } from '../vault/vault.ts'
import { type Environment, problemsIn, variablesOf } from './index.ts'
import { defineSettings, setting } from './setting.ts'

const level = z.enum(['low', 'high'])
const group = defineSettings(
  {
    days: setting(z.number().int().min(1).max(90), { default: 30, env: 'DAYS', about: 'how many days' }),
    level: setting(level, { default: 'low', strictest: 'high', env: 'LEVEL', about: 'how much' }),
    word: setting(z.string(), { default: '', secret: true, env: 'WORD', needs: ['DAYS'], about: 'the word' }),
    shown: setting(z.boolean(), { default: null }),
  },
  { row: 'notes' },
)

withDatabase('settings', (open) => {
  const settled = async () => {
    const database = await open([...testAccountMigrations, ...settingsMigrations])
    const deps = {
      database,
      clock: testClock(),
      vault: await openVault({ database, instanceKey: randomBytes(32), clock: testClock() }),
    }
    const row = async (json: string) => {
      const value = (await deps.vault.keyring(null)).seal('instance_settings.value', 'notes', json)
      await database
        .tables<{ instance_settings: { name: string; value: Uint8Array; updated_at: number } }>()
        .insertInto('instance_settings')
        .values({ name: 'notes', value, updated_at: 1 })
        .execute()
    }
    /** One process. */
    const start = (environment: Environment = {}, own: Partial<Database> = {}) => {
      const saved = savedSettings({ ...deps, database: { ...database, ...own } }, environment)
      return { saved, notes: saved.bind({ group }).group }
    }
    return { start, row }
  }

  test('another process knows of a change although the one that made it says nothing more', async () => {
    const { start } = await settled()
    const [here, there] = [start({}, { notify: () => Promise.reject(new Error('gone')) }), start()]
    expect((await there.notes.values()).days).toBe(30)
    await here.notes.change({ days: 40 })
    expect((await here.notes.values()).days).toBe(40)
    await expect.poll(async () => (await there.notes.values()).days).toBe(40)
  })

  test('the environment stands over what was saved, and that over the default', async () => {
    const { start } = await settled()
    const { notes } = start()
    expect(await notes.read()).toMatchObject({
      days: { value: 30, source: 'default', variable: null },
      shown: { value: null, source: 'default' },
    })
    await notes.change({ days: 40, shown: true })
    const fixed = start({ DAYS: ' 7 ', LEVEL: 'HIGH' })
    expect(await fixed.notes.read()).toMatchObject({
      days: { value: 7, source: 'environment', variable: 'DAYS' },
      level: { value: 'high', source: 'environment', variable: 'LEVEL' },
      shown: { value: true, source: 'saved' },
    })
    for (const change of [{ days: 8 }, () => ({ days: 8 }), { shown: false, days: null }])
      await expect(fixed.notes.change(change)).rejects.toMatchObject({
        code: 'setting_locked',
        message: expect.stringContaining('DAYS'),
      })
    expect((await notes.read()).days).toMatchObject({ value: 40, source: 'saved' })
    expect((await notes.change({ days: null })).days).toMatchObject({ value: 30, source: 'default' })
  })

  test('another process hears of a change, and one that is refused leaves nothing', async () => {
    const { start } = await settled()
    const [first, second] = [start(), start()]
    await second.notes.read()
    let heard = 0
    second.saved.onChanged(() => (heard += 1))
    await first.notes.change({ days: 50 })
    await expect.poll(async () => (await second.notes.values()).days).toBe(50)
    expect(heard).toBe(1)
    const refuse = () => {
      throw new Error('no')
    }
    await expect(first.notes.change({ days: 60 }, refuse)).rejects.toThrow('no')
    await expect(first.notes.change({ days: 600 })).rejects.toThrow()
    expect((await first.notes.values()).days).toBe(50)
  })

  test('a row that cannot be read takes the strictest values, and keeps them when it is saved anew', async () => {
    const { start, row } = await settled()
    await row('{"days":"many"}')
    const { saved, notes } = start()
    expect(await notes.read()).toMatchObject({
      days: { value: 30, source: 'unreadable' },
      level: { value: 'high', source: 'unreadable' },
    })
    expect(await saved.unreadable()).toEqual(['notes'])
    expect(await notes.change({ days: 5 })).toMatchObject({
      days: { value: 5, source: 'saved' },
      level: { value: 'high', source: 'saved' },
      shown: { value: null, source: 'default' },
    })
    expect(await saved.unreadable()).toEqual([])
  })

  test('the value of a secret is left out where a reading is written', async () => {
    const { start } = await settled()
    const { notes } = start()
    await notes.change({ word: 'sesame' })
    const { word } = await notes.read()
    expect(word.value).toBe('sesame')
    expect(JSON.stringify(await notes.read())).not.toContain('sesame')
  })
})

test('all that is wrong with variables is told at once, and never what they hold', () => {
  const problems = (environment: Environment) => problemsIn(environment, variablesOf({ group }))
  expect(problems({ DAYS: '91', LEVEL: 'sesame', WORD: ' ' })).toEqual([
    'DAYS: must be a whole number from 1 to 90',
    'LEVEL: must be low or high',
  ])
  expect(problems({ WORD: 'sesame' })).toEqual(['WORD: needs DAYS beside it'])
  expect(problems({ DAYS: '1', WORD: 'sesame', LEVEL: '' })).toEqual([])
})
