/** The real app for tests: on a free port, with a data folder of its own. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { accountsRoutes } from '@atrium/contract/accounts'
import { type LimitName, limits } from '@atrium/contract/route'
import { type App, type Overrides, createApp } from '../app/app.ts'
import { copyTemplate } from './app-template.ts'
import { quickHashes } from './accounts.ts'
import { configFromEnv } from '../app/config.ts'
import type { RateRule } from '../platform/http/index.ts'
import { createLog } from '../platform/log/log.ts'
import { type Client, createClient } from './client.ts'
import { type Dialect, createPostgresDatabase, dropPostgresDatabase } from './databases.ts'
import { type AppProcess, startAppProcess } from './app-process.ts'
import { signedIn } from './sign-in.ts'

export interface TestAppOptions {
  readonly dialect?: Dialect
  /** Variables of the environment beside those that place the app. */
  readonly env?: Readonly<Record<string, string>>
  readonly overrides?: Overrides
  /**
   * Leave the very first start to the app, instead of a copy of what it made once. An app that is to be another instance
   * than one beside it needs this: copies have one key.
   */
  readonly fromNothing?: boolean
  /** Run it in a process of its own, which `kill` can end with SIGKILL. */
  readonly ownProcess?: boolean
  /** Options of Node for that process. */
  readonly nodeOptions?: readonly string[]
}

export interface TestApp {
  readonly url: string
  readonly dataDir: string
  /** On PostgreSQL. */
  readonly databaseUrl: string | undefined
  /** What the app logged at level warn and above, while it runs in this process. */
  readonly lines: readonly Record<string, unknown>[]
  /** While it runs in this process. */
  readonly accounts: App['accounts']
  client(token?: string): Client
  /** The first account of the instance. */
  signUpAdmin(): Promise<Client>
  /** One more active account. */
  signUpUser(username?: string): Promise<Client>
  /** An account that waits for approval. */
  signUpPending(username: string): Promise<void>
  /** Stops it cleanly if it runs, and starts it again on the same data and the same port. */
  restart(): Promise<void>
  /** Stops it cleanly and leaves its data; `restart` starts it again. */
  stop(): Promise<void>
  /** SIGKILL; only with `ownProcess`. */
  kill(): Promise<void>
  /** Stops it and removes its data. */
  close(): Promise<void>
}

export const testPassword = 'a long enough password'

export const startTestApp = async (options: TestAppOptions = {}): Promise<TestApp> => {
  const dataDir = await mkdtemp(join(tmpdir(), 'atrium-app-'))
  const { dialect = 'sqlite' } = options
  const databaseUrl = isFromNothing(options)
    ? dialect === 'postgres'
      ? await createPostgresDatabase()
      : undefined
    : await copyTemplate(dialect, dataDir)
  const lines: Record<string, unknown>[] = []
  const log = createLog({ level: 'warn', write: (line) => lines.push(JSON.parse(line)) })
  let url = ''
  let app: App | null = null
  let child: AppProcess | null = null

  const env = () => ({
    PORT: url ? new URL(url).port : '0',
    DATA_DIR: dataDir,
    DRAIN_SECONDS: '0',
    ...(databaseUrl ? { DATABASE_URL: databaseUrl } : {}),
    ...options.env,
  })
  const start = async (): Promise<void> => {
    if (options.ownProcess) {
      child = await startAppProcess(env(), options.nodeOptions)
      url = child.url
    } else {
      const overrides = { log, limits: noLimits, passwordCosts: quickHashes, checkEvents: true, ...options.overrides }
      const opened = await createApp(configFromEnv(env()), overrides)
      url = await opened.listen()
      app = opened
    }
  }
  const stop = async (): Promise<void> => {
    await app?.stop()
    await child?.stop()
    app = null
    child = null
  }
  const signUp = async (username: string): Promise<Client> => {
    const client = createClient(url)
    const answer = await client.call(accountsRoutes.signup, { body: { username, password: testPassword } })
    if (!('token' in answer)) throw new Error(`${username} has to wait for approval`)
    return createClient(url, answer.token)
  }

  await start()
  let users = 0
  return {
    get url() {
      return url
    },
    dataDir,
    databaseUrl,
    lines,
    get accounts() {
      if (!app) throw new Error('the app runs in a process of its own, or not at all')
      return app.accounts
    },
    client: (token) => createClient(url, token),
    signUpAdmin: () => signUp('admin'),
    async signUpUser(username = `user-${++users}`) {
      if (!app) throw new Error('accounts are made in this process; start the app without ownProcess')
      await app.accounts.createAccount({ username, password: testPassword })
      const login = { username, password: testPassword }
      const { token } = signedIn(await createClient(url).call(accountsRoutes.login, { body: login }))
      return createClient(url, token)
    },
    async signUpPending(username) {
      if (!app) throw new Error('accounts are made in this process; start the app without ownProcess')
      await app.accounts.createAccount({ username, password: testPassword, status: 'pending' })
    },
    async restart() {
      await stop()
      await start()
    },
    stop,
    async kill() {
      if (!child) throw new Error('only an app in a process of its own can be killed')
      await child.kill()
      child = null
    },
    async close() {
      await stop()
      if (databaseUrl) await dropPostgresDatabase(databaseUrl)
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

/** A key or a folder that a test brings has nothing to do with those of the template. */
const isFromNothing = ({ fromNothing = false, env = {} }: TestAppOptions): boolean =>
  fromNothing || Object.keys(env).some((name) => /^(DATA_DIR|DATABASE_URL|ENCRYPTION_KEY.*)$/.test(name))

/** Tests knock more often than people do; what is limited has its own tests. */
const noLimits: Partial<Record<LimitName, RateRule>> = Object.fromEntries(
  Object.keys(limits).map((name) => [name, { max: 1_000_000, windowMs: 60_000 }]),
)
