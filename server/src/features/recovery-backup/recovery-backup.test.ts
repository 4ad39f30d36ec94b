import { mkdtemp, readdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { auditRoutes } from '@atrium/contract/audit'
import { type BackupPlace, recoveryBackupRoutes as routes } from '@atrium/contract/recovery-backup'
import { generateX25519Identity, identityToRecipient } from 'age-encryption'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { durableJobsRoutes } from '@atrium/contract/durable-jobs'
import { openBackupKeys } from '../../platform/backups/index.ts'
import { configFromEnv } from '../../app/config.ts'
import { rotateInstanceKey } from '../../app/recovery/rotate.ts'
import { openFolder } from '../../platform/backups/destinations/folder.ts'
import { type TestApp, startTestApp } from '../../testing/app.ts'
import type { Client } from '../../testing/client.ts'
import { type S3Server, startS3Server } from '../../testing/s3-server.ts'
import { startWebDavServer, type WebDavServer } from '../../testing/webdav-server.ts'

let app: TestApp
let admin: Client
let s3: S3Server
let webDav: WebDavServer
let fixedFolder: string

beforeAll(async () => {
  fixedFolder = await mkdtemp(join(tmpdir(), 'backups-'))
  ;[s3, webDav] = await Promise.all([startS3Server(), startWebDavServer()])
  app = await startTestApp({ env: { BACKUP_FOLDER: fixedFolder } })
  admin = await app.signUpAdmin()
  // The first one is due at once.
  const lastMadeAt = async () => (await admin.call(routes.backupsState, {})).lastMadeAt
  await vi.waitUntil(async () => (await lastMadeAt()) !== null, { timeout: 120_000, interval: 100 })
})
afterAll(async () => {
  await app?.close()
  await s3?.close()
  await webDav?.close()
})

const s3Place = (): BackupPlace & { kind: 's3' } => {
  const { endpoint, region, bucket, accessKeyId } = s3.options
  return { kind: 's3', endpoint, region, bucket, accessKeyId, prefix: 'atrium', pathStyle: true }
}
const stepsOf = async (id: string) => {
  const { ok, steps } = await admin.call(routes.testDestination, { params: { id } })
  return {
    ok,
    steps: steps.map(({ step, state }) => `${step} ${state}`),
    detail: steps.find((one) => one.detail)?.detail,
  }
}
const works = ['reach ok', 'sign-in ok', 'write ok', 'list ok', 'read ok', 'remove ok']

test('a folder of the environment is there, and changed nowhere else', async () => {
  const { items } = await admin.call(routes.destinations, {})
  const place = { kind: 'folder', path: fixedFolder } as const
  expect(items).toEqual([{ id: 'environment', name: 'BACKUP_FOLDER', source: 'environment', place, onDataDisk: true }])
  expect(await stepsOf('environment')).toMatchObject({ ok: true, steps: works })
  const params = { id: 'environment' }
  const body = { name: 'x', place }
  expect(await admin.refusal(routes.updateDestination, { params, body })).toMatchObject({ code: 'setting_locked' })
  expect(await admin.refusal(routes.removeDestination, { params })).toMatchObject({ code: 'setting_locked' })
})

test('storage that the environment names is called where it stands, and changed nowhere else', async () => {
  const { endpoint, region, bucket, accessKeyId, secretAccessKey } = s3.options
  const second = await mkdtemp(join(tmpdir(), 'backups-'))
  const identity = await generateX25519Identity()
  const env = {
    BACKUP_S3_ENDPOINT: endpoint,
    BACKUP_S3_REGION: region,
    BACKUP_S3_BUCKET: bucket,
    BACKUP_S3_ACCESS_KEY_ID: accessKeyId,
    BACKUP_S3_SECRET_ACCESS_KEY: secretAccessKey,
    BACKUP_SCHEDULE: 'off',
    BACKUP_FOLDER: second,
    BACKUP_RECIPIENTS: await identityToRecipient(identity),
    BACKUP_ESCROW: 'false',
  }
  const other = await startTestApp({ env, fromNothing: true })
  try {
    const administrator = await other.signUpAdmin()
    const { items } = await administrator.call(routes.destinations, {})
    expect(items).toMatchObject([
      { id: 'environment' },
      { id: 'environment-s3', name: 'BACKUP_S3_BUCKET', source: 'environment' },
    ])
    expect(JSON.stringify(items)).not.toContain(secretAccessKey)
    const params = { id: 'environment-s3' }
    const { steps } = await administrator.call(routes.testDestination, { params })
    expect(steps.map(({ step, state }) => `${step} ${state}`)).toEqual(works)
    expect(await administrator.refusal(routes.removeDestination, { params })).toMatchObject({ code: 'setting_locked' })

    // The recipient of the operator opens them, and finds no encryption key in them.
    await administrator.call(routes.makeBackup, {})
    const madeAt = async () => (await administrator.call(routes.backupsState, {})).lastMadeAt
    await vi.waitUntil(async () => (await madeAt()) !== null, { timeout: 120_000, interval: 100 })
    const opened = await openBackupKeys(openFolder(second), { identity })
    expect(opened).toMatchObject({ instanceKey: null, keys: { escrow: false } })
    const key = await administrator.call(routes.key, {})
    expect(key).toMatchObject({ escrow: false, recipients: [env.BACKUP_RECIPIENTS] })
  } finally {
    await other.close()
  }
})

test('storage is saved, tried step by step, changed and removed, and its secret is told to nobody', async () => {
  const secret = s3.options.secretAccessKey
  const before = s3.objects.size
  const body = { name: 'Storage', place: s3Place(), secret }
  expect(await admin.refusal(routes.addDestination, { body })).toMatchObject({ code: 'url_not_allowed' })
  const { id } = await admin.call(routes.addDestination, { body: { ...body, allowPrivate: true } })
  expect(await admin.refusal(routes.addDestination, { body })).toMatchObject({ code: 'backup_destination_taken' })
  expect(JSON.stringify(await admin.call(routes.destinations, {}))).not.toContain(secret)
  expect(await stepsOf(id)).toMatchObject({ ok: true, steps: works })
  expect(s3.objects.size).toBe(before)

  const params = { id }
  const renamed = { name: 'Bucket', place: s3Place() }
  expect(await admin.call(routes.updateDestination, { params, body: renamed })).toMatchObject({ name: 'Bucket' })
  expect(await stepsOf(id)).toMatchObject({ ok: true })
  // The secret is not said to another server.
  const elsewhere = { ...s3Place(), endpoint: webDav.options.url.replace('/backups', '') }
  const moved = { body: { name: 'Bucket', place: elsewhere, allowPrivate: true }, params }
  expect(await admin.refusal(routes.updateDestination, moved)).toMatchObject({ code: 'backup_secret_needed' })

  await admin.call(routes.removeDestination, { params })
  expect(await admin.refusal(routes.removeDestination, { params })).toMatchObject({
    code: 'backup_destination_not_found',
  })
  const { items } = await admin.call(auditRoutes.list, { query: {} })
  expect(items.map(({ action }) => action).filter((action) => action.startsWith('backup-'))).toEqual(
    expect.arrayContaining(['backup-destination.create', 'backup-destination.update', 'backup-destination.delete']),
  )
  expect(JSON.stringify(items)).not.toContain(secret)
})

test('a test says at which step it stopped, and why', async () => {
  const { username, password, url } = webDav.options
  const add = async (name: string, place: BackupPlace, secret: string) =>
    (await admin.call(routes.addDestination, { body: { name, place, secret, allowPrivate: true } })).id
  const files = await add('Files', { kind: 'webdav', url, username }, password)
  expect(await stepsOf(files)).toMatchObject({ ok: true, steps: works })
  webDav.faults.dropsWrites = true
  expect(await stepsOf(files)).toMatchObject({
    ok: false,
    steps: ['reach ok', 'sign-in ok', 'write ok', 'list failed', 'read skipped', 'remove skipped'],
  })
  webDav.faults.dropsWrites = false
  webDav.faults.locked = true
  expect(await stepsOf(files)).toMatchObject({ ok: true, steps: [...works.slice(0, -1), 'remove warning'] })

  const storage = await add('Wrong', s3Place(), 'wrong')
  const seen = await stepsOf(storage)
  expect(seen.steps.slice(0, 3)).toEqual(['reach ok', 'sign-in failed', 'write skipped'])
  expect(seen.detail).toContain('secret key')

  const { id } = await admin.call(routes.addDestination, {
    body: { name: 'Disk', place: { kind: 'folder', path: '/proc/backups' } },
  })
  expect(await stepsOf(id)).toMatchObject({ ok: false, steps: [...works.slice(0, 2), 'write failed', ...skipped] })
})
const skipped = ['list skipped', 'read skipped', 'remove skipped']

const makeBackup = async () => {
  const { id } = await admin.call(routes.makeBackup, {})
  await vi.waitFor(
    async () => {
      const { state, failure } = await admin.call(durableJobsRoutes.read, { params: { id } })
      expect([state, failure]).toEqual([expect.stringMatching(/succeeded|failed/), failure])
    },
    { timeout: 120_000, interval: 100 },
  )
  return await admin.call(durableJobsRoutes.read, { params: { id } })
}

test('a backup goes to every destination, says which of them failed, and is taken away from one', async () => {
  const { items: places } = await admin.call(routes.destinations, {})
  for (const { id, source } of places)
    if (source === 'saved') await admin.call(routes.removeDestination, { params: { id } })
  expect(await makeBackup()).toMatchObject({ state: 'succeeded' })
  const { items: made } = await admin.call(routes.backups, {})
  const { lastMadeAt, lastFailure, nextAt } = await admin.call(routes.backupsState, {})
  expect(made[0]).toMatchObject({ destinationId: 'environment', rows: expect.any(Number) })
  expect(lastMadeAt).not.toBeNull()
  expect(lastFailure).toBeNull()
  expect(Date.parse(nextAt ?? '')).toBeGreaterThan(Date.now())

  const broken = { name: 'Broken', place: { kind: 'folder' as const, path: '/proc/backups' } }
  const { id: brokenId } = await admin.call(routes.addDestination, { body: broken })
  const failed = await makeBackup()
  expect(failed).toMatchObject({ state: 'failed', failure: { code: 'backup_failed' } })
  const after = await admin.call(routes.backups, {})
  expect(after.items[0]?.id).not.toBe(made[0]?.id)
  const { destinations, ...state } = await admin.call(routes.backupsState, {})
  expect(state.lastFailure?.detail).toContain('Broken')
  expect(destinations).toMatchObject([
    { destinationId: 'environment', lastMadeAt: state.lastMadeAt, lastFailure: null },
    { destinationId: brokenId, lastMadeAt: null, lastFailure: { detail: expect.any(String) } },
  ])
  expect(after.problems).toMatchObject([{ destinationId: brokenId, id: null }])
  await admin.call(routes.removeDestination, { params: { id: brokenId } })

  const query = { destinationId: 'environment' }
  const params = { id: after.items[0]?.id ?? '' }
  await admin.call(routes.removeBackup, { params, query })
  expect(await admin.refusal(routes.removeBackup, { params, query })).toMatchObject({ code: 'backup_not_found' })
})

const drill = async (body: { backupId?: string }) => {
  const { id } = await admin.call(routes.runDrill, { body })
  const read = () => admin.call(durableJobsRoutes.read, { params: { id } })
  await vi.waitUntil(async () => (await read()).finishedAt !== null, { timeout: 120_000, interval: 100 })
  return (await read()).state
}

test('a backup comes back in a restore drill, and one that does not is told of', async () => {
  // One that begins by itself follows the first backup.
  const byHand = async () => {
    const { items, intervalHours } = await admin.call(routes.drills, {})
    expect(intervalHours).toBe(24)
    return items.filter(({ origin }) => origin === 'manual')
  }
  expect(await makeBackup()).toMatchObject({ state: 'succeeded' })
  expect(await drill({})).toBe('succeeded')
  const [newest] = (await admin.call(routes.backups, {})).items
  const [passed] = await byHand()
  expect(passed).toMatchObject({ status: 'passed', backupId: newest?.id, rows: newest?.rows, error: null })
  expect(passed?.rpoSeconds).toBeGreaterThanOrEqual(0)

  expect(await drill({ backupId: 'none' })).toBe('failed')
  const [failed, before] = await byHand()
  expect(failed).toMatchObject({ status: 'failed', rows: null, error: expect.stringContaining('no backup') })
  expect(before).toEqual(passed)
  const body = { destinationId: 'nowhere' }
  expect(await admin.refusal(routes.runDrill, { body })).toMatchObject({ code: 'backup_destination_not_found' })
  const leftovers = () => readdir(join(app.dataDir, 'scratch'))
  await vi.waitUntil(async () => (await leftovers()).length === 0, { timeout: 120_000, interval: 100 })
  expect((await admin.call(routes.drills, {})).items.some(({ origin }) => origin === 'scheduled')).toBe(true)
})

test('what no longer stays is shown beforehand, and goes when the next backup was made', async () => {
  const ids = async () => (await admin.call(routes.backups, {})).items.map(({ id }) => id)
  expect(await admin.call(routes.retention, {})).toMatchObject({
    policy: { hourly: 24, daily: 7, weekly: 5, monthly: 12 },
    sources: { hourly: 'default' },
  })
  expect(await drill({})).toBe('succeeded')
  const [first = ''] = await ids()
  await makeBackup()
  const [second = ''] = await ids()
  // The one that passed the last drill always stays; from here on that is the second one.
  expect(await ids()).toContain(first)
  expect(await drill({})).toBe('succeeded')
  const none = { hourly: 0, daily: 0, weekly: 0, monthly: 0 }
  const { items: going } = await admin.call(routes.previewRetention, { body: none })
  expect(going.map(({ id }) => id)).toEqual((await ids()).slice(1))
  expect(await ids()).toContain(first)
  const { policy } = await admin.call(routes.updateRetention, { body: none })
  expect(policy).toEqual(none)
  await makeBackup()
  expect(await ids()).toEqual([expect.any(String), second])
})

test('a recovery key is shown once, opens the backups, and is confirmed by one of its groups', async () => {
  expect(await admin.call(routes.key, {})).toMatchObject({ state: 'unseen' })
  expect(await admin.refusal(routes.confirmKey, { body: { group: 'AAAAA' } })).toMatchObject({
    code: 'recovery_key_missing',
  })
  const { recoveryKey, state } = await admin.call(routes.makeKey, {})
  expect(state).toBe('unconfirmed')
  const folder = openFolder(fixedFolder)
  expect((await openBackupKeys(folder, { recoveryKey })).instanceKey).toHaveLength(32)
  expect(JSON.stringify(await admin.call(routes.key, {}))).not.toContain(recoveryKey)
  // Which group is asked for is not told before its time; one of them is right.
  const answers = await Promise.all(
    [...new Set(recoveryKey.toLowerCase().split('-'))]
      .slice(0, 13)
      .map((group) => admin.answer(routes.confirmKey, { body: { group } })),
  )
  expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThanOrEqual(1)
  expect(await admin.call(routes.key, {})).toMatchObject({ state: 'confirmed', askGroup: null })
  const before = recoveryKey
  const { recoveryKey: next } = await admin.call(routes.makeKey, {})
  await expect(openBackupKeys(folder, { recoveryKey: before })).rejects.toMatchObject({ code: 'key' })
  expect((await openBackupKeys(folder, { recoveryKey: next })).keys.set).toBeTruthy()
})

test('after the encryption key was replaced, what lies at the destinations opens with the new one by itself', async () => {
  const [before] = (await admin.call(routes.backups, {})).items
  const { recoveryKey } = await admin.call(routes.makeKey, {})
  await app.stop()
  const config = configFromEnv({ DATA_DIR: app.dataDir })
  const { from, to } = await rotateInstanceKey({ config, now: Date.now })
  await app.restart()
  const folder = openFolder(fixedFolder)
  await vi.waitFor(() => openBackupKeys(folder, { instanceKey: to }), { timeout: 120_000, interval: 50 })
  expect(await openBackupKeys(folder, { recoveryKey })).toMatchObject({ instanceKey: to, keys: { former: [from] } })
  expect(await makeBackup()).toMatchObject({ state: 'succeeded' })
  const { items, problems } = await admin.call(routes.backups, {})
  expect(problems).toEqual([])
  expect(items[0]?.id).not.toBe(before?.id)
})

test('how often backups are made is a setting', async () => {
  expect(await admin.call(routes.settings, {})).toEqual({ schedule: 'daily', source: 'default' })
  const off = await admin.call(routes.updateSettings, { body: { schedule: 'off' } })
  expect(off).toEqual({ schedule: 'off', source: 'saved' })
  expect((await admin.call(routes.backupsState, {})).nextAt).toBeNull()
})

test('nobody but administrators sees or changes anything of it', async () => {
  const user = await app.signUpUser('ann')
  expect(await user.refusal(routes.destinations, {})).toMatchObject({ status: 403 })
  const body = { name: 'Mine', place: { kind: 'folder' as const, path: '/tmp/mine' } }
  expect(await user.refusal(routes.addDestination, { body })).toMatchObject({ status: 403 })
})
