/** Counts what this process asks of the threads of SQLite databases: each message wakes a thread. */
import { Worker } from 'node:worker_threads'
import type { Command } from '../platform/db/sqlite/messages.ts'

/** What went to a thread in one message, in order. */
export type Message = readonly Command[]

export interface DatabaseWork {
  /** Since it began, or was cleared. */
  readonly messages: readonly Message[]
  clear(): void
  stop(): void
}

/** Listens from now on. */
export const watchDatabaseWork = (): DatabaseWork => {
  const post = Worker.prototype.postMessage
  const messages: Message[] = []
  Worker.prototype.postMessage = function (message: unknown, ...rest): void {
    if (isMessage(message)) messages.push(message)
    post.call(this, message, ...rest)
  }
  return {
    messages,
    clear: () => void messages.splice(0),
    stop() {
      Worker.prototype.postMessage = post
    },
  }
}

/** The statements of a message, for people and for patterns; `commit` and the like by their verbs. */
export const statementsOf = (message: Message): string =>
  message.map((command) => [command[1], typeof command[2] === 'string' ? command[2] : ''].join(' ').trim()).join('\n')

const isMessage = (message: unknown): message is Message =>
  Array.isArray(message) && message.length > 0 && message.every((each) => Array.isArray(each) && isVerb(each[1]))

const isVerb = (value: unknown): boolean =>
  /^(open|run|begin|read|refuse|commit|rollback|close|end)$/.test(String(value))
