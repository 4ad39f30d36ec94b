/** Backups of the real app, and what becomes of them on an empty machine. */
import { mkdir, mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { accountsRoutes } from '@atrium/contract/accounts'
import { durableJobsRoutes } from '@atrium/contract/durable-jobs'
import { mailRoutes } from '@atrium/contract/mail'
import { recoveryBackupRoutes } from '@atrium/contract/recovery-backup'
import { searchRoutes } from '@atrium/contract/search'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { startTestApp, testPassword, type TestApp } from '../../testing/app.ts'
import { createClient } from '../../testing/client.ts'
import type { Client } from '../../testing/client.ts'
import { createPostgresDatabase, dropPostgresDatabase } from '../../testing/databases.ts'
import { uploadAndRead } from '../../testing/documents.ts'
import { runRecoveryCommand } from '../../testing/recovery-command.ts'
import { startS3Server } from '../../testing/s3-server.ts'
import { signedIn } from '../../testing/sign-in.ts'
import { startWebDavServer } from '../../testing/webdav-server.ts'
import { createApp } from '../app.ts'
import { configFromEnv } from '../config.ts'
import { markFolder } from './marker.ts'

/** Runs a command as a terminal does, and reads what it wrote as JSON. */
const run = async (environment: Record<string, string>, ...args: string[]) => {
  const ended = await runRecoveryCommand(environment, ...args)
  const { out } = ended
  return { ...ended, json: out.startsWith('{') ? (JSON.parse(out) as Record<string, unknown>) : {} }
}
const makeFolder = () => mkdtemp(join(tmpdir(), 'recovery-'))
/** An app on a folder that is there already. */
const startOn = async (environment: Readonly<Record<string, string>>) => {
  const app = await createApp(configFromEnv({ ...environment, PORT: '0', DRAIN_SECONDS: '0', LOG_LEVEL: 'silent' }))
  const url = await app.listen()
  return { app, url, client: createClient(url) }
}

describe('backup and restore', () => {
  let app: TestApp
  let admin: Client
  let backups: string
  let kit: string
  beforeAll(async () => {
    app = await startTestApp()
    admin = await app.signUpAdmin()
    backups = await makeFolder()
    const made = await run({ DATA_DIR: app.dataDir }, 'backup', 'create', '--to', backups, '--json')
    if (made.code !== 0) throw new Error(made.complaint)
    kit = join(await makeFolder(), 'kit')
    await writeFile(kit, String(made.json['recoveryKey']))
  })
  afterAll(() => app.close())

  it('makes, lists and restores backups in storage and on a server that the environment names', async () => {
    const [s3, webDav] = await Promise.all([startS3Server(), startWebDavServer()])
    try {
      const places = {
        's3:': {
          BACKUP_S3_ENDPOINT: s3.options.endpoint,
          BACKUP_S3_REGION: s3.options.region,
          BACKUP_S3_BUCKET: s3.options.bucket,
          BACKUP_S3_ACCESS_KEY_ID: s3.options.accessKeyId,
          BACKUP_S3_SECRET_ACCESS_KEY: s3.options.secretAccessKey,
        },
        'webdav:': {
          BACKUP_WEBDAV_URL: webDav.options.url,
          BACKUP_WEBDAV_USERNAME: webDav.options.username,
          BACKUP_WEBDAV_PASSWORD: webDav.options.password,
        },
      }
      for (const place of Object.values(places)) {
        const made = await run({ DATA_DIR: app.dataDir, ...place }, 'backup', '--json')
        expect(made).toMatchObject({ code: 0, complaint: '' })
        const key = join(await makeFolder(), 'kit')
        await writeFile(key, String(made.json['recoveryKey']))
        const to = join(await makeFolder(), 'data')
        const restored = await run({ DATA_DIR: to, ...place }, 'restore', '--key', key, '--json')
        expect(restored).toMatchObject({ code: 0, complaint: '', json: { id: made.json['id'], dryRun: false } })
      }
      const both = { DATA_DIR: app.dataDir, ...places['s3:'], ...places['webdav:'] }
      expect(await run(both, 'backup', 'list')).toMatchObject({
        code: 2,
        complaint: expect.stringContaining('--to s3:'),
      })
      expect(await run(both, 'backup', 'list', '--to', 's3:')).toMatchObject({ code: 0 })
      const none = await run({ DATA_DIR: app.dataDir }, 'backup', 'list', '--to', 's3:')
      expect(none).toMatchObject({ code: 2, complaint: expect.stringContaining('BACKUP_S3_BUCKET') })
    } finally {
      await Promise.all([s3.close(), webDav.close()])
    }
  })

  it('brings an instance back on an empty machine, with nothing but the kit and the place', async () => {
    const to = join(await makeFolder(), 'data')
    const restored = await run({ DATA_DIR: to }, 'restore', '--from', backups, '--key', kit)
    expect(restored).toMatchObject({ code: 0, complaint: '' })
    const { app: again, client } = await startOn({ DATA_DIR: to })
    try {
      const login = await client.call(accountsRoutes.login, { body: { username: 'admin', password: testPassword } })
      expect(signedIn(login).token).toBeTruthy()
    } finally {
      await again.stop({ now: true })
    }
    expect(await readFile(join(to, 'encryption.key'), 'utf8')).toBe(
      await readFile(join(app.dataDir, 'encryption.key'), 'utf8'),
    )
  })

  it('shows the recovery key of a first backup that fails, as text and as JSON', async () => {
    const environment = { DATA_DIR: await makeFolder() }
    await writeFile(join(environment.DATA_DIR, 'encryption.key'), `${'ab'.repeat(32)}\n`, { mode: 0o600 })
    await writeFile(join(environment.DATA_DIR, 'atrium.db'), 'not a database'.repeat(1000))
    const failed = await run(environment, 'backup', '--to', await makeFolder())
    expect(failed).toMatchObject({ code: 1, out: expect.stringContaining('This is the recovery key') })
    const place = await makeFolder()
    const { code, complaint, json } = await run(environment, 'backup', '--to', place, '--json')
    expect({ code, complaint, json }).toMatchObject({
      code: 1,
      complaint: expect.stringMatching(/./),
      json: { id: null },
    })
    const key = join(await makeFolder(), 'kit')
    await writeFile(key, String(json['recoveryKey']))
    const list = ['list', '--to', place, '--key', key] as const
    expect(await run({ DATA_DIR: await makeFolder() }, 'backup', ...list)).toMatchObject({ code: 0, complaint: '' })
  })

  it('reads everything and writes nothing when it is tried', async () => {
    const to = join(await makeFolder(), 'data')
    const tried = await run({ DATA_DIR: to }, 'restore', '--from', backups, '--key', kit, '--dry-run', '--json')
    expect(tried).toMatchObject({ code: 0, json: { dryRun: true, dialect: 'sqlite' } })
    await expect(readFile(join(to, 'encryption.key'))).rejects.toThrow('ENOENT')
  })

  it('goes into no folder that holds something, and beside no server', async () => {
    const to = await makeFolder()
    await writeFile(join(to, 'letter.txt'), 'mine')
    const into = (folder: string) => run({ DATA_DIR: folder }, 'restore', '--from', backups, '--key', kit)
    expect(await into(to)).toMatchObject({ code: 1, complaint: expect.stringContaining('is not empty') })
    expect(await into(app.dataDir)).toMatchObject({ code: 1, complaint: expect.stringContaining('is not empty') })
  })

  it('begins anew where what is there is of no use, and no server starts before it has ended', async () => {
    const to = join(await makeFolder(), 'data')
    await mkdir(to)
    await markFolder(to)
    await writeFile(join(to, 'atrium.db'), 'half')
    await expect(startOn({ DATA_DIR: to })).rejects.toThrow('didn’t finish')
    expect(await run({ DATA_DIR: to }, 'restore', '--from', backups, '--key', kit)).toMatchObject({
      code: 0,
      complaint: '',
    })
    const { app: again } = await startOn({ DATA_DIR: to })
    await again.stop({ now: true })
  })

  it('ends the sessions of then', async () => {
    const to = join(await makeFolder(), 'data')
    await admin.call(accountsRoutes.me, {})
    await run({ DATA_DIR: to }, 'restore', '--from', backups, '--key', kit)
    const { app: again, url } = await startOn({ DATA_DIR: to })
    try {
      const restored = createClient(url, admin.token)
      await expect(restored.call(accountsRoutes.me, {})).rejects.toMatchObject({ status: 401 })
    } finally {
      await again.stop({ now: true })
    }
  })

  it('makes a copy that sends no mail, and no backups to where those of the original go', async () => {
    const kept = await makeFolder()
    const smtp = { host: 'mail.example.org', port: 587, security: 'starttls' as const, from: 'atrium@example.org' }
    await admin.call(mailRoutes.updateSettings, { body: smtp })
    await admin.call(recoveryBackupRoutes.addDestination, {
      body: { name: 'Disk', place: { kind: 'folder', path: kept } },
    })
    const place = await makeFolder()
    expect(await run({ DATA_DIR: app.dataDir }, 'backup', '--to', place)).toMatchObject({ code: 0 })
    const to = join(await makeFolder(), 'data')
    const key = join(app.dataDir, 'encryption.key')
    const copied = await run({ DATA_DIR: to }, 'restore', '--from', place, '--key', key, '--as-copy')
    expect(copied).toMatchObject({ code: 0, complaint: '' })
    const { app: copy, url, client } = await startOn({ DATA_DIR: to, BACKUP_FOLDER: await makeFolder() })
    try {
      const login = { username: 'admin', password: testPassword }
      const { token } = signedIn(await client.call(accountsRoutes.login, { body: login }))
      const person = createClient(url, token)
      expect(await admin.call(recoveryBackupRoutes.pause, {})).toEqual({ since: null })
      expect(await person.call(recoveryBackupRoutes.pause, {})).toEqual({ since: expect.any(String) })
      expect(await person.refusal(recoveryBackupRoutes.makeBackup, {})).toMatchObject({ code: 'backup_paused' })
      expect((await admin.call(mailRoutes.settings, {})).host).toBe(smtp.host)
      expect((await person.call(mailRoutes.settings, {})).host).not.toBe(smtp.host)
      expect((await admin.call(recoveryBackupRoutes.destinations, {})).items).toHaveLength(1)
      expect((await person.call(recoveryBackupRoutes.destinations, {})).items).toMatchObject([
        { source: 'environment' },
      ])
      expect((await person.call(recoveryBackupRoutes.backupsState, {})).lastMadeAt).toBeNull()
      expect(await person.call(recoveryBackupRoutes.endPause, {})).toEqual({ since: null })
      await person.call(recoveryBackupRoutes.makeBackup, {})
      const lastMadeAt = async () => (await person.call(recoveryBackupRoutes.backupsState, {})).lastMadeAt
      await vi.waitUntil(async () => (await lastMadeAt()) !== null, { timeout: 120_000, interval: 100 })
    } finally {
      await copy.stop({ now: true })
    }
  })

  it('takes away what the environment does not keep, but not the last one that passed a drill', async () => {
    const path = await makeFolder()
    const body = { name: 'Pruned', place: { kind: 'folder' as const, path } }
    const { id: destinationId } = await admin.call(recoveryBackupRoutes.addDestination, { body })
    const end = async ({ id }: { id: string }) => {
      const job = () => admin.call(durableJobsRoutes.read, { params: { id } })
      await vi.waitUntil(async () => (await job()).finishedAt !== null, { timeout: 120_000, interval: 100 })
      expect(await job()).toMatchObject({ state: 'succeeded', failure: null })
    }
    await end(await admin.call(recoveryBackupRoutes.makeBackup, {}))
    const [proved] = (await admin.call(recoveryBackupRoutes.backups, {})).items
    await end(await admin.call(recoveryBackupRoutes.runDrill, { body: { destinationId } }))
    await admin.call(recoveryBackupRoutes.removeDestination, { params: { id: destinationId } })
    const make = async () => (await run({ DATA_DIR: app.dataDir }, 'backup', '--to', path, '--json')).json['id']
    const [second, third] = [await make(), await make()]
    const none = { BACKUP_KEEP_HOURLY: '0', BACKUP_KEEP_DAILY: '0', BACKUP_KEEP_WEEKLY: '0', BACKUP_KEEP_MONTHLY: '0' }
    const pruned = await run({ DATA_DIR: app.dataDir, ...none }, 'backup', 'prune', '--to', path, '--json')
    expect(pruned.json['backups']).toMatchObject([
      { id: third, reasons: ['newest'] },
      { id: second, reasons: [] },
      { id: proved?.id, reasons: ['proved'] },
    ])
  })

  it('names the group of a mistyped kit, and refuses the key of somebody else', async () => {
    const key = await readFile(kit, 'utf8')
    const groups = key.split('-')
    const [first = ''] = groups
    const wrong = join(await makeFolder(), 'kit')
    await writeFile(wrong, [`${first.slice(0, 4)}${first[4] === 'A' ? 'B' : 'A'}`, ...groups.slice(1)].join('-'))
    const environment = { DATA_DIR: await makeFolder() }
    expect(await run(environment, 'restore', '--from', backups, '--key', wrong)).toMatchObject({
      code: 1,
      complaint: 'The recovery key has a mistake in group 1.',
    })
    await writeFile(wrong, 'ab'.repeat(32))
    expect(await run(environment, 'restore', '--from', backups, '--key', wrong)).toMatchObject({
      code: 1,
      complaint: expect.stringContaining('belong to another'),
    })
    expect(await run(environment, 'restore', '--from', backups)).toMatchObject({
      code: 1,
      complaint: expect.stringContaining('no instance key here'),
    })
  })

  it('says with its exit code that a command cannot be understood', async () => {
    expect(await run({}, 'backup', 'create')).toMatchObject({ code: 2, complaint: expect.stringContaining('--to') })
    expect(await run({}, 'backup', '--nonsense')).toMatchObject({ code: 2 })
    expect(await run({}, 'nothing')).toMatchObject({ code: 2, out: expect.stringContaining('npm run restore') })
  })
})

describe.each([
  ['sqlite', 'postgres'],
  ['postgres', 'sqlite'],
] as const)('from %s to %s', (from, to) => {
  it('an instance is restored with everything that can be found, and moved with its sessions', async () => {
    const source = await startTestApp({ dialect: from })
    const place = async () => {
      const folder = join(await makeFolder(), 'data')
      const url = to === 'postgres' ? await createPostgresDatabase() : undefined
      return {
        folder,
        url,
        to: url ?? folder,
        environment: { DATA_DIR: folder, ...(url ? { DATABASE_URL: url } : {}) },
      }
    }
    const restored = await place()
    const moved = await place()
    try {
      const admin = await source.signUpAdmin()
      await uploadAndRead(admin, '# Pumps\n\nThe pump has a warranty, and the wombat a pump.', { name: 'manual.md' })
      const backups = await makeFolder()
      const environment: Record<string, string> = {
        DATA_DIR: source.dataDir,
        ...(source.databaseUrl ? { DATABASE_URL: source.databaseUrl } : {}),
      }
      expect(await run(environment, 'backup', '--to', backups)).toMatchObject({ code: 0, complaint: '' })
      const key = join(source.dataDir, 'encryption.key')
      const restore = () => run(restored.environment, 'restore', '--from', backups, '--key', key, '--to', restored.to)
      expect(await restore()).toMatchObject({ code: 0, complaint: '' })
      expect(await restore()).toMatchObject({ code: 1, complaint: expect.stringContaining('is not empty') })
      expect((await run(environment, 'move', '--to', moved.to)).code).not.toBe(0)
      await source.stop()
      // The key goes along where the folder of the data stays the same.
      const target = to === 'postgres' ? { ...environment, DATABASE_URL: moved.to } : moved.environment
      expect(await run(environment, 'move', '--to', moved.to)).toMatchObject({ code: 0, complaint: '' })
      for (const where of [restored.environment, target]) {
        const { app, url, client } = await startOn(where)
        try {
          const login = { username: 'admin', password: testPassword }
          const { token } = signedIn(await client.call(accountsRoutes.login, { body: login }))
          const person = createClient(url, token)
          const found = await person.call(searchRoutes.everything, { query: { q: 'warranty pump' } })
          expect(found.items).toMatchObject([{ title: 'manual.md' }])
          const former = createClient(url, admin.token).call(accountsRoutes.me, {})
          if (where === target) await former
          else await expect(former).rejects.toMatchObject({ status: 401 })
        } finally {
          await app.stop({ now: true })
        }
      }
    } finally {
      await source.close()
      for (const { url } of [restored, moved]) if (url) await dropPostgresDatabase(url)
    }
  })
})
