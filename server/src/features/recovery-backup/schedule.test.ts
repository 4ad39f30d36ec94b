/** What the schedule does where destinations fail, are full or hold damage, with real folders and a real WebDAV server. */
import { randomBytes } from 'node:crypto'
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { BackupRetention } from '@atrium/contract/recovery-backup'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { settingsMigrations } from '../../core/settings/index.ts'
import { openBackupKeys } from '../../platform/backups/index.ts'
import { addressOf, type EnvironmentPlace } from '../../platform/backups/destinations/environment.ts'
import { openFolder } from '../../platform/backups/destinations/folder.ts'
import { type Migration, migrate, openDatabase } from '../../platform/db/index.ts'
import type { JobContext } from '../../platform/jobs/types.ts'
import type { StaticFile } from '../../platform/http/static-file.ts'
import { createLog } from '../../platform/log/log.ts'
import { hostAndPort } from '../../platform/outbound/destination.ts'
import { createOutbound } from '../../platform/outbound/outbound.ts'
import { openVault } from '../../platform/vault/vault.ts'
import { testAccountMigrations } from '../../testing/accounts.ts'
import { testClock } from '../../testing/clock.ts'
import { onBothDatabases, type Open, openerFor } from '../../testing/databases.ts'
import { savedSettings } from '../../testing/settings.ts'
import { startWebDavServer } from '../../testing/webdav-server.ts'
import { createJobKind, scheduleJobKind } from './backups.ts'
import { drillJobKind } from './drills.ts'
import { createRecoveryBackup } from './index.ts'
import { backupSettings } from './settings.ts'

const migrations: Migration[] = [
  ...testAccountMigrations,
  ...settingsMigrations,
  { id: 'notes/0001-start', up: (t) => [`create table notes (id ${t.text} primary key, content ${t.bytes} not null)`] },
]
const hour = 3_600_000
const log = createLog({ level: 'silent' })

/** No handler of these sends a file. */
const plain = async <T>(answer: Promise<T> | T) => (await answer) as Exclude<T, StaticFile>

