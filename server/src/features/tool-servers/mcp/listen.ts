/**
 * Hears from a server that its lists changed, while a connection to it stands: servers of 2026-07-28 are asked for a stream
 * of that (`subscriptions/listen`), older ones tell it on the stream that they have anyway.
 */
import type { AsyncLocalStorage } from 'node:async_hooks'
import type { Client } from '@modelcontextprotocol/client'
import type { ServerLink } from '../kind.ts'
import type { OpenConnection, Question } from './connections.ts'

/** So long a server may take to say that it will tell, and be silent afterwards. */
const acknowledgeMs = 10_000
const silenceMs = 5 * 60_000
const mostBytes = 1024 * 1024
/** Where the stream broke off, it is asked for again no sooner. */
const againMs = 60_000

/** `content`: resources or prompts. */
export type ChangedList = 'tools' | 'content'

export const hearChanges = (client: Client, changed: (list: ChangedList) => void): void => {
  client.setNotificationHandler('notifications/tools/list_changed', () => changed('tools'))
  client.setNotificationHandler('notifications/prompts/list_changed', () => changed('content'))
  client.setNotificationHandler('notifications/resources/list_changed', () => changed('content'))
}

/** Asks to be told, once, where the server can tell. Nobody waits for it. */
export const listenForChanges = (
  questions: AsyncLocalStorage<Question>,
  open: OpenConnection,
  link: ServerLink,
): void => {
  const { client } = open
  if (performance.now() < open.listensAgainAt || client.getProtocolEra() !== 'modern') return
  const { tools, prompts, resources } = client.getServerCapabilities() ?? {}
  const filter = {
    ...(tools?.listChanged && { toolsListChanged: true }),
    ...(prompts?.listChanged && { promptsListChanged: true }),
    ...(resources?.listChanged && { resourcesListChanged: true }),
  }
  if (Object.keys(filter).length === 0) return
  open.listensAgainAt = Number.POSITIVE_INFINITY
  const over = new AbortController()
  const { signal } = over
  const question: Question = {
    link,
    fetch: link.fetchWithin({ maxBytes: mostBytes, timeoutMs: silenceMs, signal }),
    deadline: {
      signal,
      isLate: () => false,
      isPausing: () => false,
      pausing: (work) => work(),
      end: () => undefined,
    },
    broken: () => undefined,
    spend: () => undefined,
    ask: null,
  }
  void questions.run(question, async () => {
    try {
      await (await client.listen(filter, { timeout: acknowledgeMs })).closed
    } catch {
      // It doesn't tell: its lists are looked at when their time is over.
    } finally {
      over.abort()
      // What changed meanwhile was told to nobody.
      open.digests = null
      open.listensAgainAt = performance.now() + againMs
    }
  })
}
