import { accountDataRoutes } from '@atrium/contract/account-data'
import { accountsRoutes } from '@atrium/contract/accounts'
import { chatRoutes } from '@atrium/contract/chat'
import { durableJobsRoutes } from '@atrium/contract/durable-jobs'
import { localRuntimeRoutes } from '@atrium/contract/local-runtime'
import { usageRoutes } from '@atrium/contract/usage'
import { userAdministrationRoutes } from '@atrium/contract/user-administration'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Provider, startProvider } from '../../../e2e/provider/provider.ts'
import { type TestApp, startTestApp, testPassword as password } from '../testing/app.ts'
import type { Client } from '../testing/client.ts'
import { signedIn } from '../testing/sign-in.ts'
import { usualDialects } from '../testing/databases.ts'

describe.each(usualDialects)('a job that runs for an account (%s)', (dialect) => {
  let provider: Provider
  let app: TestApp
  let admin: Client
  beforeAll(async () => {
    provider = await startProvider()
    app = await startTestApp({ dialect, env: { OLLAMA_BASE_URL: provider.url } })
    admin = await app.signUpAdmin()
    await admin.call(localRuntimeRoutes.updatePullAccess, { body: { mode: 'all-users' } })
  })
  afterAll(async () => {
    await app?.close()
    await provider?.close()
  })
  beforeEach(() => provider.control({ pullSteps: 5000 }))

  const lastPull = () => provider.requests.findLast(({ path }) => path === '/api/pull')
  /** Somebody whose download would take minutes. */
  const busy = async (name: string) => {
    const client = await app.signUpUser(name)
    const { id } = await client.call(accountsRoutes.me, {})
    const pulls = provider.count('/api/pull')
    const job = await client.call(localRuntimeRoutes.pull, { body: { name: `model-of-${name}` } })
    await expect.poll(() => provider.count('/api/pull')).toBe(pulls + 1)
    return { client, id, job }
  }

  test('is aborted when the account is disabled, and stays failed when it comes back', async () => {
    const { id, job } = await busy('ann')
    await admin.call(userAdministrationRoutes.setStatus, { params: { id }, body: { status: 'disabled' } })
    await expect.poll(() => lastPull()?.ended).toBe('aborted')
    await admin.call(userAdministrationRoutes.setStatus, { params: { id }, body: { status: 'active' } })
    const { token } = await app
      .client()
      .call(accountsRoutes.login, { body: { username: 'ann', password } })
      .then(signedIn)
    await expect
      .poll(() => app.client(token).call(durableJobsRoutes.read, { params: { id: job.id } }))
      .toMatchObject({ state: 'failed', attempts: 1, failure: { code: 'account_inactive' } })
  })

  test('is aborted when the account is deleted', async () => {
    const { id } = await busy('ben')
    await admin.call(accountDataRoutes.remove, { params: { id } })
    await expect.poll(() => lastPull()?.ended).toBe('aborted')
  })

  test('goes on when only a session of the account ends', async () => {
    const { client, job } = await busy('cem')
    const other = await app
      .client()
      .call(accountsRoutes.login, { body: { username: 'cem', password } })
      .then(signedIn)
    await app.client(other.token).call(accountsRoutes.logout, {})
    expect(await client.call(durableJobsRoutes.read, { params: { id: job.id } })).toMatchObject({ state: 'running' })
    await client.call(durableJobsRoutes.cancel, { params: { id: job.id } })
  })
})

describe.each(usualDialects)('an answer that is being written when its account is deleted (%s)', (dialect) => {
  let provider: Provider
  let app: TestApp
  beforeAll(async () => {
    provider = await startProvider()
    app = await startTestApp({ dialect, env: { OLLAMA_BASE_URL: provider.url } })
  })
  afterAll(async () => {
    await app?.close()
    await provider?.close()
  })

  test('is counted among the calls of the instance, without the account', async () => {
    const admin = await app.signUpAdmin()
    const ann = await app.signUpUser('ann')
    const { id } = await ann.call(accountsRoutes.me, {})
    provider.control({ msPerToken: 200 })
    const selection = { providerType: 'local', providerId: null, model: 'long:latest' } as const
    const chat = await ann.call(chatRoutes.create, { body: { title: 'Long', selection } })
    await ann.call(chatRoutes.startGeneration, { params: { sessionId: chat.id }, body: { message: 'Tell me all' } })
    await expect.poll(() => provider.count('/api/chat')).toBe(1)

    await admin.call(accountDataRoutes.remove, { params: { id } })
    // While anything of an account is left, its token is that of a disabled account.
    await expect.poll(async () => (await ann.raw('/api/auth/me')).status).toBe(401)
    const listed = await admin.call(usageRoutes.export, { query: { rows: 'calls' } })
    const lines = (await listed.text()).trim().split('\n')
    expect(lines.slice(1).map((line) => line.split(',')[1])).toEqual([''])
    expect(lines[1]).toContain('cancelled')
    expect(await (await admin.call(usageRoutes.export, { query: {} })).text()).not.toContain(id)
  })
})
