/**
 * Many automations of many accounts that are due in the same second, on three processes with one PostgreSQL of which one is
 * killed in the middle: how soon each has run, that each ran once, and what others notice of it; and what they cost while
 * nothing is due.
 */
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { accountsRoutes } from '@atrium/contract/accounts'
import { automationsRoutes } from '@atrium/contract/automations'
import { channelsRoutes } from '@atrium/contract/channels'
import pg from 'pg'
import { startProvider } from '../../e2e/provider/provider.ts'
import { createApp } from '../../server/src/app/app.ts'
import { configFromEnv } from '../../server/src/app/config.ts'
import { quickHashes } from '../../server/src/testing/accounts.ts'
import { type AppProcess, startAppProcess } from '../../server/src/testing/app-process.ts'
import { testPassword } from '../../server/src/testing/app.ts'
import { type Client, createClient } from '../../server/src/testing/client.ts'
import { startPostgres } from '../../server/src/testing/postgres.ts'
import { signedIn } from '../../server/src/testing/sign-in.ts'
import { createLog } from '../../server/src/platform/log/log.ts'
import { pause, processor } from '../bed.ts'
import { spread } from '../load.ts'
import { wide } from '../wide.ts'

const model = 'echo'
const idleSeconds = 20
/** So long it takes at most to make an account with its channel and its automation; more on a machine that does other work. */
const makingMs = Number(process.env['TEAM_MAKING_MS'] ?? 60)
const atOnce = 8

export interface AutomationFigures {
  readonly automations: number
  /** Share of one core, of each process, while nothing is due. */
  readonly idleCores: readonly number[]
  /** From the second in which they are due until all runs are written and all next times moved. */
  readonly rowsMs: number
  /** Until all texts are in their channels; one process was killed when half of them were. */
  readonly effectsMs: number
  readonly runs: number
  readonly effects: number
  /** Of a page's answer to somebody else, before and meanwhile. */
  readonly pages: { readonly idle: ReturnType<typeof spread>; readonly busy: ReturnType<typeof spread> }
  readonly withModel: { readonly automations: number; readonly runs: number; readonly effectsMs: number }
}

/** `withModel`: so many of them ask a model that answers at once, in a second of their own. */
export async function measureAutomations(automations: number, withModel: number): Promise<AutomationFigures> {
  process.env['ATRIUM_TEST_MAIN'] = fileURLToPath(new URL('../operations/process.ts', import.meta.url))
  const undo: (() => Promise<unknown>)[] = []
  try {
    const postgres = await startPostgres(['synchronous_commit=on', 'max_connections=80'])
    undo.push(postgres.stop)
    const provider = await startProvider()
    undo.push(() => provider.close())
    provider.control({ models: [model] })
    const folder = await mkdtemp(join(tmpdir(), 'atrium-automations-'))
    undo.push(() => rm(folder, { recursive: true, force: true }))
    const env = {
      PORT: '0',
      DATABASE_URL: postgres.url,
      ENCRYPTION_KEY: randomBytes(32).toString('hex'),
      OLLAMA_BASE_URL: provider.url,
      DRAIN_SECONDS: '0',
    }
    const dueAt = Math.ceil((Date.now() + (automations + withModel) * makingMs) / 1000) * 1000 + 150_000
    const modelDueAt = dueAt + 180_000
    const token = await makeAll({ ...env, DATA_DIR: join(folder, 'seed') }, [
      { count: automations, dueAt, asksModel: false },
      { count: withModel, dueAt: modelDueAt, asksModel: true },
    ])
    const processes = await Promise.all(
      ['a', 'b', 'c'].map((name) => startAppProcess({ ...env, DATA_DIR: join(folder, name) })),
    )
    undo.push(() => Promise.all(processes.map((each) => each.kill())))
    const database = new pg.Client(postgres.url)
    await database.connect()
    undo.push(() => database.end())
    if (Date.now() > dueAt - 45_000) throw new Error('Making the automations took longer than was thought.')

    const [first, second] = processes as [AppProcess, AppProcess]
    await pause(10_000)
    const idleCores = await measureIdle(processes)
    const reader = createClient(first.url, token)
    const idle = await askPages(reader, () => Date.now() < dueAt - 2000)
    await pause(dueAt - Date.now())
    let isDone = false
    const busy = askPages(reader, () => !isDone)
    const counted = await untilAllRan(database, { count: automations, dueAt, half: () => second.kill() })
    isDone = true
    const busyPages = await busy
    await pause(Math.max(0, modelDueAt - Date.now()))
    const asked = await untilAllRan(database, { count: withModel, dueAt: modelDueAt, half: async () => undefined })
    return {
      automations,
      idleCores,
      ...counted,
      pages: { idle, busy: busyPages },
      withModel: { automations: withModel, runs: asked.runs, effectsMs: asked.effectsMs },
    }
  } finally {
    for (const step of undo.reverse()) await step()
  }
}

