/** Three processes of Atrium on one PostgreSQL, each with a way to it that can fail, behind a proxy. */
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { accountsRoutes } from '@atrium/contract/accounts'
import { type AppProcess, startAppProcess } from '../../server/src/testing/app-process.ts'
import { testPassword } from '../../server/src/testing/app.ts'
import { type Client, createClient } from '../../server/src/testing/client.ts'
import { type Link, linkTo } from '../../server/src/testing/outage.ts'
import { type PostgresServer, startPostgres } from '../../server/src/testing/postgres.ts'
import { type Provider, startProvider } from '../provider/provider.ts'
import { type RoundRobin, startRoundRobin } from './round-robin.ts'

export interface Member {
  readonly url: URL
  /** The administrator, at this process. */
  readonly admin: Client
  readonly link: Link
  /** Of its process, 0 while there is none. */
  pid(): number
  kill(): Promise<void>
  start(): Promise<void>
  isReady(): Promise<boolean>
}

export interface Cluster {
  readonly postgres: PostgresServer
  /** Of the proxy. */
  readonly url: string
  readonly members: readonly Member[]
  /** The administrator, by way of the proxy. */
  readonly admin: Client
  close(): Promise<void>
}

/** Makes a cluster; `models` are those of the model server. The processes start at the same moment, on an empty database. */
export const startCluster = async (count: number, models: readonly string[]): Promise<Cluster> => {
  const undo: (() => Promise<unknown>)[] = []
  const close = async (): Promise<void> => {
    for (const step of undo.splice(0).reverse()) await step()
  }
  try {
    // What is acknowledged must be there after a crash of the server, and so its log is written before.
    const postgres = await startPostgres(['synchronous_commit=on', `max_connections=${maxConnections}`])
    undo.push(postgres.stop)
    const provider: Provider = await startProvider()
    undo.push(() => provider.close())
    provider.control({ models: [...models] })
    const folder = await mkdtemp(join(tmpdir(), 'atrium-cluster-'))
    undo.push(() => rm(folder, { recursive: true, force: true }))
    const shared = {
      ENCRYPTION_KEY: randomBytes(32).toString('hex'),
      OLLAMA_BASE_URL: provider.url,
      DRAIN_SECONDS: '0',
    }
    const members = await Promise.all(
      Array.from({ length: count }, async (_, index) => {
        const link = await linkTo(postgres.url)
        undo.push(link.close)
        const member = await startMember(
          { ...shared, DATA_DIR: join(folder, String(index)), DATABASE_URL: link.url },
          link,
        )
        undo.push(member.kill)
        return member
      }),
    )
    const proxy: RoundRobin = await startRoundRobin(members.map(({ url }) => url))
    undo.push(proxy.close)
    const body = { username: 'admin', password: testPassword }
    const answer = await createClient(proxy.url).call(accountsRoutes.signup, { body })
    if (!('token' in answer)) throw new Error('The first account has to wait.')
    const { token } = answer
    const admins = members.map((member) => ({ ...member, admin: createClient(member.url.href, token) }))
    return { postgres, url: proxy.url, members: admins, admin: createClient(proxy.url, token), close }
  } catch (error) {
    await close()
    throw error
  }
}

export const maxConnections = 60

const startMember = async (env: Readonly<Record<string, string>>, link: Link): Promise<Omit<Member, 'admin'>> => {
  let running: AppProcess | null = await startAppProcess({ ...env, PORT: '0' })
  const url = new URL(running.url)
  return {
    url,
    link,
    pid: () => running?.pid ?? 0,
    async kill() {
      await running?.kill()
      running = null
    },
    async start() {
      running ??= await startAppProcess({ ...env, PORT: url.port })
    },
    isReady: async () =>
      await fetch(new URL('/health/ready', url)).then(
        ({ ok }) => ok,
        // It does not listen yet.
        () => false,
      ),
  }
}
