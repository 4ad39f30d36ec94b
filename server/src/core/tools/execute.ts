/** Runs one call that may run: within its time, beside few others of its account, and ended with its answer. While it asks its person it takes nobody’s place. */
import type { Log } from '../../platform/log/log.ts'
import { isRefusal } from '../../platform/http/refusal.ts'
import { type ConcurrencyLimit, createConcurrencyLimit } from './concurrency-limit.ts'
import { CallTaken } from './running.ts'
import type { CatalogTool, ToolContext, ToolOutput, ToolQuestions } from './types.ts'

export interface Execution {
  readonly tool: CatalogTool
  readonly args: Record<string, unknown>
  readonly context: Omit<ToolContext, 'signal'> & ToolQuestions
  readonly signal: AbortSignal
  /** It begins. */
  began(): Promise<void>
}

/** Rejects only with the reason of an aborted signal, and with CallTaken. */
export type Execute = (execution: Execution) => Promise<ToolOutput>

const mostAtOnce = 4

export const createExecute = (log: Log): Execute => {
  const limit = createConcurrencyLimit(mostAtOnce)
  return async ({ tool, args, context, signal, began }) => {
    const place = await takePlace(limit, context.accountId, signal)
    const time = createTimer(tool.timeoutMs)
    try {
      signal.throwIfAborted()
      await began()
      const ended = AbortSignal.any([signal, time.signal])
      const ask: ToolQuestions['ask'] = (question) => time.without(() => place.without(() => context.ask(question)))
      return await untilAborted(ended, tool.run(args, { ...context, signal: ended, ask }))
    } catch (error) {
      signal.throwIfAborted()
      if (error instanceof CallTaken) throw error
      return { text: wordsOf(error, time.signal, tool, log), isError: true }
    } finally {
      time.end()
      place.leave()
    }
  }
}

/** A place among the calls of an account, which is free for others while a person is asked. */
const takePlace = async (limit: ConcurrencyLimit, accountId: string, signal: AbortSignal) => {
  let leave = await limit.enter(accountId, signal)
  let asked = 0
  let hasEnded = false
  return {
    async without<T>(work: () => Promise<T>): Promise<T> {
      asked += 1
      if (asked === 1) leave()
      try {
        return await work()
      } finally {
        asked -= 1
        if (asked === 0) {
          leave = await limit.enter(accountId, signal)
          if (hasEnded) leave()
        }
      }
    },
    leave() {
      hasEnded = true
      leave()
    },
  }
}

/** A tool that does not look at its signal is left behind. */
const untilAborted = <T>(signal: AbortSignal, work: Promise<T>): Promise<T> => {
  const { promise, reject } = Promise.withResolvers<never>()
  const abort = () => reject(signal.reason)
  if (signal.aborted) abort()
  else signal.addEventListener('abort', abort, { once: true })
  return Promise.race([work, promise]).finally(() => signal.removeEventListener('abort', abort))
}

const wordsOf = (error: unknown, time: AbortSignal, tool: CatalogTool, log: Log): string => {
  if (time.aborted) return `It took longer than ${Math.round(tool.timeoutMs / 1000)} seconds and was stopped.`
  if (isRefusal(error)) return error.message
  log.error('a tool failed', { tool: tool.id, error })
  return 'It failed on this server. Trying again at once won’t help.'
}

/** A time limit that stands still while a person is asked. */
const createTimer = (ms: number) => {
  const controller = new AbortController()
  let left = ms
  let since = performance.now()
  let timer = setTimeout(() => controller.abort(), ms)
  let asked = 0
  return {
    signal: controller.signal,
    async without<T>(work: () => Promise<T>): Promise<T> {
      asked += 1
      if (asked === 1) {
        clearTimeout(timer)
        left -= performance.now() - since
      }
      try {
        return await work()
      } finally {
        asked -= 1
        if (asked === 0) {
          since = performance.now()
          timer = setTimeout(() => controller.abort(), Math.max(left, 0))
        }
      }
    },
    end: () => clearTimeout(timer),
  }
}
