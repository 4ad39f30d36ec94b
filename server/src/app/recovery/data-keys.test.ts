/** The data keys of accounts are replaced, ended anywhere and gone on with, and nothing is lost. */
import { accountsRoutes } from '@atrium/contract/accounts'
import { documentsRoutes } from '@atrium/contract/documents'
import { resourceKinds } from '@atrium/contract/resources'
import { sql } from 'kysely'
import { describe, expect, onTestFinished, test } from 'vitest'
import { openAllValues } from '../../platform/backups/open-all.ts'
import { type Database, openDatabase } from '../../platform/db/index.ts'
import { loadInstanceKey } from '../../platform/vault/instance-key.ts'
import { sqliteKey } from '../../platform/vault/keys.ts'
import { startTestApp, testPassword } from '../../testing/app.ts'
import { uploadAndRead } from '../../testing/documents.ts'
import { readSamples } from '../../testing/samples.ts'
import { sealed } from '../areas.ts'
import { configFromEnv, dataPathsIn } from '../config.ts'
import { replaceDataKeys } from './data-keys.ts'
import { runRecovery } from './run.ts'

const log = { warn: () => undefined, error: () => undefined }
const samples = await readSamples()

describe.each(['sqlite', 'postgres'] as const)('the data keys of accounts (%s)', (dialect) => {
  const begin = async () => {
    const app = await startTestApp({ dialect })
    onTestFinished(() => app.close())
    const admin = await app.signUpAdmin()
    for (const kind of resourceKinds) await samples[kind].make(admin, `zyzzyva${kind}`)
    await app.signUpUser('ann')
    const { id: documentId } = await uploadAndRead(admin, 'The anteater sleeps.', { name: 'anteater.txt' })
    const environment = { DATA_DIR: app.dataDir, ...(app.databaseUrl ? { DATABASE_URL: app.databaseUrl } : {}) }
    const config = configFromEnv(environment)
    const { key: instanceKey } = await loadInstanceKey({
      value: undefined,
      dataDir: app.dataDir,
      databaseExists: true,
    })
    const within = async <R>(work: (database: Database) => Promise<R>): Promise<R> => {
      const place = app.databaseUrl
        ? { url: app.databaseUrl, lock: false }
        : { file: dataPathsIn(app.dataDir).database, key: sqliteKey(instanceKey), lock: false }
      const database = await openDatabase({ ...place, log })
      try {
        return await work(database)
      } finally {
        await database.close()
      }
    }
    const numbers = () =>
      within(async (database) => {
        const { rows } = await sql<{ number: number }>`
          select number from vault_keys where owner <> '' order by number`.execute(database.tables())
        return rows.map(({ number }) => number)
      })
    const openAll = () => within((database) => openAllValues(database, sealed, { instanceKey }))
    return { app, admin, documentId, environment, config, within, numbers, openAll }
  }

  test('are replaced, everything opens with the new ones, and the former are gone', async () => {
    const { app, admin, documentId, environment, numbers, openAll, config } = await begin()
    await expect(replaceDataKeys({ config, now: Date.now })).rejects.toMatchObject({ name: 'DatabaseLockedError' })
    await app.stop()
    const before = await openAll()
    const owners = await numbers()
    let out = ''
    const args = ['rotate-key', '--data-keys', '--json']
    const write = (text: string) => (out += text)
    expect(await runRecovery(args, () => configFromEnv(environment), write, write)).toBe(0)
    const result = JSON.parse(out) as Record<string, unknown>
    expect(result).toMatchObject({ owners: owners.length, unreadable: {}, keptOwners: 0 })
    expect(result['values']).toBeGreaterThan(20)
    // Of accounts and channels.
    expect(owners.length).toBeGreaterThan(2)
    expect(await numbers()).toEqual(owners.map(() => 2))
    expect((await openAll()).values).toBe(before.values + 1)
    await app.restart()
    const read = await admin.call(documentsRoutes.read, { params: { documentId } })
    expect(read.content).toContain('anteater sleeps')
    const login = { username: 'ann', password: testPassword }
    expect(await app.client().call(accountsRoutes.login, { body: login })).toMatchObject({ token: expect.any(String) })
    await app.stop()
    await replaceDataKeys({ config, now: Date.now })
    expect(await numbers()).toEqual(owners.map(() => 3))
  })

  test('ended after any of its transactions everything opens, and the next run goes on', async () => {
    const { app, config, numbers, openAll } = await begin()
    await app.stop()
    const { values } = await openAll()
    const owners = await numbers()
    let steps = 0
    for (let isOver = false; !isOver; ) {
      let left = 1 + (steps % 3)
      const onProgress = () => {
        left -= 1
        if (left < 0) throw new Error('ended here')
      }
      isOver = await replaceDataKeys({ config, now: Date.now, onProgress }).then(
        () => true,
        (error: Error) => {
          if (error.message !== 'ended here') throw error
          return false
        },
      )
      steps += 1
      expect((await openAll()).values).toBeGreaterThanOrEqual(values)
      if (steps > 100) throw new Error('It does not come to an end.')
    }
    expect(steps).toBeGreaterThan(4)
    // Ended after the very last of them, all was done: the next run is another one.
    expect([2, 3].map((number) => owners.map(() => number).join())).toContain((await numbers()).join())
  })

  test('stay for an account of which a value does not open, and can be replaced again all the same', async () => {
    const { app, config, numbers, within } = await begin()
    await app.stop()
    await within((database) =>
      sql`update chat_folders set name = (select title from chat_sessions limit 1)`.execute(database.tables()),
    )
    const [, ...others] = await numbers()
    const first = await replaceDataKeys({ config, now: Date.now })
    const kept = { owners: others.length, keptOwners: 1 }
    expect(first).toMatchObject(kept)
    expect(Object.keys(first.unreadable)).toEqual(['chat_folders.name'])
    expect(await numbers()).toEqual([1, 2, ...others.map(() => 2)])
    expect(await replaceDataKeys({ config, now: Date.now })).toMatchObject(kept)
    expect(await numbers()).toEqual([1, 2, 3, ...others.map(() => 3)])
  })
})
