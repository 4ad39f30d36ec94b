/** The command is killed at many moments; what is there opens every time, and in the end the key is replaced. */
import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { auditMigrations } from '../../platform/audit/index.ts'
import { createLog } from '../../platform/log/log.ts'
import { takeSnapshot } from '../../platform/db/snapshot.ts'
import { sqliteKey } from '../../platform/vault/keys.ts'
import { vaultMigrations } from '../../platform/vault/tables.ts'
import { realClock } from '../../testing/clock.ts'
import { openerFor } from '../../testing/databases.ts'
import { startRotation } from '../../testing/rotation.ts'
import { configFromEnv, dataPathsIn } from '../config.ts'
import { openStorage } from '../storage.ts'
import { rotateInstanceKey, rotationSteps } from './rotate.ts'

const opener = openerFor('sqlite')
const log = createLog({ level: 'silent' })

/** Of 8 MB, so that a kill meets the exchange of the file itself. */
test('killed three times at each step, nothing is lost', { timeout: 600_000 }, async () => {
  const { folder } = await opener.place()
  const environment = { DATA_DIR: folder }
  const config = configFromEnv(environment)
  const open = () =>
    openStorage(config, [...vaultMigrations, ...auditMigrations], {
      clock: realClock,
      log,
      version: '0',
      metrics: null,
    })
  const first = await open()
  await sql`create table bulk (id integer primary key, content blob not null)`.execute(first.database.tables())
  for (let i = 0; i < 8; i++)
    await sql`insert into bulk (content) values (${randomBytes(1_000_000)})`.execute(first.database.tables())
  const { snapshots } = dataPathsIn(folder)
  await takeSnapshot(first.database, snapshots, '1', 0)
  const sealed = new Map<string, Uint8Array>()
  for (let i = 0; i < 50; i++)
    sealed.set(`account-${i}`, (await first.vault.keyring(`account-${i}`)).seal('a.b', '1', 'x'))
  await first.database.close()

  const met = new Map<string, number>()
  for (let kill = 0; kill < 18; kill++) {
    const step = rotationSteps[kill % rotationSteps.length] ?? 'file'
    const delayMs = step === 'key-file' ? 100 : Math.floor(Math.random() * (step === 'file' ? 150 : 60))
    const child = await startRotation(environment, step)
    await sleep(delayMs)
    await child.kill()
    const { database, vault, instanceKey, backupSource } = await open()
    try {
      for (const [owner, bytes] of sealed)
        expect((await vault.keyring(owner)).open('a.b', '1', bytes), `${step}, ${delayMs} ms`).toBe('x')
      const { rows } = await sql<{
        result: string
      }>`select integrity_check as result from pragma_integrity_check`.execute(database.tables())
      expect(rows, `${step}, ${delayMs} ms`).toEqual([{ result: 'ok' }])
      const owner = `later-${kill}`
      sealed.set(owner, (await vault.keyring(owner)).seal('a.b', '1', 'x'))
      const { key } = z.object({ key: z.instanceof(Buffer) }).parse(backupSource.database)
      const isNew = key.equals(sqliteKey(Buffer.from(instanceKey.reveal(), 'hex')))
      const state =
        instanceKey.previous === null ? 'done' : isNew ? 'file with the new key' : 'file with the former key'
      met.set(state, (met.get(state) ?? 0) + 1)
    } finally {
      await database.close()
    }
  }
  // Otherwise the kills met but one side of the exchange.
  expect([...met.keys()].toSorted()).toEqual(['done', 'file with the former key', 'file with the new key'])
  const { unreadable } = await rotateInstanceKey({ config, now: Date.now })
  expect(unreadable).toBe(0)
})