interface Wanted {
  readonly count: number
  readonly dueAt: number
  readonly asksModel: boolean
}

/** Each automation is of an account of its own, and posts in a channel of its own. Gives the token of one more account. */
async function makeAll(env: Readonly<Record<string, string>>, wanted: readonly Wanted[]): Promise<string> {
  const log = createLog({ level: 'silent' })
  const app = await createApp(configFromEnv(env), { log, limits: wide, passwordCosts: quickHashes })
  try {
    const url = await app.listen()
    const signIn = async (username: string): Promise<string> => {
      const body = { username, password: testPassword }
      await app.accounts.createAccount(body)
      return signedIn(await createClient(url).call(accountsRoutes.login, { body })).token
    }
    const makers = wanted.flatMap(({ count, ...how }) => Array.from({ length: count }, () => how))
    let next = 0
    const make = async (): Promise<void> => {
      for (let index = next++; index < makers.length; index = next++) {
        const { dueAt, asksModel } = makers[index] as Omit<Wanted, 'count'>
        const client = createClient(url, await signIn(`person${index}`))
        const { id: channelId } = await client.call(channelsRoutes.create, { body: { type: 'private', name: 'News' } })
        await client.call(automationsRoutes.create, {
          body: {
            name: 'News',
            instructions: 'Good morning.',
            triggers: [{ kind: 'once', at: new Date(dueAt).toISOString() }],
            selection: { providerType: 'local', providerId: null, model },
            asksModel,
            target: { kind: 'channel', channelId },
            retries: 3,
            notify: 'off',
          },
        })
      }
    }
    await Promise.all(Array.from({ length: atOnce }, make))
    return await signIn('reader')
  } finally {
    await app.stop()
  }
}

async function measureIdle(processes: readonly AppProcess[]): Promise<number[]> {
  const before = processes.map(({ pid }) => processor(pid))
  const began = performance.now()
  await pause(idleSeconds * 1000)
  const spent = performance.now() - began
  return processes.map(({ pid }, index) => (processor(pid) - (before[index] ?? 0)) / spent)
}

async function askPages(client: Client, goesOn: () => boolean): Promise<ReturnType<typeof spread>> {
  const times: number[] = []
  while (goesOn()) {
    const began = performance.now()
    await client.call(automationsRoutes.list, {})
    times.push(performance.now() - began)
    await pause(50)
  }
  return spread(times)
}

async function untilAllRan(
  database: pg.Client,
  { count, dueAt, half }: { readonly count: number; readonly dueAt: number; readonly half: () => Promise<void> },
): Promise<{ rowsMs: number; effectsMs: number; runs: number; effects: number }> {
  const ask = async (statement: string): Promise<number> =>
    Number((await database.query<{ n: string }>(statement)).rows[0]?.n ?? 0)
  const runsThen = `select count(*) n from automation_runs where scheduled_for = ${dueAt}`
  let rowsMs = 0
  let wasHalf = false
  for (;;) {
    const [runs, ended, effects] = [
      await ask(runsThen),
      await ask(`${runsThen} and state = 'succeeded'`),
      await ask(
        `select count(*) n from channel_messages m join automation_runs r on r.id = m.id where r.scheduled_for = ${dueAt}`,
      ),
    ]
    if (rowsMs === 0 && runs >= count) rowsMs = Date.now() - dueAt
    if (!wasHalf && effects >= count / 2) {
      wasHalf = true
      await half()
    }
    if (ended >= count) return { rowsMs, effectsMs: Date.now() - dueAt, runs, effects }
    if (Date.now() > dueAt + 30 * 60_000) throw new Error(`After half an hour ${ended} of ${count} runs had succeeded.`)
    await pause(250)
  }
}
