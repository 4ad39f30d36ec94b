/**
 * The processes of one instance, as they tell each other every few seconds through the database. Nothing is stored: who
 * was not heard for a while is not listed. On SQLite there is only this one.
 */
import { hostname } from 'node:os'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { z } from 'zod'
import type { Clock } from '../clock.ts'
import type { Database } from '../db/types.ts'
import type { Log } from '../log/log.ts'

/** `leaving`: it takes no more work, and ends once what runs has ended. */
export const processPhases = ['starting', 'ready', 'leaving'] as const
export type ProcessPhase = (typeof processPhases)[number]

/** What only the app can count. */
export interface ProcessLoad {
  /** Event streams and sockets that are open. */
  readonly streams: number
  /** Answers that are being written. */
  readonly answers: number
}

const Report = z.object({
  id: z.string(),
  host: z.string(),
  pid: z.number(),
  version: z.string(),
  /** Milliseconds since 1970. */
  startedAt: z.number(),
  phase: z.enum(processPhases),
  /** How late the event loop was since the last report, in milliseconds: most of the time, and at worst. */
  loopDelayMs: z.number(),
  loopDelayMaxMs: z.number(),
  /** How many cores it kept busy since the last report. */
  cpuCores: z.number(),
  rssBytes: z.number(),
  heapUsedBytes: z.number(),
  streams: z.number(),
  answers: z.number(),
  /** Of its encryption key; processes of older versions do not tell. */
  keyFingerprint: z.string().max(64).optional(),
  /** Of the key before it, while that is replaced. */
  previousKeyFingerprint: z.string().max(64).optional(),
})
export type ProcessReport = Readonly<z.infer<typeof Report>>

export interface Processes {
  readonly phase: ProcessPhase
  /** This process first, then those that were heard lately, the oldest first. */
  list(): readonly ProcessReport[]
  /** How many there are, with this one. */
  readonly count: number
  /** Whether another process is there that takes work. */
  hasOthers(): boolean
  /** Begins to tell and to listen. */
  start(load: () => ProcessLoad): Promise<void>
  enter(phase: ProcessPhase): Promise<void>
  /** Tells the others that this one is gone. */
  stop(): Promise<void>
}

/** What a message of a process says; both null where another version says it otherwise. */
export const readReport = (message: string): { gone: string | null; report: ProcessReport | null } => {
  const said = JSON.parse(message) as { readonly gone?: string }
  if (typeof said.gone === 'string') return { gone: said.gone, report: null }
  return { gone: null, report: Report.safeParse(said).data ?? null }
}

export const processChannel = 'processes'
const everyMs = 5000
/** Who was silent for so long is not listed any more. */
const silentMs = 3 * everyMs
/** Between two looks at the event loop; each costs a little, also while nobody is there. */
const resolutionMs = 50

export const createProcesses = (parts: {
  readonly database: Pick<Database, 'notify' | 'listen'>
  readonly clock: Clock
  readonly log: Log
  readonly processId: string
  readonly version: string
  readonly keyFingerprint?: string
  readonly previousKeyFingerprint?: string | undefined
  /** Another pace, for tests. */
  readonly everyMs?: number
}): Processes => {
  const { database, clock, log, processId } = parts
  const paceMs = parts.everyMs ?? everyMs
  const startedAt = clock.now()
  const others = new Map<string, { readonly report: ProcessReport; readonly heardAt: number }>()
  const delay = monitorEventLoopDelay({ resolution: resolutionMs })
  let phase: ProcessPhase = 'starting'
  let load: () => ProcessLoad = () => ({ streams: 0, answers: 0 })
  let measured = { loopDelayMs: 0, loopDelayMaxMs: 0, cpuCores: 0 }
  let cpu = { ...process.cpuUsage(), at: performance.now() }
  let timer: NodeJS.Timeout | null = null
  let unlisten = (): void => undefined

  const own = (): ProcessReport => {
    const { rss, heapUsed } = process.memoryUsage()
    return {
      id: processId,
      host: hostname(),
      pid: process.pid,
      version: parts.version,
      keyFingerprint: parts.keyFingerprint,
      previousKeyFingerprint: parts.previousKeyFingerprint,
      startedAt,
      phase,
      rssBytes: rss,
      heapUsedBytes: heapUsed,
      ...measured,
      ...load(),
    }
  }
  const forgetSilent = (): void => {
    const since = clock.now() - silentMs
    for (const [id, { heardAt }] of others) if (heardAt < since) others.delete(id)
  }
  const listOthers = (): ProcessReport[] => {
    forgetSilent()
    return [...others.values()].map(({ report }) => report).toSorted((a, b) => a.startedAt - b.startedAt)
  }
  let told = Promise.resolve()
  /** One after the other: a report that overtook the goodbye would bring this process back. */
  const tell = (message: object): Promise<void> => {
    told = told.then(() => sendNow(message))
    return told
  }
  const sendNow = async (message: object): Promise<void> => {
    try {
      await database.notify(processChannel, JSON.stringify(message))
    } catch (error) {
      // The next report is told in a few seconds.
      log.debug('Other processes could not be told of this one.', { error })
    }
  }
  const report = async (): Promise<void> => {
    const spent = process.cpuUsage(cpu)
    const at = performance.now()
    measured = {
      cpuCores: Math.round(((spent.user + spent.system) / 1000 / Math.max(1, at - cpu.at)) * 1000) / 1000,
      loopDelayMs: inMilliseconds(delay.percentile(99)),
      loopDelayMaxMs: inMilliseconds(delay.max),
    }
    cpu = { ...process.cpuUsage(), at }
    delay.reset()
    await tell(own())
  }
  const hear = (message: string): void => {
    const { gone, report: said } = readReport(message)
    if (gone !== null) others.delete(gone)
    if (!said || said.id === processId) return
    const isNew = !others.has(said.id)
    others.set(said.id, { report: said, heardAt: clock.now() })
    if (isNew) void tell(own())
  }

  return {
    get phase() {
      return phase
    },
    get count() {
      forgetSilent()
      return others.size + 1
    },
    list: () => [own(), ...listOthers()],
    hasOthers: () => listOthers().some((other) => other.phase === 'ready'),
    async start(count) {
      load = count
      delay.enable()
      unlisten = database.listen(processChannel, hear)
      timer = setInterval(() => void report(), paceMs).unref()
      await report()
    },
    async enter(next) {
      phase = next
      await report()
    },
    async stop() {
      if (timer) clearInterval(timer)
      delay.disable()
      unlisten()
      await tell({ gone: processId })
    },
  }
}

/** Of nanoseconds between two looks, what is beyond the pace of the looks. */
const inMilliseconds = (nanoseconds: number): number =>
  Number.isFinite(nanoseconds) ? Math.max(0, Math.round(nanoseconds / 100_000 - resolutionMs * 10) / 10) : 0
