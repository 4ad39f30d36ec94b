/** The instance key is replaced, interrupted anywhere, and nothing is lost. */
import { randomBytes } from 'node:crypto'
import { chmod, cp, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { openFolder } from '../../platform/backups/destinations/folder.ts'
import { openBackupKeys, proveBackup } from '../../platform/backups/index.ts'
import { auditMigrations, createAudit } from '../../platform/audit/index.ts'
import { takeSnapshot } from '../../platform/db/snapshot.ts'
import { openConnection } from '../../platform/db/sqlite/connection.ts'
import { findFileKey } from '../../platform/db/sqlite/rekey.ts'
import { createLog } from '../../platform/log/log.ts'
import { createProcesses } from '../../platform/processes/index.ts'
import { fingerprintOf, loadInstanceKey } from '../../platform/vault/instance-key.ts'
import { sqliteKey } from '../../platform/vault/keys.ts'
import { vaultMigrations } from '../../platform/vault/tables.ts'
import { realClock } from '../../testing/clock.ts'
import { openerFor } from '../../testing/databases.ts'
import { startRotation } from '../../testing/rotation.ts'
import { runRecoveryCommand } from '../../testing/recovery-command.ts'
import { configFromEnv, dataPathsIn } from '../config.ts'
import { openStorage } from '../storage.ts'
import { fileKeyOf } from './file-key.ts'
import { restoreBackup } from './restore.ts'
import { rotateInstanceKey, rotationSteps, type RotationStep } from './rotate.ts'

type Environment = Readonly<Record<string, string>>
const log = createLog({ level: 'silent' })
const migrations = [...vaultMigrations, ...auditMigrations]
const open = (environment: Environment) =>
  openStorage(configFromEnv(environment), migrations, { clock: realClock, log, version: '0', metrics: null })
type Opened = Awaited<ReturnType<typeof open>>

/** Runs the command as a terminal does. */
const run = (environment: Environment, ...args: string[]) => runRecoveryCommand(environment, 'rotate-key', ...args)

/** Ends at a step as if the power had failed there. */
const interruptAt = (environment: Environment, step: RotationStep) =>
  rotateInstanceKey({
    config: configFromEnv(environment),
    now: Date.now,
    hearMs: 0,
    onStep: (now) => {
      if (now === step) throw new Error('interrupted')
    },
  })

const sealIn = async ({ vault }: Opened, owner: string) => (await vault.keyring(owner)).seal('a.b', '1', owner)
const openIn = async ({ vault }: Opened, owner: string, sealed: Uint8Array) =>
  (await vault.keyring(owner)).open('a.b', '1', sealed)

describe('on SQLite', () => {
  const opener = openerFor('sqlite')
  /** A folder with a database, a copy of it, and what was sealed there. */
  const begin = async () => {
    const { folder } = await opener.place()
    const environment = { DATA_DIR: folder }
    const storage = await open(environment)
    const sealed = await sealIn(storage, 'ann')
    const { snapshots } = dataPathsIn(folder)
    await takeSnapshot(storage.database, snapshots, '1', 0)
    const index = storage.vault.blindIndex('a', 'b')
    const key = Buffer.from(storage.instanceKey.reveal(), 'hex')
    await storage.database.close()
    return { folder, environment, sealed, index, key }
  }

  test.each(rotationSteps)('interrupted before "%s", twice, it serves in between and goes on', async (step) => {
    const { folder, environment, sealed, index, key } = await begin()
    for (const owner of ['ben', 'cleo']) {
      await expect(interruptAt(environment, step)).rejects.toThrow('interrupted')
      const between = await open(environment)
      expect(await openIn(between, 'ann', sealed)).toBe('ann')
      await sealIn(between, owner)
      await between.database.close()
    }
    const made = await loadInstanceKey({ value: undefined, dataDir: folder, databaseExists: true })
    expect(await run(environment)).toMatchObject({ code: 0, complaint: '' })

    const storage = await open(environment)
    const to = Buffer.from(storage.instanceKey.reveal(), 'hex')
    expect(to.equals(key)).toBe(false)
    // The key that was begun with is the one that stays.
    if (step !== 'next-key') expect(to.equals(made.key)).toBe(true)
    expect(await openIn(storage, 'ann', sealed)).toBe('ann')
    expect(storage.vault.blindIndex('a', 'b')).toBe(index)
    expect(await storage.vault.formerKeys()).toEqual([key])
    const audit = createAudit({ database: storage.database, vault: storage.vault, clock: realClock, log })
    const { items } = await audit.page({}, 1, undefined)
    expect(items).toMatchObject([
      { action: 'auth.encryption-key.replace', details: { from: fingerprintOf(key), to: fingerprintOf(to) } },
    ])
    await audit.stop()
    await storage.database.close()
    expect((await readdir(folder)).filter((name) => name.includes('encryption'))).toEqual(['encryption.key'])
    expect((await stat(join(folder, 'encryption.key'))).mode & 0o777).toBe(0o600)
  })

  test('the former key opens nothing any more: neither the file nor a copy of it nor a data key', async () => {
    const { folder, environment, key } = await begin()
    expect((await run(environment)).code).toBe(0)
    const { database, snapshots } = dataPathsIn(folder)
    const copies = (await readdir(snapshots)).map((name) => join(snapshots, name))
    expect(copies).toHaveLength(1)
    const next = Buffer.from((await readFile(join(folder, 'encryption.key'), 'utf8')).trim(), 'hex')
    for (const file of [database, ...copies]) {
      expect(findFileKey(file, [sqliteKey(key)])).toBeNull()
      expect(findFileKey(file, [sqliteKey(next)])).not.toBeNull()
    }
    // A copy is a whole database of its own, with the key of today.
    await cp(copies[0] ?? '', database)
    await (await open(environment)).database.close()
  })

  test('a copy that neither key opens is named and left alone', async () => {
    const { folder, environment } = await begin()
    const foreign = join(dataPathsIn(folder).snapshots, 'a-foreign.db')
    await writeFile(foreign, randomBytes(8192))
    const before = await readFile(foreign)
    expect(await run(environment)).toMatchObject({ code: 0, out: expect.stringContaining('a-foreign.db') })
    expect((await readFile(foreign)).equals(before)).toBe(true)
  })

  test('it refuses beside a server, without a database and with a key that is not the right one, and changes nothing', async () => {
    const { folder, environment, key } = await begin()
    const server = await open(environment)
    expect(await run(environment)).toMatchObject({ code: 1, complaint: expect.stringContaining('Stop it first') })
    await server.database.close()
    await writeFile(join(folder, 'encryption.key'), randomBytes(32).toString('hex'))
    expect(await run(environment)).toMatchObject({ code: 1, complaint: expect.stringContaining('Nothing was changed') })
    await writeFile(join(folder, 'encryption.key'), key.toString('hex'))
    await chmod(join(folder, 'encryption.key'), 0o600)
    expect(await readdir(folder)).not.toContain('encryption.key.next')
    await (await open(environment)).database.close()
    const empty = { DATA_DIR: (await opener.place()).folder }
    expect(await run(empty)).toMatchObject({ code: 2, complaint: expect.stringContaining('no database') })
    expect(await readdir(empty.DATA_DIR)).toEqual([])
  })

  test('it waits for no backup that reads the file, and the next key has the mode of the present one', async () => {
    const { folder, environment, sealed } = await begin()
    await chmod(join(folder, 'encryption.key'), 0o400)
    await expect(interruptAt(environment, 'file')).rejects.toThrow('interrupted')
    expect((await stat(join(folder, 'encryption.key.next'))).mode & 0o777).toBe(0o400)
    const { key, previous } = await loadInstanceKey({ value: undefined, dataDir: folder, databaseExists: true })
    const file = dataPathsIn(folder).database
    const reader = openConnection({ file, key: fileKeyOf(file, { key, previous }).toString('hex'), readonly: true })
    reader.exec('begin')
    reader.prepare('select count(*) from vault_keys').get()
    expect(await run(environment)).toMatchObject({ code: 1, complaint: expect.stringContaining('Somebody reads') })
    reader.close()
    expect((await run(environment)).code).toBe(0)
    const storage = await open(environment)
    expect(await openIn(storage, 'ann', sealed)).toBe('ann')
    await storage.database.close()
  })

  test('it takes a key from a file, and no second one while it is unfinished', async () => {
    const { folder, environment } = await begin()
    const [first, second] = [randomBytes(32), randomBytes(32)]
    for (const [name, key] of [
      ['first', first],
      ['second', second],
    ] as const)
      await writeFile(join(folder, name), key.toString('hex'))
    const begun = rotateInstanceKey({
      config: configFromEnv(environment),
      newKey: first,
      now: Date.now,
      onStep: (step) => {
        if (step === 'snapshots') throw new Error('interrupted')
      },
    })
    await expect(begun).rejects.toThrow('interrupted')
    const refused = await run(environment, '--key', join(folder, 'second'))
    expect(refused).toMatchObject({ code: 2, complaint: expect.stringContaining('another one already') })
    expect((await run(environment, '--key', join(folder, 'first'))).code).toBe(0)
    const storage = await open(environment)
    expect(storage.instanceKey.reveal()).toBe(first.toString('hex'))
    await storage.database.close()
  })

  test('with keys from the environment it wants both, and once it is done the former one can go', async () => {
    const { folder } = await opener.place()
    const [from, to] = [randomBytes(32).toString('hex'), randomBytes(32).toString('hex')]
    const before = { DATA_DIR: folder, ENCRYPTION_KEY: from }
    const storage = await open(before)
    const sealed = await sealIn(storage, 'ann')
    await storage.database.close()
    expect(await run(before)).toMatchObject({ code: 2, complaint: expect.stringContaining('ENCRYPTION_KEY_PREVIOUS') })
    const both = { DATA_DIR: folder, ENCRYPTION_KEY: to, ENCRYPTION_KEY_PREVIOUS: from }
    await (await open(both)).database.close()
    for (let i = 0; i < 2; i++)
      expect(await run(both)).toMatchObject({ code: 0, out: expect.stringContaining('ENCRYPTION_KEY_PREVIOUS can go') })
    const after = await open({ DATA_DIR: folder, ENCRYPTION_KEY: to })
    expect(await openIn(after, 'ann', sealed)).toBe('ann')
    await after.database.close()
    expect((await readdir(folder)).filter((name) => name.includes('encryption'))).toEqual([])
  })

  test('backups from before open with what took its place, and are continued', async () => {
    const { folder, environment, sealed } = await begin()
    const place = join(folder, 'backups')
    await mkdir(place)
    const backUp = async () => {
      const { code, out, complaint } = await runRecoveryCommand(
        environment,
        'backup',
        'create',
        '--to',
        place,
        '--json',
      )
      expect({ code, complaint }).toEqual({ code: 0, complaint: '' })
      return z.object({ id: z.string(), recoveryKey: z.string().optional() }).parse(JSON.parse(out))
    }
    const first = await backUp()
    expect((await run(environment)).code).toBe(0)
    // The command was not told of this place; the next backup seals the keys there anew, and begins no other set.
    expect((await backUp()).recoveryKey).toBeUndefined()
    expect((await run(environment, '--backups', place)).out).not.toContain('not sealed anew')
    const { key } = await loadInstanceKey({ value: undefined, dataDir: folder, databaseExists: true })
    const from = openFolder(place)
    const byKit = await openBackupKeys(from, { recoveryKey: first.recoveryKey ?? '' })
    expect(byKit).toEqual(await openBackupKeys(from, { instanceKey: key }))
    expect(byKit.instanceKey).toEqual(key)
    expect(byKit.keys.former).toHaveLength(2)

    const opened = { keys: byKit.keys, instanceKey: key }
    const scratchFolder = join(folder, 'scratch')
    const proof = { destination: from, id: first.id, migrations, sealed: [], scratchFolder }
    expect(await proveBackup({ ...opened, ...proof })).toMatchObject({ id: first.id })
    const to = join(folder, 'restored')
    const target = { dataDir: to, keyIsElsewhere: false }
    const options = { at: first.id, dryRun: false, asCopy: false, keepSessions: true, now: Date.now }
    await restoreBackup({ ...opened, ...options, from, target })
    const restored = await open({ DATA_DIR: to })
    expect(await openIn(restored, 'ann', sealed)).toBe('ann')
    await restored.database.close()
  })

  test('killed while it runs, it leaves a folder that serves, and can be run again', async () => {
    const { environment, sealed, folder } = await begin()
    const child = await startRotation(environment, 'file')
    await child.kill()
    const between = await open(environment)
    expect(await openIn(between, 'ann', sealed)).toBe('ann')
    await between.database.close()
    expect(await run(environment)).toMatchObject({ code: 0, complaint: '' })
    const storage = await open({ DATA_DIR: folder })
    expect(await openIn(storage, 'ann', sealed)).toBe('ann')
    await storage.database.close()
  })
})

describe('on PostgreSQL', () => {
  const opener = openerFor('postgres')
  const begin = async (keys: Environment) => {
    const { folder, options } = await opener.place()
    const environment = (more: Environment) => ({ DATA_DIR: folder, DATABASE_URL: options.url ?? '', ...more })
    /** A process as the others see it. */
    const start = async (more: Environment) => {
      const storage = await open(environment(more))
      const { database, instanceKey } = storage
      const processes = createProcesses({
        database,
        clock: realClock,
        log,
        version: '0',
        everyMs: 100,
        processId: realClock.id(),
        keyFingerprint: instanceKey.about.fingerprint,
        previousKeyFingerprint: instanceKey.previous?.about.fingerprint,
      })
      await processes.start(() => ({ streams: 0, answers: 0 }))
      let running = true
      const stop = async () => {
        if (!running) return
        running = false
        await processes.stop()
        await database.close()
      }
      onTestFinished(stop)
      return { ...storage, stop }
    }
    return { environment, start, first: await start(keys), folder }
  }

  test('two processes go on while the key is replaced, and read what the other one wrote', async () => {
    const [from, to] = [randomBytes(32).toString('hex'), randomBytes(32).toString('hex')]
    const { environment, start, first } = await begin({ ENCRYPTION_KEY: from })
    const both = { ENCRYPTION_KEY: to, ENCRYPTION_KEY_PREVIOUS: from }
    const ann = await sealIn(first, 'ann')
    const second = await start(both)
    expect(await openIn(second, 'ann', ann)).toBe('ann')
    expect(await openIn(first, 'ben', await sealIn(second, 'ben'))).toBe('ben')
    // One process does not know the new key: nothing is wrapped for it yet.
    const early = await run(environment(both))
    expect(early).toMatchObject({ code: 1, complaint: expect.stringContaining('don’t have the new key yet') })
    expect(await openIn(first, 'cleo', await sealIn(second, 'cleo'))).toBe('cleo')
    await first.stop()
    const third = await start(both)
    expect(await run(environment(both))).toMatchObject({ code: 0, out: expect.stringContaining('PREVIOUS can go') })
    const dan = await sealIn(second, 'dan')
    expect(await openIn(third, 'dan', dan)).toBe('dan')
    await expect(start({ ENCRYPTION_KEY: from })).rejects.toMatchObject({ kind: 'key-wrong' })
    const last = await start({ ENCRYPTION_KEY: to })
    expect(await openIn(last, 'dan', dan)).toBe('dan')
    expect(await openIn(last, 'ann', ann)).toBe('ann')
    expect(await openIn(third, 'eve', await sealIn(last, 'eve'))).toBe('eve')
  })

  test('a key in a file is replaced in two runs, with a start of the server between them', async () => {
    const { environment, start, first, folder } = await begin({})
    const ann = await sealIn(first, 'ann')
    const early = await run(environment({}))
    expect(early).toMatchObject({ code: 1, complaint: expect.stringContaining('encryption.key.next') })
    await first.stop()
    const second = await start({})
    expect(await run(environment({}))).toMatchObject({ code: 0, complaint: '' })
    expect(await openIn(second, 'ann', ann)).toBe('ann')
    const kept = await readFile(join(folder, 'encryption.key'), 'utf8')
    expect(fingerprintOf(Buffer.from(kept.trim(), 'hex'))).toBe(second.instanceKey.about.fingerprint)
    expect(await openIn(await start({}), 'ann', ann)).toBe('ann')
  })

  test.each(['verify', 'key-file'] as const)('interrupted before "%s" it goes on', async (step) => {
    const { environment, start, first } = await begin({})
    const ann = await sealIn(first, 'ann')
    await first.stop()
    for (let i = 0; i < 2; i++) await expect(interruptAt(environment({}), step)).rejects.toThrow('interrupted')
    const between = await start({})
    const ben = await sealIn(between, 'ben')
    await between.stop()
    expect(await run(environment({}))).toMatchObject({ code: 0 })
    const last = await start({})
    expect(await openIn(last, 'ann', ann)).toBe('ann')
    expect(await openIn(last, 'ben', ben)).toBe('ben')
  })
})
