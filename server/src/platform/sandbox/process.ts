/**
 * One process of the sandbox, which runs one program: at the lowest priority, without an environment, and with nothing to
 * read but the server's own program and packages. It is killed with its group when its time is over, when it holds too
 * much memory, and when it is called off.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { setTimeout as pause } from 'node:timers/promises'
import { type Chunk, createChunkReader, readyForNext, splitIntoChunks } from '../work/chunks.ts'
import { createDeadline } from '../work/deadline.ts'
import { lowerPriority } from '../work/priority.ts'
import { readProcessUsage } from '../work/process-usage.ts'
import { readableFolders } from '../work/sandbox-paths.ts'
import { notRun, type SandboxEnd, type SandboxLanguage, type SandboxLimits, type SandboxOutcome } from './types.ts'
import { type Program, type ProgramResult, programsMayCome } from './wire.ts'

export interface SandboxProcess {
  /** Until it is killed or ends. */
  readonly isAlive: boolean
  /** Nobody waits for it yet: it loads behind everything else. */
  rest(): void
  /** Runs the one program of the process, which is gone afterwards. */
  run(program: Program, limits: SandboxLimits, signal: AbortSignal | undefined): Promise<SandboxOutcome>
  kill(): void
}

const watchMs = 50
/** An engine that is not loaded after so long will not be. */
const loadMs = 30_000
const readable = readableFolders()
/** What is in the pipes at the end comes within this time, or is not waited for. */
const closeMs = 2000
/** Pieces of one result: each is small, and more than this no program can leave. */
const mostParcels = 5000

/** Starts a process that loads an engine and waits; it does not keep the server alive. One that cannot start crashes. */
export const startProcess = (language: SandboxLanguage): SandboxProcess => {
  try {
    return watchProcess(forkFor(language))
  } catch {
    // Node throws where the system has no memory left for another process.
    return { isAlive: false, kill: () => undefined, rest: () => undefined, run: async () => notRun('crashed') }
  }
}

const forkFor = (language: SandboxLanguage): ChildProcess =>
  fork(new URL('./child.ts', import.meta.url), [language], {
    serialization: 'advanced',
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    // A group of its own, to be killed as a whole.
    detached: true,
    env: { TZ: 'UTC' },
    execArgv: [
      '--max-old-space-size=192',
      '--permission',
      ...readable.map((path) => `--allow-fs-read=${path}`),
      '--allow-worker',
      '--no-warnings',
    ],
  })

const watchProcess = (child: ChildProcess): SandboxProcess => {
  const ended = Promise.withResolvers<void>()
  const ready = Promise.withResolvers<void>()
  const closed = Promise.withResolvers<void>()
  child.on('close', () => closed.resolve())
  let alive = true
  const kill = (): void => {
    if (!alive) return
    alive = false
    try {
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL')
    } catch {
      // It has ended by itself.
      child.kill('SIGKILL')
    }
  }
  child.on('error', () => ((alive = false), ended.resolve()))
  child.on('exit', () => ((alive = false), ended.resolve()))
  child.once('message', (message) => message === programsMayCome && ready.resolve())
  child.unref()
  child.channel?.unref()

  return {
    get isAlive() {
      return alive
    },
    kill,
    rest: () => lowerPriority(child.pid, 'lowest'),
    async run(program, limits, signal) {
      child.ref()
      const output = {
        stdout: collect(child.stdout, limits.outputBytes),
        stderr: collect(child.stderr, limits.outputBytes),
      }
      const stop = Promise.withResolvers<SandboxEnd>()
      const timers: NodeJS.Timeout[] = []
      const stopped = () => stop.resolve('stopped')
      if (signal?.aborted) stopped()
      signal?.addEventListener('abort', stopped, { once: true })
      let startedAt = performance.now()
      try {
        const loading = setTimeout(() => stop.resolve('crashed'), loadMs)
        timers.push(loading)
        const early = await Promise.race([ready.promise, stop.promise, ended.promise.then(() => 'crashed' as const)])
        if (early) return outcomeOf(early, null, output, 0)
        clearTimeout(loading)
        // The engine is ours, and somebody waits for it; the program is not.
        lowerPriority(child.pid, 'lowest')
        startedAt = performance.now()
        const isLate = createDeadline(child.pid, limits.timeoutMs)
        timers.push(
          setInterval(() => {
            void readProcessUsage(child.pid).then((held) => {
              if (held && held.memoryMb > limits.memoryMb) stop.resolve('memory')
            })
            void isLate().then((late) => late && stop.resolve('timeout'))
          }, watchMs),
        )
        const result = receiveResult(child)
        await send(child, program)
        const end = await Promise.race([result, stop.promise, ended.promise.then(() => deathOf(child))])
        const durationMs = Math.round(performance.now() - startedAt)
        if (typeof end === 'string') {
          kill()
          await Promise.race([closed.promise, pause(closeMs)])
          return outcomeOf(end, null, output, durationMs)
        }
        const { sent } = end
        const arrived = Promise.all([output.stdout.reached(sent.stdout), output.stderr.reached(sent.stderr)])
        await Promise.race([arrived, pause(closeMs)])
        return outcomeOf(end.end, end, output, durationMs)
      } catch {
        // What it sent could not be read.
        return outcomeOf('crashed', null, output, Math.round(performance.now() - startedAt))
      } finally {
        for (const timer of timers) clearTimeout(timer)
        signal?.removeEventListener('abort', stopped)
        kill()
      }
    },
  }
}