/** Backups of a small instance, whose jobs the test runs itself, by its own clock. */
const begin = async (open: Open, fixed: readonly EnvironmentPlace[]) => {
  const { options, folder } = await open.place()
  const database = await openDatabase(options)
  await migrate(database, migrations, { version: '1.0.0', snapshotFolder: folder, now: () => 1 })
  const clock = testClock(Date.UTC(2026, 10, 20, 10))
  const instanceKey = randomBytes(32)
  const vault = await openVault({ database, instanceKey, clock })
  const saved = savedSettings({ database, vault, clock })
  const outbound = createOutbound({
    allowed: () => new Set(fixed.flatMap(({ place }) => addressOf(place) ?? []).map(hostAndPort)),
    log,
  })
  const queued: { kind: string; payload: unknown }[] = []
  const { retention, schedule, ...wishes } = saved.bind(backupSettings)
  const { handlers, jobs, checks } = createRecoveryBackup({
    clock,
    database,
    saved,
    vault,
    log,
    outbound,
    toFixed: outbound,
    fixed,
    wishes,
    retention,
    schedule,
    version: '1.0.0',
    metrics: null,
    dataDir: folder,
    migrations,
    sealed: [],
    firstRestorer: null,
    drillIntervalHours: 24,
    hasUsers: async () => true,
    allowAddress: () => Promise.reject(new Error('no address is saved here')),
    pause: { since: async () => null } as never,
    jobs: {
      enqueue: async (kind: string, payload: unknown) => void queued.push({ kind, payload }),
    } as never,
    source: {
      database:
        'url' in options && options.url
          ? { url: options.url }
          : { file: options.file ?? '', key: options.key ?? Buffer.alloc(0) },
      instanceKey,
      previousKey: null,
    },
  })
  const run = async (kind: string, payload: unknown = {}, signal: AbortSignal = new AbortController().signal) => {
    const context = {
      jobId: 'job',
      accountId: null,
      attempt: 1,
      signal,
      progress: () => undefined,
    } as unknown as JobContext
    return await jobs[kind as keyof typeof jobs]
      .prepare(payload)?.(context)
      .then(
        () => null,
        (error: unknown) => String(error),
      )
  }
  /** Jobs that were asked for, such as drills. */
  const runQueued = async () => {
    const ended: (string | null | undefined)[] = []
    for (const { kind, payload } of queued.splice(0)) ended.push(await run(kind, payload))
    return ended
  }
  const check = async (id: string) => await checks.find((one) => one.id === id)?.run(new AbortController().signal)
  const context = { caller: { accountId: 'admin' }, signal: new AbortController().signal } as never
  return {
    clock,
    queued,
    run,
    runQueued,
    check,
    readState: () => plain(handlers.backupsState({} as never, context)),
    list: () => plain(handlers.backups({} as never, context)),
    keep: (body: BackupRetention) => handlers.updateRetention({ body } as never, context),
    previewRetention: (body: BackupRetention) => plain(handlers.previewRetention({ body } as never, context)),
    add: (path: string) =>
      plain(handlers.addDestination({ body: { name: 'NAS', place: { kind: 'folder', path } } } as never, context)),
    move: (id: string, path: string) => {
      const body = { name: 'NAS', place: { kind: 'folder', path } }
      return handlers.updateDestination({ params: { id }, body } as never, context)
    },
    drills: () => plain(handlers.drills({} as never, context)),
    readKey: () => plain(handlers.key({} as never, context)),
    makeKey: () => plain(handlers.makeKey({} as never, context)),
    write: (id: string, bytes = 400) =>
      sql`insert into notes values (${id}, ${randomBytes(bytes)})`.execute(database.tables()),
    async close() {
      saved.close()
      await outbound.close()
      await database.close()
    },
  }
}

