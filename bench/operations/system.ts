/** The system report and the metrics: how long they take, and what they cost everybody else. */
import { type Bed, type Lateness, makeBed, pause } from '../bed.ts'
import { spread } from '../load.ts'
import { startEngine } from './engine.ts'

const rounds = 60
const metricsToken = 'measurement-token-0123456789'

export interface SystemFigures {
  readonly report: Spread
  readonly reportOfMany: Spread
  /** The worst of both. */
  readonly lateness: Lateness
  /** One report, with an engine that never answers. */
  readonly deadEngineMs: number
  readonly scrape: Spread
  /** Requests in a second, and the same while the metrics are read every second. */
  readonly requests: { readonly without: number; readonly scraped: number }
}
type Spread = ReturnType<typeof spread>

export async function measureSystem(): Promise<SystemFigures> {
  const few = await withEngine(5, async (bed) => {
    const report = await times(rounds, () => readReport(bed))
    const scrape = await times(rounds, () => readMetrics(bed))
    const lateness = await bed.lateness()
    // In turn, so that both meet the same machine.
    const without: number[] = []
    const scraped: number[] = []
    for (let turn = 0; turn < 5; turn += 1) {
      without.push(await requestsPerSecond(bed, false))
      scraped.push(await requestsPerSecond(bed, true))
    }
    return { report, scrape, lateness, requests: { without: middle(without), scraped: middle(scraped) } }
  })
  const many = await withEngine(10_000, async (bed) => {
    const report = await times(rounds, () => readReport(bed))
    return { report, lateness: await bed.lateness() }
  })
  const deadEngineMs = await withEngine(null, async (bed) => {
    const [took = 0] = await takeTimes(1, () => readReport(bed))
    return took
  })
  const worse = many.lateness.max > few.lateness.max ? many.lateness : few.lateness
  return { ...few, reportOfMany: many.report, lateness: worse, deadEngineMs }
}

async function withEngine<T>(containers: number | null, work: (bed: Bed) => Promise<T>): Promise<T> {
  const engine = await startEngine(containers)
  const environment = { WORK_DOCKER_SOCKET: engine.path, METRICS_TOKEN: metricsToken }
  const bed = await makeBed({ accounts: 1, models: ['echo:latest'], environment })
  try {
    // What runs for the first time is compiled then.
    await takeTimes(5, () => readReport(bed))
    await bed.lateness()
    return await work(bed)
  } finally {
    await bed.close()
    await engine.close()
  }
}

const readReport = (bed: Bed): Promise<unknown> => bed.call(bed.tokens[0] ?? '', 'GET', '/api/system')

async function readMetrics({ url }: Bed): Promise<void> {
  const answer = await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${metricsToken}` } })
  if (!answer.ok) throw new Error(`the metrics answered ${answer.status}`)
  await answer.text()
}

/** Eight callers that ask one thing after the other, for two seconds. */
async function requestsPerSecond(bed: Bed, scraped: boolean): Promise<number> {
  const until = performance.now() + 2000
  let count = 0
  const ask = async (): Promise<void> => {
    while (performance.now() < until) {
      await bed.call(bed.tokens[0] ?? '', 'GET', '/api/preferences')
      count += 1
    }
  }
  const scrape = async (): Promise<void> => {
    while (scraped && performance.now() < until) {
      await readMetrics(bed)
      await pause(1000)
    }
  }
  await Promise.all([...Array.from({ length: 8 }, ask), scrape()])
  return count / 2
}

const times = async (count: number, run: () => Promise<unknown>): Promise<Spread> => spread(await takeTimes(count, run))

async function takeTimes(count: number, run: () => Promise<unknown>): Promise<number[]> {
  const taken: number[] = []
  for (let n = 0; n < count; n += 1) {
    const begun = performance.now()
    await run()
    taken.push(performance.now() - begun)
  }
  return taken
}

const middle = (values: readonly number[]): number => spread(values).p50
