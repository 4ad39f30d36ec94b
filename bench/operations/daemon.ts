/** The bridge to the agent daemon: the same questions to the daemon alone and through Atrium, in turn. */
import { startAgentDaemon } from '../../e2e/agent-daemon/daemon.ts'
import { type Bed, makeBed } from '../bed.ts'
import { spread } from '../load.ts'

const rounds = 200
/** A daemon that reads files for its answers takes about so long. */
const usualAnswerMs = 20

export interface DaemonFigures {
  readonly alone: number
  readonly through: number
}

/** Medians in milliseconds, of a list of twenty runs and of a page of 500 events. */
export async function measureDaemon(): Promise<{
  readonly runs: DaemonFigures
  readonly events: DaemonFigures
  /** Of a daemon that answers at once. */
  readonly atOnce: DaemonFigures
}> {
  const slow = await withDaemon(usualAnswerMs, async (compare) => ({
    runs: await compare('/runs', '/runs'),
    events: await compare('/runs/ID/events', '/runs/ID/events?limit=500'),
  }))
  return { ...slow, atOnce: await withDaemon(0, (compare) => compare('/runs', '/runs')) }
}

type Compare = (ofDaemon: string, ofBridge: string) => Promise<DaemonFigures>

async function withDaemon<T>(answerMs: number, work: (compare: Compare) => Promise<T>): Promise<T> {
  const daemon = await startAgentDaemon({ answerMs })
  const bed = await makeBed({ accounts: 1, models: ['echo:latest'], environment: { HARNESS_BASE_URL: daemon.url } })
  const ask = (path: string): Promise<unknown> => fetch(daemon.url + path).then((answer) => answer.json())
  try {
    const ids: string[] = []
    for (let n = 0; n < 20; n += 1) ids.push(await startRun(bed, n === 0 ? 'use 250 tools' : 'look'))
    const of = (path: string): string => path.replace('ID', ids[0] ?? '')
    return await work(async (ofDaemon, ofBridge) => {
      const alone: number[] = []
      const through: number[] = []
      // What runs for the first time is compiled then.
      for (let n = -20; n < rounds; n += 1) {
        const direct = await time(() => ask(of(ofDaemon)))
        const bridged = await time(() => bed.call(bed.tokens[0] ?? '', 'GET', `/api/harness${of(ofBridge)}`))
        if (n < 0) continue
        alone.push(direct)
        through.push(bridged)
      }
      return { alone: spread(alone).p50, through: spread(through).p50 }
    })
  } finally {
    await bed.close()
    await daemon.close()
  }
}

const startRun = async (bed: Bed, message: string): Promise<string> =>
  (await bed.call<{ runId: string }>(bed.tokens[0] ?? '', 'POST', '/api/harness/runs', { message })).runId

async function time(run: () => Promise<unknown>): Promise<number> {
  const begun = performance.now()
  await run()
  return performance.now() - begun
}