const none: BackupRetention = { hourly: 0, daily: 0, weekly: 0, monthly: 0 }
const makeFolder = () => mkdtemp(join(tmpdir(), 'schedule-'))
const folderPlace = (id: string, path: string): EnvironmentPlace => ({
  id,
  variable: id,
  place: { kind: 'folder', path },
  secret: '',
})
/** Paths of what lies in a folder, in a part of the set there. */
const filesIn = async (path: string, part: string): Promise<string[]> =>
  (await readdir(path, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile() && entry.parentPath.includes(part))
    .map((entry) => join(entry.parentPath, entry.name))
    .toSorted()

/** Changes one byte in the middle, and not the size. */
const damage = async (path: string): Promise<void> => {
  const bytes = await readFile(path)
  const middle = bytes.length >> 1
  bytes[middle] = (bytes[middle] ?? 0) ^ 1
  await writeFile(path, bytes)
}

onBothDatabases('the schedule of backups', (open) => {
  it('goes on where one destination fails, tries that one alone again, and proves what the others have', async () => {
    const [works, broken] = [await makeFolder(), join(await makeFolder(), 'file', 'backups')]
    await writeFile(join(broken, '..'), 'in the way')
    const backups = await begin(open, [folderPlace('broken', broken), folderPlace('works', works)])
    const { clock, run, check } = backups
    try {
      expect(await run(scheduleJobKind)).toContain('broken: ')
      const drill = { origin: 'scheduled', destinationId: null, backupId: null }
      expect(backups.queued).toEqual([{ kind: drillJobKind, payload: drill }])
      const made = async () => (await backups.list()).items.map(({ destinationId }) => destinationId)
      expect(await made()).toEqual(['works'])
      expect(await backups.readState()).toMatchObject({
        destinations: [
          { destinationId: 'broken', lastMadeAt: null, lastFailure: { detail: expect.any(String) } },
          { destinationId: 'works', lastMadeAt: '2026-11-20T10:00:00.000Z', lastFailure: null },
        ],
        lastMadeAt: '2026-11-20T10:00:00.000Z',
        lastFailure: { at: '2026-11-20T10:00:00.000Z', detail: expect.stringContaining('broken: ') },
        nextAt: '2026-11-20T10:30:00.000Z',
      })
      expect(await check('backup-age')).toMatchObject({ status: 'warn', message: expect.stringContaining('broken: ') })
      // Also what would go there by another retention cannot be told.
      expect(await backups.previewRetention(none)).toMatchObject({
        items: [],
        problems: [{ destinationId: 'broken', detail: expect.any(String) }],
      })

      clock.advance(10 * 60_000)
      expect(await run(scheduleJobKind)).toBeNull()
      clock.advance(25 * 60_000)
      expect(await run(scheduleJobKind)).toContain('broken: ')
      expect(await made()).toEqual(['works'])

      // Also what never worked is overdue one day.
      clock.advance(16 * hour)
      expect(await run(scheduleJobKind)).toContain('broken: ')
      clock.advance(33 * hour)
      expect(await check('backup-age')).toMatchObject({
        status: 'fail',
        message: expect.stringMatching(/overdue\. broken: no backup has been made yet/),
      })

      await rm(join(broken, '..'))
      await mkdir(broken, { recursive: true })
      expect(await run(scheduleJobKind)).toBeNull()
      expect((await made()).toSorted()).toEqual(['broken', 'works', 'works'])
      expect(await check('backup-age')).toMatchObject({ status: 'pass' })
      expect((await backups.readState()).lastFailure).toBeNull()
    } finally {
      await backups.close()
    }
  })

  it('goes on where a destination keeps nothing that it is given, and names it until it has the new recovery key', async () => {
    const [works, webDav] = [await makeFolder(), await startWebDavServer()]
    const { url, username, password } = webDav.options
    const files = {
      id: 'files',
      variable: 'files',
      place: { kind: 'webdav' as const, url, username },
      secret: password,
    }
    const backups = await begin(open, [files, folderPlace('works', works)])
    const made = async () => (await backups.list()).items.map(({ destinationId }) => destinationId)
    try {
      webDav.faults.dropsWrites = true
      expect(await backups.run(scheduleJobKind)).toContain('files: The destination did not keep')
      const { recoveryKey, missingAt } = await backups.makeKey()
      expect(missingAt).toEqual(['files'])
      const secret = { recoveryKey }
      expect((await openBackupKeys(openFolder(works), secret)).instanceKey).toHaveLength(32)
      backups.clock.advance(24 * hour)
      expect(await backups.run(scheduleJobKind)).toContain('files: The destination did not keep')
      expect(await made()).toEqual(['works', 'works'])
      expect(await backups.readKey()).toMatchObject({ state: 'unconfirmed', missingAt: ['files'] })

      webDav.faults.dropsWrites = false
      expect(await backups.run(scheduleJobKind)).toBeNull()
      expect((await backups.readKey()).missingAt).toEqual([])
      expect([...webDav.entries.keys()].some((path) => path.endsWith('/keys'))).toBe(true)
      expect(await made()).toEqual(['works', 'works'])
    } finally {
      await backups.close()
      await webDav.close()
    }
  })

  it('takes away what no longer stays from a destination that is full', async () => {
    const webDav = await startWebDavServer()
    const { url, username, password: secret } = webDav.options
    const place = { kind: 'webdav' as const, url, username }
    const backups = await begin(open, [{ id: 'files', variable: 'files', place, secret }])
    try {
      for (const note of ['a', 'b', 'c']) {
        await backups.write(note)
        expect(await backups.run(createJobKind)).toBeNull()
        backups.clock.advance(hour)
      }
      await backups.keep(none)
      await backups.write('d')
      const before = (await backups.list()).items
      webDav.faults.full = true
      expect(await backups.run(createJobKind)).toContain('is full')
      webDav.faults.full = false
      expect(await backups.list()).toEqual({ items: before.slice(0, 1), problems: [] })
    } finally {
      await backups.close()
      await webDav.close()
    }
  })
})

describe('the schedule of backups', () => {
  const open = openerFor('sqlite')

  it('begins with the others where the last backup at a destination never came to its end', async () => {
    const file = join(await makeFolder(), 'file')
    await writeFile(file, 'in the way')
    const backups = await begin(open, [
      folderPlace('hung', join(file, 'hung')),
      folderPlace('other', join(file, 'other')),
    ])
    try {
      await backups.run(createJobKind, {}, AbortSignal.abort())
      expect(await backups.run(createJobKind)).toMatch(/other: .* hung: /)
    } finally {
      await backups.close()
    }
  })

  it('holds what a drill found against the place where it was found alone', async () => {
    const backups = await begin(open, [])
    try {
      const { id } = await backups.add(await makeFolder())
      await backups.run(drillJobKind, { origin: 'manual', destinationId: id, backupId: null })
      expect(await backups.check('backup-drill')).toMatchObject({ status: 'fail' })
      await backups.move(id, await makeFolder())
      expect(await backups.check('backup-drill')).toBeNull()
      expect((await backups.drills()).items).toMatchObject([{ destinationId: id, status: 'failed' }])
    } finally {
      await backups.close()
    }
  })

  it('sends everything again where a drill found damage, which is told until a drill passes there', async () => {
    const [first, second] = [await makeFolder(), await makeFolder()]
    const backups = await begin(open, [folderPlace('first', first), folderPlace('second', second)])
    const { clock, run, runQueued, check } = backups
    const nextDay = async (): Promise<void> => {
      clock.advance(24 * hour)
      expect(await run(scheduleJobKind)).toBeNull()
      expect(await runQueued()).toEqual([null])
    }
    const manual = { origin: 'manual', destinationId: 'second' }
    try {
      // More than a pack: of one that has no list of chunks only its size is looked at.
      for (let at = 0; at < 36; at += 1) await backups.write(`note ${at}`, 240_000)
      expect(await run(scheduleJobKind)).toBeNull()
      const packs = await filesIn(second, '/packs/')
      const sizes = await Promise.all(packs.map(async (path) => (await stat(path)).size))
      await damage(packs[sizes.indexOf(Math.max(...sizes))] ?? '')
      backups.queued.splice(0)
      expect(await run(drillJobKind, { ...manual, backupId: null })).toContain('cannot be opened')
      const told = { status: 'fail', message: expect.stringMatching(/second: .* sends everything again/) }
      expect(await check('backup-drill')).toMatchObject(told)
      // The turn of the other one.
      await nextDay()
      expect(await check('backup-drill')).toMatchObject(told)
      await nextDay()
      expect(await check('backup-drill')).toMatchObject({ status: 'pass' })
      const sent = (await backups.list()).items
        .filter(({ destinationId }) => destinationId === 'second')
        .map(({ sentBytes }) => sentBytes > 8_000_000)
      expect(sent).toEqual([false, true, true])

      // However many fail, what the last one proved stays; and an older one does not stand for a newest one that is damaged.
      const proved = (await backups.list()).items.find(({ destinationId }) => destinationId === 'second')
      for (let times = 0; times < 50; times += 1) await run(drillJobKind, { ...manual, backupId: 'none' })
      clock.advance(24 * hour)
      expect(await run(scheduleJobKind)).toBeNull()
      const going = (await backups.previewRetention(none)).items.filter(
        ({ destinationId }) => destinationId === 'second',
      )
      expect([going.length, going.some(({ id }) => id === proved?.id)]).toEqual([2, false])
      await damage((await filesIn(second, '/manifests')).at(-1) ?? '')
      expect(await run(drillJobKind, { ...manual, backupId: null })).toContain('cannot be opened')
    } finally {
      await backups.close()
    }
  })
})
