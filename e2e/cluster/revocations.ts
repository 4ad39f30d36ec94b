/** Taking rights away at one process, looked at on all of them. */
import { accountsRoutes } from '@atrium/contract/accounts'
import { apiTokensRoutes } from '@atrium/contract/api-tokens'
import { chatRoutes } from '@atrium/contract/chat'
import { systemRoutes } from '@atrium/contract/system'
import { userAdministrationRoutes } from '@atrium/contract/user-administration'
import { expect } from 'vitest'
import { testPassword } from '../../server/src/testing/app.ts'
import { type Client, createClient } from '../../server/src/testing/client.ts'
import type { Cluster, Member } from './cluster.ts'

/**
 * Revokes a token, takes a role away and ends sessions, each at another process, and waits until every process refuses and
 * open streams have ended. Gives how many milliseconds the slowest of that took after it was acknowledged.
 */
export const proveRevocations = async ({ admin, members }: Cluster): Promise<number> => {
  let slowest = 0
  const timed = async (over: () => Promise<unknown>): Promise<void> => {
    const since = performance.now()
    await over()
    slowest = Math.max(slowest, performance.now() - since)
  }
  const refused = (clients: readonly Client[], path: string, status: number): Promise<void> =>
    timed(async () => {
      const all = [status, status, status]
      await expect.poll(() => statuses(clients, path), { timeout: 120_000, interval: 20 }).toEqual(all)
    })
  const [first, second, third] = members as [Member, Member, Member]
  const body = { username: 'ben', password: testPassword }
  const ben = await admin.call(userAdministrationRoutes.create, { body: { ...body, role: 'admin' } })
  const signIn = async (): Promise<string> => {
    const answer = await createClient(first.url.href).call(accountsRoutes.login, { body })
    if (!('token' in answer)) throw new Error('More than the password is asked for.')
    return answer.token
  }
  const own = createClient(first.url.href, await signIn())
  const other = await signIn()
  const wish = { body: { name: 'A script', scopes: ['chat:read' as const] } }
  const { token: secret, record } = await own.call(apiTokensRoutes.createToken, wish)
  const atAll = (shown: string | undefined): Client[] => members.map(({ url }) => createClient(url.href, shown))

  const programs = atAll(secret)
  expect(await statuses(programs, chatRoutes.list.path)).toEqual([200, 200, 200])
  await first.admin.call(userAdministrationRoutes.revokeToken, { params: { id: ben.id, tokenId: record.id } })
  await refused(programs, chatRoutes.list.path, 401)

  const administrators = atAll(own.token)
  expect(await statuses(administrators, '/api/users')).toEqual([200, 200, 200])
  await second.admin.call(userAdministrationRoutes.update, { params: { id: ben.id }, body: { role: 'user' } })
  await refused(administrators, '/api/users', 403)

  const watchers = atAll(other).map(openStream)
  await Promise.all(watchers.map(({ isOpen }) => isOpen))
  const { items } = await third.admin.call(userAdministrationRoutes.sessions, { params: { id: ben.id } })
  await Promise.all(
    items.map(({ id: sessionId }) =>
      third.admin.call(userAdministrationRoutes.endSession, { params: { id: ben.id, sessionId } }),
    ),
  )
  await timed(() => Promise.all(watchers.map(({ hasEnded }) => hasEnded)))
  await refused(atAll(other), accountsRoutes.me.path, 401)
  return slowest
}

const openStream = (client: Client): { readonly isOpen: Promise<void>; readonly hasEnded: Promise<void> } => {
  const opening = client.answer(systemRoutes.events, { query: {} })
  return {
    isOpen: opening.then(({ status }) => expect(status).toBe(200)),
    hasEnded: opening.then(async (answer) => void (await answer.text())),
  }
}

/** What each process answers to the same request. */
const statuses = async (clients: readonly Client[], path: string): Promise<number[]> =>
  await Promise.all(clients.map(async (client) => (await client.raw(path)).status))
