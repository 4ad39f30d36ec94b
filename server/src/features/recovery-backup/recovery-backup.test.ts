import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { auditRoutes } from '@atrium/contract/audit'
import { type BackupPlace, recoveryBackupRoutes as routes } from '@atrium/contract/recovery-backup'
import { afterAll, beforeAll, expect, test } from 'vitest'
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
}, 60_000)
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

test('storage is saved, tried step by step, changed and removed, and its secret is told to nobody', async () => {
  const secret = s3.options.secretAccessKey
  const body = { name: 'Storage', place: s3Place(), secret }
  expect(await admin.refusal(routes.addDestination, { body })).toMatchObject({ code: 'url_not_allowed' })
  const { id } = await admin.call(routes.addDestination, { body: { ...body, allowPrivate: true } })
  expect(await admin.refusal(routes.addDestination, { body })).toMatchObject({ code: 'backup_destination_taken' })
  expect(JSON.stringify(await admin.call(routes.destinations, {}))).not.toContain(secret)
  expect(await stepsOf(id)).toMatchObject({ ok: true, steps: works })
  expect(s3.objects.size).toBe(0)

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

test('nobody but administrators sees or changes anything of it', async () => {
  const user = await app.signUpUser('ann')
  expect(await user.refusal(routes.destinations, {})).toMatchObject({ status: 403 })
  const body = { name: 'Mine', place: { kind: 'folder' as const, path: '/tmp/mine' } }
  expect(await user.refusal(routes.addDestination, { body })).toMatchObject({ status: 403 })
})
