/**
 * Runs programs that nobody vouches for: (code, files in, limits) → output, changed files, how it ended. Each has a
 * process of its own, and reaches neither the network, nor files of the server, nor anything of another run. Why it is
 * built so: `docs/decisions`. It refuses nothing by throwing: what goes wrong is how a run ended.
 */
import { availableParallelism } from 'node:os'
import { type SandboxProcess, startProcess } from './process.ts'
import { createTurns, type TurnRules } from './turns.ts'
import {
  notRun,
  type SandboxLanguage,
  type SandboxOutcome,
  type SandboxRun,
  sandboxLanguages,
  sandboxLimits,
} from './types.ts'

export { isGoodPath } from './left-files.ts'
export {
  type FolderProblem,
  type SandboxEnd,
  type SandboxFile,
  type SandboxLanguage,
  type SandboxOutcome,
  type SandboxRun,
  sandboxLimits,
} from './types.ts'

export interface Sandbox {
  /** Waits for its turn, and runs. Rejects with what its files could not be read for, and nothing else. */
  run(run: SandboxRun): Promise<SandboxOutcome>
  /** Runs under way and waiting. */
  readonly busy: number
  /** Ends all runs as stopped, and starts none any more. */
  close(): void
}

interface Entry {
  readonly run: SandboxRun
  settle(outcome: SandboxOutcome | Promise<SandboxOutcome>): void
}

/** A process that is loaded and waits is ended when nobody needed one for so long. */
const idleMs = 60_000
const places = Math.max(2, Math.min(4, availableParallelism()))
const usualRules: TurnRules = { places, placesOfOne: places / 2, waitingOfOne: 8 }

export const createSandbox = (rules: TurnRules = usualRules): Sandbox => {
  const turns = createTurns<Entry>(rules)
  const spares = new Map<SandboxLanguage, { readonly process: SandboxProcess; readonly timer: NodeJS.Timeout }>()
  const closing = new AbortController()
  let busy = 0

  const dropSpare = (language: SandboxLanguage): SandboxProcess | null => {
    const spare = spares.get(language)
    if (!spare) return null
    spares.delete(language)
    clearTimeout(spare.timer)
    return spare.process
  }
  /** Who ran one program often runs another one: the next process is loaded meanwhile. */
  const keepSpare = (language: SandboxLanguage): void => {
    if (closing.signal.aborted || spares.has(language)) return
    const timer = setTimeout(() => dropSpare(language)?.kill(), idleMs)
    timer.unref()
    const process = startProcess(language)
    process.rest()
    spares.set(language, { process, timer })
  }

  const advance = (): void => {
    for (let entry = turns.take(); entry; entry = turns.take()) begin(entry)
  }
  const begin = ({ run, settle }: Entry): void => {
    const outcome = runNow(run)
    settle(outcome)
    const leave = () => {
      turns.leave(run.accountId)
      advance()
      // Starting a process holds this one up: whoever waits for the outcome has it first.
      setImmediate(keepSpare, run.language)
    }
    outcome.then(leave, leave)
  }
  const runNow = async ({ language, code, readFiles, ...run }: SandboxRun): Promise<SandboxOutcome> => {
    const limits = { ...sandboxLimits, ...run.limits }
    const signal = run.signal ? AbortSignal.any([run.signal, closing.signal]) : closing.signal
    const files = await readFiles()
    if (signal.aborted) return notRun('stopped')
    const spare = dropSpare(language)
    const process = spare?.isAlive ? spare : startProcess(language)
    return await process.run({ code, files, limits }, limits, signal)
  }

  return {
    get busy() {
      return busy
    },
    async run(run) {
      if (run.signal?.aborted || closing.signal.aborted) return notRun('stopped')
      busy += 1
      const { promise, resolve } = Promise.withResolvers<SandboxOutcome>()
      const entry: Entry = { run, settle: resolve }
      const callOff = () => turns.remove(entry) && resolve(notRun('stopped'))
      run.signal?.addEventListener('abort', callOff, { once: true })
      closing.signal.addEventListener('abort', callOff, { once: true })
      try {
        if (!turns.add(run.accountId, entry)) return notRun('busy')
        advance()
        return await promise
      } finally {
        busy -= 1
        run.signal?.removeEventListener('abort', callOff)
        closing.signal.removeEventListener('abort', callOff)
      }
    },
    close() {
      closing.abort()
      for (const language of sandboxLanguages) dropSpare(language)?.kill()
    },
  }
}
