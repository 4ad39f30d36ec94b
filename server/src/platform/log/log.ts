/** The log: one JSON object per line. What looks like a secret does not get through, whoever hands it in. */
import { pino } from 'pino'
import { maskText } from './mask.ts'
import type { RecentLines } from './recent-lines.ts'
import { scrub } from './scrub.ts'

export const logLevels = ['debug', 'info', 'warn', 'error', 'silent'] as const
export type LogLevel = (typeof logLevels)[number]

/** Plain values that say more about a line: ids, counts, durations, an `error`. Never content of a user. */
export type LogFields = Readonly<Record<string, unknown>>

export interface Log {
  debug(message: string, fields?: LogFields): void
  info(message: string, fields?: LogFields): void
  /** Something went wrong that the program expects to happen; errors are written without their stack. */
  warn(message: string, fields?: LogFields): void
  /** A bug, or a failure somebody must look at; errors are written with their stack. */
  error(message: string, fields?: LogFields): void
  /** A log whose lines carry `scope` (nested scopes are joined by a slash). */
  child(scope: string): Log
}

/**
 * Opens a log that writes lines at or above `level` to standard output.
 * `write` receives the lines instead (each ends with a line feed). `recent` keeps the last of them besides.
 */
export const createLog = (options: { level: LogLevel; write?: (line: string) => void; recent?: RecentLines }): Log => {
  const { write, recent } = options
  // Not synchronous, so that a reader that stalls holds nobody up; what is left is written out at exit.
  const output = write ? { write } : pino.destination({ fd: 1, sync: false })
  const target = recent ? { write: (line: string) => (recent.add(line), void output.write(line)) } : output
  const out = pino(
    {
      level: options.level,
      base: null,
      messageKey: 'message',
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
    },
    target,
  )
  return scoped(out, null)
}

const scoped = (out: pino.Logger, scope: string | null): Log => {
  const line = (level: 'debug' | 'info' | 'warn' | 'error') => (message: string, fields?: LogFields) => {
    if (!out.isLevelEnabled(level)) return
    const plain = fields ? scrub(fields, { stacks: level === 'error' }) : {}
    out[level](scope === null ? { fields: plain } : { scope, fields: plain }, maskText(message))
  }
  return {
    debug: line('debug'),
    info: line('info'),
    warn: line('warn'),
    error: line('error'),
    child: (name) => scoped(out, scope === null ? name : `${scope}/${name}`),
  }
}
