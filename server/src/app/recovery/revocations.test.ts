/** What was revoked after a backup does not come back with it. */
import { mkdtemp, readdir, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { accessRoutes } from '@atrium/contract/access'
import { accountDataRoutes } from '@atrium/contract/account-data'
import { accountsRoutes } from '@atrium/contract/accounts'
import { apiTokensRoutes } from '@atrium/contract/api-tokens'
import { channelsRoutes } from '@atrium/contract/channels'
import { chatRoutes } from '@atrium/contract/chat'
import { groupsRoutes } from '@atrium/contract/groups'
import { userAdministrationRoutes } from '@atrium/contract/user-administration'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestApp, testPassword, type TestApp } from '../../testing/app.ts'
import { type Client, createClient } from '../../testing/client.ts'
import { createPostgresDatabase, dropPostgresDatabase } from '../../testing/databases.ts'
import { runRecoveryCommand } from '../../testing/recovery-command.ts'
import { signedIn } from '../../testing/sign-in.ts'
import { createApp } from '../app.ts'
import { configFromEnv } from '../config.ts'

const makeFolder = () => mkdtemp(join(tmpdir(), 'revocations-'))

describe('what was revoked between a backup and the newest one', () => {
  let app: TestApp
  let admin: Client
  let backups: string
  let first: string
  const ids: Record<string, string> = {}
  let shared: string
  let lowered: string
  let channel: string
  let tokens: { gone: string; stays: string }

  const run = async (environment: Record<string, string>, ...args: string[]) => {
    const { code, out, complaint } = await runRecoveryCommand(environment, ...args)
    if (code !== 0) throw new Error(complaint)
    return out
  }
  const newest = async () =>
    (await run({ DATA_DIR: app.dataDir }, 'backup', 'list', '--to', backups)).split(' ')[0] ?? ''
  const backUp = async () => {
    const made = await run({ DATA_DIR: app.dataDir }, 'backup', '--to', backups, '--json')
    return String((JSON.parse(made) as { id: string }).id)
  }

  beforeAll(async () => {
    app = await startTestApp()
    admin = await app.signUpAdmin()
    backups = await makeFolder()
    const people: Record<string, Client> = {}
    for (const name of ['deleted', 'locked', 'lowered', 'friend']) {
      people[name] = await app.signUpUser(name)
      ids[name] = (await people[name].call(accountsRoutes.me, {})).id
    }
    const params = (name: string) => ({ params: { id: ids[name] ?? '' } })
    await admin.call(userAdministrationRoutes.update, { ...params('lowered'), body: { role: 'admin' } })
    const { id: groupId } = await admin.call(groupsRoutes.addGroup, { body: { name: 'Desk' } })
    const membership = { params: { id: groupId, accountId: ids['friend'] ?? '' } }
    await admin.call(groupsRoutes.addMember, membership)
    shared = (await admin.call(chatRoutes.create, { body: { title: 'Plans' } })).id
    const share = (resourceId: string, right: 'read' | 'write') =>
      admin.call(accessRoutes.grant, {
        body: { resourceType: 'chat', resourceId, principalType: 'account', principalId: ids['friend'] ?? '', right },
      })
    const grant = await share(shared, 'read')
    lowered = (await admin.call(chatRoutes.create, { body: { title: 'Minutes' } })).id
    await share(lowered, 'write')
    const body = { type: 'private' as const, name: 'board', memberIds: [ids['friend'] ?? ''] }
    channel = (await admin.call(channelsRoutes.create, { body })).id
    const makeToken = async (name: string) =>
      await admin.call(apiTokensRoutes.createToken, { body: { name, scopes: ['chat:read'] } })
    const [gone, stays] = [await makeToken('gone'), await makeToken('stays')]
    tokens = { gone: gone.token, stays: stays.token }
    first = await backUp()

    await admin.call(accountDataRoutes.remove, params('deleted'))
    await admin.call(userAdministrationRoutes.setStatus, { ...params('locked'), body: { status: 'disabled' } })
    await admin.call(userAdministrationRoutes.update, { ...params('lowered'), body: { role: 'user' } })
    await admin.call(groupsRoutes.removeMember, membership)
    await admin.call(accessRoutes.revoke, { params: { id: grant.id } })
    await share(lowered, 'read')
    await admin.call(channelsRoutes.removeMember, { params: { channelId: channel, userId: ids['friend'] ?? '' } })
    await admin.call(apiTokensRoutes.revokeToken, { params: { id: gone.record.id } })
    await backUp()
  })
  afterAll(() => app.close())

  const restore = async (to: string | undefined, ...more: string[]) => {
    const folder = join(await makeFolder(), 'data')
    const environment = { DATA_DIR: folder, ...(to ? { DATABASE_URL: to } : {}) }
    const key = join(app.dataDir, 'encryption.key')
    const out = await run(environment, 'restore', '--from', backups, '--key', key, '--to', to ?? folder, ...more)
    return { out, environment }
  }
  /** Starts an app on it, and says who may do what. */
  const look = async (environment: Record<string, string>) => {
    const settings = { ...environment, PORT: '0', DRAIN_SECONDS: '0', LOG_LEVEL: 'silent' }
    const restored = await createApp(configFromEnv(settings))
    const client = createClient(await restored.listen())
    const signIn = async (username: string) => {
      const answer = await client.call(accountsRoutes.login, { body: { username, password: testPassword } })
      return client.as(signedIn(answer).token)
    }
    const canSignIn = async (username: string) =>
      await signIn(username).then(
        () => true,
        () => false,
      )
    try {
      const restoredAdmin = await signIn('admin')
      const friend = await signIn('friend')
      const lowered = await signIn('lowered')
      return {
        deleted: await canSignIn('deleted'),
        locked: await canSignIn('locked'),
        role: (await lowered.call(accountsRoutes.me, {})).role,
        groups: (await restoredAdmin.call(accessRoutes.standing, { params: { userId: ids['friend'] ?? '' } })).groups
          .length,
        reads: (await friend.answer(chatRoutes.read, { params: { sessionId: shared } })).status,
        inChannel: (await friend.answer(channelsRoutes.read, { params: { channelId: channel } })).status,
        gone: (await client.as(tokens.gone).answer(chatRoutes.list, { query: {} })).status,
        stays: (await client.as(tokens.stays).answer(chatRoutes.list, { query: {} })).status,
      }
    } finally {
      await restored.stop({ now: true })
    }
  }
  const taken = {
    deleted: false,
    locked: false,
    role: 'user',
    groups: 0,
    reads: 404,
    inChannel: 404,
    gone: 401,
    stays: 200,
  }

  it('is revoked again by a restore to a folder, which says so', async () => {
    const { out, environment } = await restore(undefined, '--at', first)
    expect(out).toMatch(
      /revoked again: 2 accounts disabled, 1 administrators made members, 1 tokens, 1 shares, 1 shares with a lesser right or an earlier end, 1 memberships of groups, 1 memberships of channels\./,
    )
    expect(await look(environment)).toEqual(taken)
  })

  it('and by a restore to PostgreSQL', async () => {
    const url = await createPostgresDatabase()
    try {
      const { out, environment } = await restore(url, '--at', first, '--json')
      expect(JSON.parse(out)).toMatchObject({
        revocations: {
          state: 'applied',
          revoked: { accounts: 2, administrators: 1, tokens: 1, shares: 1, memberships: 1 },
        },
      })
      expect(await look(environment)).toEqual(taken)
    } finally {
      await dropPostgresDatabase(url)
    }
  })

  it('comes back where that is asked for', async () => {
    const { out, environment } = await restore(undefined, '--at', first, '--keep-access')
    expect(out).toContain('also those that were revoked since')
    const was = {
      deleted: true,
      locked: true,
      role: 'admin',
      groups: 1,
      reads: 200,
      inChannel: 200,
      gone: 200,
      stays: 200,
    }
    expect(await look(environment)).toEqual(was)
  })

  it('is told by the one before where the newest is damaged, and the restore says that', async () => {
    const second = await newest()
    const third = await backUp()
    const name = join(backups, (await readdir(backups, { recursive: true })).find((each) => each.endsWith(third)) ?? '')
    const bytes = await readFile(name)
    await writeFile(name, bytes.subarray(0, -1))
    const { out } = await restore(undefined, '--at', first)
    await writeFile(name, bytes)
    expect(out).toContain(`What was revoked between it and the backup ${second} was revoked again: 2 accounts disabled`)
    expect(out).toContain(`The newest backup ${third} cannot be read (`)
    expect(out).toContain(`so what was revoked after ${second} is there again`)
  })

  it('is unknown after the newest backup, and the restore says that', async () => {
    const { out } = await restore(undefined)
    expect(out).toContain('This is the newest backup: what was deleted or revoked after it')
  })
})
