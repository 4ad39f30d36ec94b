/** One process and three on the same cores, with one PostgreSQL, behind a round-robin proxy: what they carry, and how soon others take over. */
import { fileURLToPath } from 'node:url'
import { chatRoutes } from '@atrium/contract/chat'
import { documentsRoutes } from '@atrium/contract/documents'
import { durableJobsRoutes } from '@atrium/contract/durable-jobs'
import { userAdministrationRoutes } from '@atrium/contract/user-administration'
import { type Cluster, startCluster } from '../../e2e/cluster/cluster.ts'
import { testPassword } from '../../server/src/testing/app.ts'
import { type Client, createClient } from '../../server/src/testing/client.ts'
import { formOf } from '../../server/src/testing/documents.ts'
import { pause, processor } from '../bed.ts'
import { spread, stream } from '../load.ts'

const brief = 'echo:latest'
const lasting = 'long-5000-drip-20:bench'
const paced = 'long-200-drip-20:bench'
const models = [brief, lasting, paced]
/** A session has six streams open at most. */
const perAccount = 6
const accounts = 10
const tokensPerSecond = 50
/** In each process before anything is measured. */
const warmAnswers = 250

export interface Carried {
  /** Answers in a second, eight at a time, each as short as can be. */
  readonly startedPerSecond: number
  /** Of all processes of Atrium, for each of them. */
  readonly cpuMsPerAnswer: number
  readonly streams: number
  /** Of the tokens that the model server gave to that many streams, how many came through. */
  readonly share: number
}
export interface ClusterFigures {
  readonly one: Carried
  readonly three: Carried
  /** How much later an event comes to whoever follows it on another process than the one that writes. */
  readonly lag: ReturnType<typeof spread>
  readonly answerTakenOverMs: number
  readonly jobTakenOverMs: number
  readonly servedAfterRestartMs: number
}

export async function measureCluster(seconds: number): Promise<ClusterFigures> {
  process.env['ATRIUM_TEST_MAIN'] = fileURLToPath(new URL('./process.ts', import.meta.url))
  const one = await withCluster(1, (cluster) => measureCarried(cluster, seconds))
  return await withCluster(3, async (cluster) => ({
    one,
    three: await measureCarried(cluster, seconds),
    lag: await measureLag(cluster),
    answerTakenOverMs: await measureAnswer(cluster),
    jobTakenOverMs: await measureJob(cluster),
    servedAfterRestartMs: await measureRestart(cluster),
  }))
}

async function withCluster<T>(count: number, work: (cluster: Cluster) => Promise<T>): Promise<T> {
  const cluster = await startCluster(count, models)
  try {
    return await work(cluster)
  } finally {
    await cluster.close()
  }
}

const processorOf = ({ members }: Cluster): number => members.reduce((sum, { pid }) => sum + processor(pid()), 0)

