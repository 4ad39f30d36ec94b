/** One built app with one model server, for the tests of one file. */
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type User, accountsRoutes } from '@atrium/contract/accounts'
import { chatRoutes } from '@atrium/contract/chat'
import type { Selection } from '@atrium/contract/common'
import { type ModelProvider, connectionsRoutes } from '@atrium/contract/connections'
import { settingsRoutes } from '@atrium/contract/settings'
import { userAdministrationRoutes } from '@atrium/contract/user-administration'
import { expect, test } from '@playwright/test'
import { type Client, createClient } from '../../server/src/testing/client.ts'
import { type Atrium, startAtrium } from '../atrium.ts'
import { type Provider, startProvider } from '../provider/provider.ts'
import { type SharedApp, openShared } from './shared-process.ts'

export interface Account {
  readonly user: User
  readonly token: string
  readonly api: Client
}

export interface TestApp {
  readonly url: string
  /** Only with `ownProcess` or another program. */
  readonly atrium: Atrium
  readonly provider: Provider
  /** The first account; only where the app was not opened empty. */
  readonly admin: Account
  /** Makes another account, approves it and signs it in. */
  account(username: string): Promise<Account>
}

export interface TestAppOptions {
  /** Without any account, as after the very first start. */
  readonly empty?: boolean
  /** The model server is the local runtime of the app; by default it is. */
  readonly runtime?: boolean
  /**
   * As `npm start` runs it, in a process that can be killed and started again. By default the apps of a worker share one,
   * which has loaded and compiled the server before.
   */
  readonly ownProcess?: boolean
  /** Another program in place of the built one, in a process of its own. */
  readonly main?: string
  /** What the model server lists; by default its usual models. */
  readonly models?: readonly string[]
  /** More than a person writes in an hour: what the administrator has before the app under test starts. */
  readonly filled?: (admin: Account) => Promise<void>
  /** More of the environment. */
  readonly environment?: Readonly<Record<string, string>>
}

export const password = 'a long enough password'

/** Opens an app before the tests of this file and closes it after them. Use it inside of tests only. */
export function openTestApp({
  empty = false,
  runtime = true,
  ownProcess = false,
  main,
  models,
  filled,
  environment = {},
}: TestAppOptions = {}): TestApp {
  let open: { app: Atrium | SharedApp; provider: Provider; admin: Account | null } | null = null
  const now = () => {
    if (!open) throw new Error('the app is open only while its tests run')
    return open
  }

  test.beforeAll(async () => {
    const provider = await startProvider()
    if (models) provider.control({ models: [...models] })
    const env: Record<string, string> = { ...environment, ...(runtime ? { OLLAMA_BASE_URL: provider.url } : {}) }
    if (filled) {
      // Thousands of calls; on a busy machine that takes longer than a test may.
      test.setTimeout(600_000)
      env['DATA_DIR'] = await mkdtemp(join(tmpdir(), 'atrium-e2e-filled-'))
      const before = await startAtrium(env, 'e2e/harness/wide.ts')
      await filled(await firstAccount(before.url))
      await before.close()
    }
    const app = ownProcess || main ? await startAtrium(env, main) : await openShared(env)
    const admin = empty ? null : filled ? await signIn(app.url) : await firstAccount(app.url)
    if (admin && runtime) await modelsKnown(admin)
    open = { app, provider, admin }
  })
  test.afterAll(async () => {
    await open?.app.close()
    await open?.provider.close()
    open = null
  })

  return {
    get url() {
      return now().app.url
    },
    get atrium() {
      const { app } = now()
      if (!('pid' in app)) throw new Error('the app was opened without ownProcess')
      return app
    },
    get provider() {
      return now().provider
    },
    get admin() {
      const { admin } = now()
      if (!admin) throw new Error('the app was opened empty')
      return admin
    },
    async account(username) {
      const { app, admin } = now()
      await admin?.api.call(settingsRoutes.updateInstance, { body: { signupEnabled: true } })
      const guest = createClient(app.url)
      const answer = await guest.call(accountsRoutes.signup, { body: { username, password } })
      if (!('user' in answer)) throw new Error('an account that waits has no second step')
      const { user } = answer
      await admin?.api.call(userAdministrationRoutes.setStatus, { params: { id: user.id }, body: { status: 'active' } })
      return signIn(app.url, username)
    },
  }
}

/** A model of the local runtime. */
export const local = (model: string): Selection => ({
  providerType: 'local',
  providerId: null,
  model: `${model}:latest`,
})

/** Makes a chat of an account with these messages in turn, the first one a question. Gives its id. */
export async function makeChat(
  { api }: Account,
  { title, model = 'echo', messages = [] }: { title?: string; model?: string; messages?: readonly string[] },
): Promise<string> {
  const { id } = await api.call(chatRoutes.create, { body: { title, selection: local(model) } })
  for (const [index, content] of messages.entries()) {
    const role = index % 2 === 0 ? 'user' : 'assistant'
    const selection = role === 'assistant' ? local(model) : null
    await api.call(chatRoutes.addMessage, { params: { sessionId: id }, body: { role, content, selection } })
  }
  return id
}

/** Waits until every provider was looked at: before that a new chat takes the model that needs none. */
async function modelsKnown({ api }: Account): Promise<void> {
  await expect.poll(async () => (await api.call(connectionsRoutes.models, {})).providers.filter(isUnknown)).toEqual([])
}

const isUnknown = ({ state }: ModelProvider): boolean => state === 'not-checked'

async function firstAccount(url: string): Promise<Account> {
  const answer = await createClient(url).call(accountsRoutes.signup, { body: { username: 'ann', password } })
  if (!('token' in answer)) throw new Error('the first account has to be signed in')
  return accountOf(url, answer.token, answer.user)
}

async function signIn(url: string, username = 'ann'): Promise<Account> {
  const answer = await createClient(url).call(accountsRoutes.login, { body: { username, password } })
  if (!('token' in answer)) throw new Error('this account asks for more than a password')
  const { token, user } = answer
  return accountOf(url, token, user)
}

/** Without titles and suggestions by the model, which would ask it more than the tests do. */
async function accountOf(url: string, token: string, user: User): Promise<Account> {
  const api = createClient(url, token)
  await api.call(settingsRoutes.update, { body: { chat: { generateTitles: false, followUps: false } } })
  return { user, token, api }
}
