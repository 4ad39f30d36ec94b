/** What a call through Atrium takes over the same call by the bare library, and how fast Stop is. */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { childrenOf, isWorking, niceOf } from '../../server/src/testing/processes.ts'
import { type Bed, makeBed, pause } from '../bed.ts'
import { spread } from '../load.ts'
import { ms, type Row } from '../row.ts'
import { ratio } from './row.ts'
import { startSlowServer } from './servers.ts'

const rounds = 45
/** A server is called so often in a minute at most. */
const minuteMs = 61_000
const model = 'echo:bench'
const slow = 'long-5000-drip-20:bench'
const loadsMs = 2500
/** A call that does something: the same here and there. */
const takesMs = 50

export async function measureCalls(): Promise<Row[]> {
  const server = await startSlowServer(takesMs)
  const url = server.url.replace('127.0.0.1', 'tools.example.org')
  const environment = { OUTBOUND_ALLOW: new URL(url).host, NODE_OPTIONS: '--import ./bench/tools/names.mjs' }
  const bed = await makeBed({ accounts: 1, models: [model, slow], environment })
  const client = new Client({ name: 'bench', version: '1' }, { versionNegotiation: { mode: 'auto' } })
  try {
    const token = bed.tokens[0] ?? ''
    const body = { name: 'Slow', kind: 'mcp', baseUrl: url, accessMode: 'all-users' }
    const { id } = await bed.call<{ id: string }>(token, 'POST', '/api/tools/servers', body)
    await bed.call(token, 'PUT', `/api/tools/servers/${id}/tools/wait`, { sideEffect: false })
    await client.connect(new StreamableHTTPClientTransport(new URL(server.url)))

    const bare: number[] = []
    const through: number[] = []
    for (let round = 0; round < rounds + 5; round += 1) {
      const began = performance.now()
      await client.callTool({ name: 'wait', arguments: {} })
      const took = performance.now() - began
      const gap = await askAndLook(bed, token, '<<Slow__wait>>')
      // The first ones only warm both up.
      if (round < 5) continue
      bare.push(took)
      through.push(gap)
    }
    await pause(minuteMs)
    const four: number[] = []
    for (let round = 0; round < 5; round += 1)
      four.push(await askAndLook(bed, token, Array.from({ length: 4 }, () => '<<Slow__wait {"ms":1000}>>').join(' ')))

    const [one, other] = [spread(through), spread(bare)]
    const stops = await measureStops(bed, token, server)
    return [
      [
        `A call of ${takesMs} ms through Atrium over the same by the bare library, median`,
        `${ms(one.p50)} / ${ms(other.p50)} = ${ratio(one.p50, other.p50)}, adds ${ms(one.p50 - other.p50)}`,
        '≤ 1.3×, ≤ 15 ms',
      ],
      ['… 95th percentile', `${ms(one.p95)} / ${ms(other.p95)}`, ''],
      ['Four calls of 1 s in one round, median', ms(spread(four).p50), '≤ 1.3 s'],
      ...stops,
    ]
  } finally {
    await client.close()
    await bed.close()
    await server.close()
  }
}

interface Asked {
  readonly path: string
  readonly at: number
  readonly endedAt: number | null
}

const heard = async (bed: Bed): Promise<Asked[]> =>
  ((await (await fetch(`${bed.provider}/control`)).json()) as { requests: Asked[] }).requests.filter(
    ({ path }) => path === '/api/chat',
  )

/** From the end of the model's call to the model being asked again: all that Atrium and the server do for it. */
async function askAndLook(bed: Bed, token: string, message: string): Promise<number> {
  const chat = await bed.chat(token, model)
  await bed.call(token, 'POST', `/api/chat/sessions/${chat}/generate`, { message })
  const [first, second] = (await heard(bed)).slice(-2)
  if (!first?.endedAt || !second) throw new Error('The model was not asked twice.')
  return second.at - first.endedAt
}

/** From the request to stop until the provider, the tool server and the program have heard of it. */
async function measureStops(bed: Bed, token: string, server: Awaited<ReturnType<typeof startSlowServer>>) {
  const figures = { provider: [] as number[], call: [] as number[], program: [] as number[] }
  const start = async (name: string, message: string) => {
    const chat = await bed.chat(token, name)
    const path = `/api/chat/sessions/${chat}/generations`
    const { assistantMessage } = await bed.call<{ assistantMessage: { id: string } }>(token, 'POST', path, { message })
    return () => bed.call(token, 'POST', `${path}/${assistantMessage.id}/cancel`)
  }
  for (let round = 0; round < 10; round += 1) {
    const call = server.next()
    const stopCall = await start(model, '<<Slow__wait {"ms":60000}>>')
    await call.begun
    const began = performance.now()
    await Promise.all([stopCall(), call.cut])
    figures.call.push(performance.now() - began)

    const stopAnswer = await start(slow, 'Say much.')
    await until(async () => (await heard(bed)).at(-1)?.endedAt === null)
    const asked = Date.now()
    await stopAnswer()
    await until(async () => (await heard(bed)).at(-1)?.endedAt !== null)
    figures.provider.push(((await heard(bed)).at(-1)?.endedAt ?? 0) - asked)

    // The process that is loaded ahead has done so by then.
    await pause(loadsMs)
    const stopProgram = await start(model, '<<run_code {"language":"javascript","code":"for (;;);"}>>')
    let running: number | undefined
    await until(async () => {
      running = childrenOf(bed.pid).find(isRunning)
      return running !== undefined
    })
    const sent = performance.now()
    await stopProgram()
    await until(async () => !childrenOf(bed.pid).includes(running ?? 0))
    figures.program.push(performance.now() - sent)
  }
  const told = (what: string, all: readonly number[]): Row => [
    `Stop until ${what} ended: median, longest`,
    `${ms(spread(all).p50)}, ${ms(Math.max(...all))}`,
    '≤ 300 ms',
  ]
  return [
    told('the request to the provider', figures.provider),
    told('a call at its server', figures.call),
    told('the process of a program', figures.program),
  ]
}

const until = async (holds: () => Promise<boolean>): Promise<void> => {
  while (!(await holds())) await pause(2)
}

/** Its program runs: its main thread has the lowest priority by then, and no rest. */
const isRunning = (pid: number): boolean => niceOf(pid) === 19 && isWorking(pid)