/** V8 aborts when its heap is full, and the system kills when its memory is. */
const deathOf = ({ signalCode }: ChildProcess): SandboxEnd =>
  signalCode === 'SIGABRT' || signalCode === 'SIGKILL' || signalCode === 'SIGTRAP' ? 'memory' : 'crashed'

const send = async (child: ChildProcess, program: Program): Promise<void> => {
  for (const parcel of splitIntoChunks(program)) {
    if (!child.connected) return
    child.send(parcel, () => undefined)
    if (!('rest' in parcel)) await new Promise(setImmediate)
  }
}

const receiveResult = (child: ChildProcess): Promise<ProgramResult> => {
  const { promise, resolve, reject } = Promise.withResolvers<ProgramResult>()
  const receive = createChunkReader()
  let parcels = 0
  child.on('message', (parcel: Chunk) => {
    try {
      if (++parcels > mostParcels) throw new Error('A program left too much.')
      const result = receive(parcel)
      if (result) resolve(result.value as ProgramResult)
      else setImmediate(() => child.connected && child.send(readyForNext, () => undefined))
    } catch (error) {
      reject(error as Error)
    }
  })
  return promise
}

interface Collected {
  text(): string
  /** Resolves once so many bytes came, or as many as are kept. */
  reached(bytes: number): Promise<void>
}

/** What comes over a pipe, up to a limit. */
const collect = (stream: NodeJS.ReadableStream | null, limit: number): Collected => {
  const pieces: Buffer[] = []
  let bytes = 0
  let wanted = Number.POSITIVE_INFINITY
  const all = Promise.withResolvers<void>()
  const look = () => bytes >= wanted && all.resolve()
  stream?.on('data', (piece: Buffer) => {
    const some = piece.subarray(0, Math.max(0, limit - bytes))
    bytes += some.byteLength
    if (some.byteLength > 0) pieces.push(some)
    look()
  })
  stream?.on('close', () => all.resolve())
  return {
    text: () => new TextDecoder().decode(Buffer.concat(pieces)),
    reached(count) {
      wanted = Math.min(count, limit)
      look()
      return all.promise
    },
  }
}

const outcomeOf = (
  end: SandboxEnd,
  result: ProgramResult | null,
  output: { readonly stdout: Collected; readonly stderr: Collected },
  durationMs: number,
): SandboxOutcome => ({
  end,
  stdout: output.stdout.text(),
  stderr: output.stderr.text(),
  droppedBytes: result?.droppedBytes ?? 0,
  out: result?.out ?? [],
  kept: result?.kept ?? [],
  removed: result?.removed ?? [],
  problems: result?.problems ?? [],
  durationMs,
})
