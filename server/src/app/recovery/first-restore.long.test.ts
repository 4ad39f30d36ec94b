/** What can go wrong with a restore over the first-run page: each of these starts processes that load the whole server. */
import { accountsRoutes } from '@atrium/contract/accounts'
import { recoveryBackupRoutes as routes } from '@atrium/contract/recovery-backup'
import { beforeAll, describe, expect, it } from 'vitest'
import { testPassword } from '../../testing/app.ts'
import { signedIn } from '../../testing/sign-in.ts'
import {
  beginRestore,
  hasUsers,
  leftIn,
  makeSentBackup,
  restoreEnd,
  restoreState,
  sendAll,
  type SentBackup,
  sentBackups,
  startEmpty,
} from '../../testing/first-restore.ts'

let backup: SentBackup
beforeAll(async () => {
  backup = await makeSentBackup()
})

describe('a restore before the first account', () => {
  it('brings the backup back that is chosen, into PostgreSQL, and all processes go on with it under their own key', async () => {
    const key = { ENCRYPTION_KEY: 'ab'.repeat(32) }
    const app = await startEmpty({ dialect: 'postgres', ownProcess: true, env: key })
    const other = await startEmpty({ ownProcess: true, env: { ...key, DATABASE_URL: app.databaseUrl ?? '' } })
    const client = app.client()
    await sendAll(client, backup.files)
    const { items } = await sentBackups(client, backup.recoveryKey)
    expect(items).toHaveLength(2)
    await beginRestore(client, backup.recoveryKey, items[1]?.id)
    for (const each of [app, other]) {
      await expect.poll(() => hasUsers(each.client())).toBe(true)
      const signIn = (username: string) =>
        each.client().call(accountsRoutes.login, { body: { username, password: testPassword } })
      expect(signedIn(await signIn('admin')).token).toBeTruthy()
      await expect(signIn('late')).rejects.toThrow()
    }
    expect(await leftIn(app)).toEqual([])
    await app.restart()
    expect(await hasUsers(app.client())).toBe(true)
  })

  it('says what is wrong with the key or the backup, and leaves the server as it was', async () => {
    const app = await startEmpty()
    const client = app.client()
    await beginRestore(client, backup.recoveryKey)
    expect(await restoreEnd(client)).toMatchObject({ state: 'failed', reason: 'missing' })
    await sendAll(client, backup.files)
    const mistyped = backup.recoveryKey.replace(/^.{5}/, (group) => (group === '00000' ? '11111' : '00000'))
    await beginRestore(client, mistyped)
    expect(await restoreEnd(client)).toMatchObject({ state: 'failed', reason: 'mistyped', wrongGroups: [1] })
    await beginRestore(client, 'ab'.repeat(32))
    expect(await restoreEnd(client)).toMatchObject({ state: 'failed', reason: 'key' })
    const [name, bytes] = backup.files.find(([path]) => path.includes('/packs/')) ?? ['', Buffer.alloc(0)]
    const flipped = Buffer.from(bytes)
    flipped[flipped.length >> 1] = (flipped[flipped.length >> 1] ?? 0) ^ 1
    await sendAll(client, [[name, flipped]])
    await beginRestore(client, backup.recoveryKey)
    expect(await restoreEnd(client)).toMatchObject({ state: 'failed', reason: 'damaged' })
    await client.call(routes.dropFirstRestore, {})
    await sendAll(
      client,
      backup.files.filter(([path]) => path !== name),
    )
    await beginRestore(client, backup.recoveryKey)
    expect(await restoreEnd(client)).toMatchObject({ state: 'failed', reason: 'missing' })
    expect(await hasUsers(client)).toBe(false)
    await app.signUpAdmin()
  })

  it('is nothing when the process is killed in the middle, and the next start is a first one', async () => {
    const app = await startEmpty({ ownProcess: true })
    await sendAll(app.client(), backup.files)
    await beginRestore(app.client(), backup.recoveryKey)
    await app.kill()
    await app.restart()
    expect(await hasUsers(app.client())).toBe(false)
    expect(await leftIn(app)).toEqual([])
    expect(await restoreState(app.client())).toMatchObject({ state: 'waiting' })
    await app.signUpAdmin()
  })

  it('begins once, whoever asks again, and takes nothing more then', async () => {
    const app = await startEmpty()
    const client = app.client()
    await sendAll(client, backup.files)
    const [name, bytes] = backup.files[0] ?? ['', Buffer.alloc(0)]
    const asked = await Promise.allSettled([1, 2, 3].map(() => beginRestore(client, backup.recoveryKey)))
    expect(asked.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(await client.refusal(routes.beginFirstRestore, { body: { key: 'x' } })).toMatchObject({
      code: 'first_restore_running',
    })
    expect(await client.refusal(routes.dropFirstRestore, {})).toMatchObject({ code: 'first_restore_running' })
    const more = { query: { name }, file: new Blob([new Uint8Array(bytes)]) }
    expect(await client.refusal(routes.sendBackupObject, more)).toMatchObject({ code: 'first_restore_running' })
    expect(await restoreEnd(client)).toMatchObject({ state: 'restored' })
  })

  it('takes the instance key of the original as well', async () => {
    const client = (await startEmpty()).client()
    await sendAll(client, backup.files)
    await beginRestore(client, backup.instanceKey)
    expect(await restoreEnd(client)).toMatchObject({ state: 'restored' })
  })

  it('goes on with the key of the environment, where that is another one', async () => {
    const client = (await startEmpty({ env: { ENCRYPTION_KEY: 'ab'.repeat(32) } })).client()
    await sendAll(client, backup.files)
    await beginRestore(client, backup.recoveryKey)
    expect(await restoreEnd(client)).toMatchObject({ state: 'restored' })
  })

  it('is nothing on PostgreSQL when the process is killed in the middle', async () => {
    const app = await startEmpty({ dialect: 'postgres', ownProcess: true })
    await sendAll(app.client(), backup.files)
    await beginRestore(app.client(), backup.recoveryKey)
    await app.kill()
    await app.restart()
    expect(await hasUsers(app.client())).toBe(false)
    expect(await leftIn(app)).toEqual([])
    await app.signUpAdmin()
  })
})
