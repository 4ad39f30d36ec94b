/** A program of an agent: started in a group of its own, so that it ends with all that it started itself. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { kill } from 'node:process'
import type { Readable, Writable } from 'node:stream'
import { ProviderFailure } from '../../providers/types.ts'

export interface ProcessRequest {
  readonly path: string
  readonly args: readonly string[]
  readonly folder: string
  readonly environment: Readonly<Record<string, string>>
}

export interface AgentProcess {
  /** Of its group, too; undefined where it could not be started. */
  readonly pid: number | undefined
  readonly stdin: Writable
  readonly stdout: Readable
  /** The end of what it wrote for people, which nobody is shown. */
  errors(): string
  /** How it ended, in words; resolves once. */
  readonly exited: Promise<string>
  /** Ends the whole group: asked first, and after 300 ms killed. Resolves when it is gone. */
  end(): Promise<void>
}

/** That a program is gone which should be there; `how` is what `exited` told. */
export const stoppedWorking = (name: string, how: string): ProviderFailure =>
  new ProviderFailure('unreachable', `${name} stopped working: it ${how}.`)

/** Rejects with that when it ends. */
export const rejectGone = async ({ exited }: Pick<AgentProcess, 'exited'>, name: string): Promise<never> => {
  throw stoppedWorking(name, await exited)
}

/** Between asking a group to end and killing it. */
const graceMs = 300
const maxErrorChars = 8000

export const startProcess = ({ path, args, folder, environment }: ProcessRequest): AgentProcess => {
  const child = spawn(path, args, { cwd: folder, env: { ...environment }, detached: true, stdio: 'pipe' })
  const exited = new Promise<string>((resolve) => {
    child.once('error', (error) =>
      resolve(`could not be started (${'code' in error ? String(error.code) : error.name})`),
    )
    child.once('exit', (code, signal) => {
      // What it started and left behind is in its group still.
      signalGroup(child.pid, 'SIGKILL')
      resolve(signal ? `was ended by ${signal}` : `ended with code ${code}`)
    })
  })
  // Its end is told by `exited`; a write that comes too late is no fault of ours.
  child.stdin.on('error', () => undefined)
  let errors = ''
  child.stderr.setEncoding('utf8').on('data', (piece: string) => {
    errors = `${errors}${piece}`.slice(-maxErrorChars)
  })
  return {
    pid: child.pid,
    stdin: child.stdin,
    stdout: child.stdout,
    errors: () => errors,
    exited,
    async end() {
      if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return
      signalGroup(child.pid, 'SIGTERM')
      const timer = setTimeout(() => signalGroup(child.pid, 'SIGKILL'), graceMs)
      await exited
      clearTimeout(timer)
    },
  }
}

const signalGroup = (pid: number | undefined, signal: NodeJS.Signals): void => {
  if (pid === undefined) return
  try {
    kill(-pid, signal)
  } catch (error) {
    // The group may be gone already.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

/** What a program prints, up to so many characters, when it is run to its end; null when it fails or takes too long. */
export const readOutput = async (
  request: ProcessRequest,
  timeoutMs: number,
  maxChars: number,
): Promise<string | null> => {
  const running = startProcess(request)
  running.stdin.end()
  let text = ''
  let late = false
  const timer = setTimeout(() => {
    late = true
    void running.end()
  }, timeoutMs)
  running.stdout.setEncoding('utf8').on('data', (piece: string) => {
    if (text.length < maxChars) text += piece.slice(0, maxChars - text.length)
  })
  const closed = once(running.stdout, 'close')
  const how = await running.exited
  clearTimeout(timer)
  // A pipe that something outside of the group holds open is not waited for.
  await Promise.race([closed, new Promise((go) => setTimeout(go, graceMs))])
  return late || how !== 'ended with code 0' ? null : text
}