async function makeTokens({ admin, url }: Cluster): Promise<string[]> {
  const tokens: string[] = []
  for (let n = 0; n < accounts; n += 1) {
    const body = { username: `person${n}`, password: testPassword }
    await admin.call(userAdministrationRoutes.create, { body })
    const answer = await fetch(`${url}/api/auth/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    tokens.push(((await answer.json()) as { token: string }).token)
  }
  return tokens
}

const makeChat = async (client: Client, model: string): Promise<string> => {
  const selection = { providerType: 'local', providerId: null, model } as const
  return (await client.call(chatRoutes.create, { body: { title: 'Measured', selection } })).id
}

async function measureCarried(cluster: Cluster, seconds: number): Promise<Carried> {
  const tokens = await makeTokens(cluster)
  const clients = tokens.map((token) => createClient(cluster.url, token))
  const ask = (n: number, chat: string, signal?: AbortSignal, heard?: (frames: number) => void) =>
    stream({
      url: `${cluster.url}/api/chat/sessions/${chat}/generate/stream`,
      token: tokens[n] ?? '',
      body: { message: 'Hello there' },
      mark: 'event: text',
      ...(signal && { signal }),
      ...(heard && { heard }),
    })

  let started = 0
  const work = async (n: number, until: number): Promise<void> => {
    const chat = await makeChat(clients[n] as Client, brief)
    while (performance.now() < until) {
      await ask(n, chat)
      started += 1
    }
  }
  const everybody = (ms: number) => Promise.all(Array.from({ length: 8 }, (_, n) => work(n, performance.now() + ms)))
  // What runs for the first time is compiled then, and what runs often once more, in each process.
  while (started < warmAnswers * cluster.members.length) await everybody(2000)
  started = 0
  const [busy, began] = [processorOf(cluster), performance.now()]
  await everybody(seconds * 1000)
  const startedPerSecond = (started * 1000) / (performance.now() - began)
  const cpuMsPerAnswer = (processorOf(cluster) - busy) / started

  const streams = accounts * perAccount
  const enough = new AbortController()
  let frames = 0
  const open = new Set<number>()
  const running: Promise<unknown>[] = []
  for (let n = 0; n < streams; n += 1) {
    const chat = await makeChat(clients[n % accounts] as Client, lasting)
    const run = ask(n % accounts, chat, enough.signal, (more) => {
      frames += more
      open.add(n)
    })
    run.catch(() => undefined)
    running.push(run)
  }
  for (let waited = 0; open.size < streams && waited < 20_000; waited += 100) await pause(100)
  const [before, at] = [frames, performance.now()]
  await pause(seconds * 1000)
  const share = ((frames - before) * 1000) / (performance.now() - at) / (streams * tokensPerSecond)
  enough.abort()
  await Promise.allSettled(running)
  for (const client of clients) {
    const { items } = await client.call(chatRoutes.list, { query: { limit: 100 } })
    for (const { id } of items) await client.call(chatRoutes.remove, { params: { sessionId: id } })
  }
  return { startedPerSecond, cpuMsPerAnswer, streams: open.size, share }
}

const start = (client: Client, sessionId: string) =>
  client.call(chatRoutes.startGeneration, { params: { sessionId }, body: { message: 'Say some words.' } })

async function measureLag({ members }: Cluster): Promise<ReturnType<typeof spread>> {
  const [writer, other] = members.map(({ admin }) => admin)
  if (!writer || !other) throw new Error('two processes are needed')
  const sessionId = await makeChat(writer, paced)
  await start(writer, sessionId)
  const arrivals = async (client: Client): Promise<Map<number, number>> => {
    const times = new Map<number, number>()
    for await (const { seq } of client.follow(chatRoutes.events, { params: { sessionId }, query: {} }))
      times.set(seq, performance.now())
    return times
  }
  const [here, there] = await Promise.all([arrivals(writer), arrivals(other)])
  // What was written before both had begun to follow comes at once.
  const seen = [...there].slice(20).flatMap(([seq, at]) => {
    const first = here.get(seq)
    return first === undefined ? [] : [Math.max(0, at - first)]
  })
  return spread(seen)
}

const untilTrue = async (holds: () => Promise<boolean>): Promise<number> => {
  const began = performance.now()
  while (!(await holds().catch(() => false))) {
    if (performance.now() - began > 120_000) throw new Error('not within two minutes')
    await pause(50)
  }
  return performance.now() - began
}

/** From the death of its process to the moment at which another one says that the answer was interrupted. */
async function measureAnswer({ members: [here, there] }: Cluster): Promise<number> {
  if (!here || !there) throw new Error('two processes are needed')
  const sessionId = await makeChat(there.admin, lasting)
  const { assistantMessage } = await start(there.admin, sessionId)
  await pause(1500)
  await there.kill()
  const ms = await untilTrue(async () => {
    const { messages } = await here.admin.call(chatRoutes.read, { params: { sessionId }, query: {} })
    return messages.items.find(({ id }) => id === assistantMessage.id)?.status === 'interrupted'
  })
  await there.start()
  return ms
}

/** From the death of the process that reads a document to the moment at which another one works on it. */
async function measureJob({ admin, members }: Cluster): Promise<number> {
  const query = { all: 'true', kind: 'documents.ingest', state: 'running', limit: 10 } as const
  const runningOn = async (): Promise<number | null> => {
    const [job] = (await admin.call(durableJobsRoutes.list, { query })).items
    return job && 'process' in job ? (job.process?.pid ?? null) : null
  }
  for (let tries = 1; tries <= 5; tries += 1) {
    const text = Array.from({ length: 60_000 * tries }, (_, n) => `word${n % 5000} `).join('')
    await admin.call(documentsRoutes.upload, { file: await formOf(text, { name: `long${tries}.txt` }) })
    let pid: number | null = null
    for (let looks = 0; looks < 100 && pid === null; looks += 1) pid = await runningOn()
    const member = members.find((each) => each.pid() === pid)
    if (!member) continue
    await member.kill()
    // Asked of those that live: the proxy goes on to the next where nobody listens.
    const ms = await untilTrue(async () => {
      const other = await runningOn()
      return other !== pid && other !== null
    })
    await member.start()
    return ms
  }
  throw new Error('every document was read before anybody looked')
}

/** From the moment at which PostgreSQL takes connections again to the first chat that is saved. */
async function measureRestart({ admin, postgres }: Cluster): Promise<number> {
  await postgres.restart('fast')
  return await untilTrue(async () => (await makeChat(admin, brief)) !== '')
}
