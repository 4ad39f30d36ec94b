/** One process of Atrium, from its configuration to its end by a signal. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseDamagedError, DatabaseKeyError, DatabaseLockedError, MigrationError } from '../platform/db/index.ts'
import { Refusal } from '../platform/http/refusal.ts'
import { type Log, createLog } from '../platform/log/log.ts'
import { createRecentLines } from '../platform/log/recent-lines.ts'
import { VaultFailure } from '../platform/vault/failure.ts'
import { collectWhenIdle } from '../platform/work/idle-memory.ts'
import { type App, type Overrides, createApp } from './app.ts'
import { type Config, ConfigError, readConfig } from './config.ts'
import { type TakeOver, takeOver } from './recovery/take-over.ts'
import { StartError } from './start-error.ts'
import { version } from './version.ts'

/** Serves until a signal comes. `root` is the folder of the project, in which the built web app is. */
export const run = async (root: string): Promise<void> => {
  try {
    const config = readConfig()
    // On a terminal one wants to see what goes wrong, not every request.
    const level = config.logLevel ?? (process.stderr.isTTY ? 'warn' : 'info')
    const recentLines = createRecentLines()
    const log = createLog({ level, write: (line) => process.stderr.write(line), recent: recentLines })
    const running: { app: App } = { app: await createApp(config, overrides()) }
    function overrides(): Overrides {
      // Told by other processes and by its own, and once is enough.
      let isOver = false
      const restored = (): void => {
        if (!isOver) void beginAnew().catch(endUnstarted)
        isOver = true
      }
      return { log, recentLines, staticFolder: builtWebApp(root), restored }
    }
    const beginAnew = async (): Promise<void> => {
      await running.app.stop({ now: true })
      // Where any port was good, clients know this one now.
      const again = { ...config, port: Number(new URL(address).port) || config.port }
      log.info(takeOverWords[await takeOver(config)])
      running.app = await createApp(again, overrides())
      console.log(greeting(again, await listen(running.app, again), true))
    }
    endOnSignals(() => running.app, log, config.drainMs)
    collectWhenIdle()
    const address = await listen(running.app, config)
    console.log(greeting(config, address, await running.app.accounts.hasUsers()))
  } catch (error) {
    endUnstarted(error)
  }
}

const takeOverWords: Readonly<Record<TakeOver, string>> = {
  taken: 'A backup was restored',
  occupied: 'A restored backup was thrown away: there is an account',
  busy: 'A restored backup waits, because another process uses the database: stop all of them, and start one',
}

const endUnstarted = (error: unknown): never => {
  console.error(isExplained(error) ? `Atrium cannot start. ${(error as Error).message}` : error)
  process.exit(1)
}

const builtWebApp = (root: string): string | undefined => {
  const folder = join(root, 'web', 'dist')
  return existsSync(join(folder, 'index.html')) ? folder : undefined
}

const listen = async (app: App, { host, port }: Config): Promise<string> => {
  try {
    return await app.listen()
  } catch (error) {
    await app.stop()
    const { code } = error as NodeJS.ErrnoException
    const words = {
      EADDRINUSE: `Port ${port} is in use. Stop what uses it, or choose another one: PORT=${port + 1} npm start`,
      EACCES: `This user isn’t allowed to use port ${port}. Choose one above 1023 with PORT.`,
      EADDRNOTAVAIL: `${host} isn’t an address of this machine. Check HOST.`,
      ENOTFOUND: `${host} can’t be found. Check HOST.`,
    }[code ?? '']
    throw words ? new StartError(words) : error
  }
}

const greeting = (config: Config, address: string, hasUsers: boolean): string => {
  const url = config.baseUrl?.origin ?? address.replace(/\/\/(0\.0\.0\.0|\[::\]):/, '//localhost:')
  const hint = hasUsers ? '' : '\nThis is the first run: open the address and make the administrator’s account.'
  return `Atrium ${version} is ready at ${url}${hint}`
}

/** A terminal and npm both pass Ctrl-C on, so only a signal that comes later means impatience. */
const impatienceMs = 1500

const farewell = (running: number, drainMs: number): string =>
  `Atrium ends when ${running === 1 ? 'the answer that is' : `the ${running} answers that are`} being written ${running === 1 ? 'is' : 'are'} done, in ${drainMs / 1000} seconds at most. A second signal ends it now.`

const endOnSignals = (app: () => App, log: Log, drainMs: number): void => {
  let began: number | null = null
  const end = async (code: number): Promise<void> => {
    if (began !== null) {
      if (performance.now() - began > impatienceMs) process.exit(code || 130)
      return
    }
    began = performance.now()
    try {
      await app().stop({ now: code !== 0, told: (running) => console.log(farewell(running, drainMs)) })
    } catch (error) {
      log.error('The end was not clean', { error })
      process.exit(1)
    }
    process.exit(code)
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void end(0))
  const fail = (error: unknown): void => {
    log.error('Something failed that nobody waited for; the process ends', { error })
    void end(1)
  }
  process.on('uncaughtException', fail)
  process.on('unhandledRejection', fail)
}

const isExplained = (error: unknown): boolean =>
  [
    ...[ConfigError, StartError, VaultFailure, Refusal],
    ...[DatabaseDamagedError, DatabaseKeyError, DatabaseLockedError, MigrationError],
  ].some((kind) => error instanceof kind)
