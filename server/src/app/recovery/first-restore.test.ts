/** A backup that comes back over the first-run page of another server. */
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { accountsRoutes } from '@atrium/contract/accounts'
import { maxBackupObjectBytes, recoveryBackupRoutes as routes } from '@atrium/contract/recovery-backup'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { testPassword } from '../../testing/app.ts'
import {
  beginRestore,
  hasUsers,
  leftIn,
  makeSentBackup,
  restoreState,
  sendAll,
  type SentBackup,
  startEmpty,
} from '../../testing/first-restore.ts'
import { signedIn } from '../../testing/sign-in.ts'
import { configFromEnv } from '../config.ts'
import { firstRestorePaths, takeOver } from './take-over.ts'

let backup: SentBackup
/** A data folder of this backup. */
let restored: string
beforeAll(async () => {
  restored = await mkdtemp(join(tmpdir(), 'first-restored-'))
  backup = await makeSentBackup(restored)
})
afterAll(() => rm(restored, { recursive: true, force: true }))

describe('a restore before the first account', () => {
  it('brings everything back, and the server goes on with it', async () => {
    const app = await startEmpty({ ownProcess: true })
    const client = app.client()
    expect(await restoreState(client)).toMatchObject({ state: 'waiting' })
    await sendAll(client, backup.files)
    expect(await beginRestore(client, backup.recoveryKey)).toMatchObject({ state: 'running' })
    await expect.poll(() => hasUsers(client), { timeout: 120_000 }).toBe(true)
    const login = { username: 'admin', password: testPassword }
    expect(signedIn(await app.client().call(accountsRoutes.login, { body: login })).token).toBeTruthy()
    expect(await restoreState(client)).toMatchObject({ state: 'unavailable' })
    expect(await leftIn(app)).toEqual([])
    await app.restart()
    expect(await hasUsers(app.client())).toBe(true)
  })

  it('takes nothing but files of backups, and no more than there is room for', async () => {
    const app = await startEmpty()
    const client = app.client()
    const file = new Blob(['x'])
    for (const name of [
      '../encryption.key',
      '0123456789abcdef/../../x',
      '/etc/passwd',
      'keys',
      '0123456789abcdef/.x',
      'atrium.db',
    ])
      expect(await client.refusal(routes.sendBackupObject, { query: { name }, file }), name).toMatchObject({
        status: 400,
      })
    expect(await leftIn(app)).toEqual([])
    // As large as packs are.
    const pack = { query: { name: '0123456789abcdef/packs/ab/cd' }, file: new Blob([new Uint8Array(9_000_000)]) }
    await client.call(routes.sendBackupObject, pack)
    const large = { ...pack, file: new Blob([new Uint8Array(maxBackupObjectBytes + 1)]) }
    expect(await client.refusal(routes.sendBackupObject, large)).toMatchObject({ code: 'too_large' })
    const tight = await startEmpty({ env: { STORAGE_KEPT_FREE_BYTES: String(2 ** 50) } })
    const query = { name: '0123456789abcdef/keys' }
    expect(await tight.client().refusal(routes.sendBackupObject, { query, file })).toMatchObject({
      code: 'storage_full',
    })
  })

  it('is for nobody once there is an account, nor where the server cannot begin anew', async () => {
    const app = await startEmpty()
    await sendAll(app.client(), backup.files)
    const admin = await app.signUpAdmin()
    for (const client of [app.client(), admin]) {
      expect(await restoreState(client)).toMatchObject({ state: 'unavailable' })
      expect(await client.refusal(routes.beginFirstRestore, { body: { key: backup.recoveryKey } })).toMatchObject({
        status: 409,
      })
      expect(await client.refusal(routes.dropFirstRestore, {})).toMatchObject({ code: 'first_restore_unavailable' })
    }
    expect(await leftIn(app)).toEqual([])
    const unable = await startEmpty({ overrides: {} })
    expect(await restoreState(unable.client())).toMatchObject({ state: 'unavailable' })
  })

  it('does not take the place of an account that was made meanwhile', async () => {
    const app = await startEmpty()
    await app.signUpAdmin()
    await app.stop()
    await mkdir(firstRestorePaths(app.dataDir).target, { recursive: true })
    expect(await takeOver(configFromEnv({ DATA_DIR: app.dataDir }))).toBe('occupied')
    await app.restart()
    expect(await hasUsers(app.client())).toBe(true)
  })

  it.each(['before the database', 'before the key', 'before the end'])(
    'is gone on with by the next start where the taking over was killed %s',
    async (moment) => {
      const app = await startEmpty()
      await app.stop()
      const { target, whole } = firstRestorePaths(app.dataDir)
      await mkdir(target, { recursive: true })
      for (const name of ['atrium.db', 'encryption.key'])
        await writeFile(join(target, name), await readFile(join(restored, name)), { mode: 0o600 })
      await writeFile(whole, '')
      if (moment !== 'before the database') await rename(join(target, 'atrium.db'), join(app.dataDir, 'atrium.db'))
      if (moment === 'before the end') await rename(join(target, 'encryption.key'), join(app.dataDir, 'encryption.key'))
      await app.restart()
      expect(await hasUsers(app.client())).toBe(true)
      expect(await leftIn(app)).toEqual([])
    },
  )
})
