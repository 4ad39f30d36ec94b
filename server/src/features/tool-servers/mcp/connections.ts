/**
 * Open connections to MCP servers: one for each server and account, made when something is asked, closed when nothing was
 * asked for a minute. The library opens no socket: which `fetch` a request uses is that of the question it belongs to,
 * which the library's own calls carry along (`AsyncLocalStorage`).
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import {
  Client,
  ProtocolError,
  SSEClientTransport,
  SdkHttpError,
  StreamableHTTPClientTransport,
  type Transport,
  type jsonSchemaValidator,
} from '@modelcontextprotocol/client'
import { type CallContext, type GatedFetch, type ServerFault, type ServerLink } from '../kind.ts'
import { isLocal } from '../stdio/file.ts'
import type { LocalServers } from '../stdio/index.ts'
import type { Deadline } from './deadline.ts'
import { appExtension, appSupport } from './apps.ts'
import { askPerson } from './elicitation.ts'
import { type ChangedList, hearChanges, listenForChanges } from './listen.ts'
import { countingStream, opensSharedStream, spendOn } from './shared-stream.ts'

/** What requests belong to: one call, or one look at the tools. */
export interface Question {
  readonly link: ServerLink
  readonly fetch: GatedFetch
  readonly deadline: Deadline
  /** Ends it: what was to answer is gone. */
  readonly broken: (fault: ServerFault) => void
  /** Counts bytes of a stream that is not its own. */
  readonly spend: (bytes: number) => void
  /** Who can be asked for more; null where nobody is there. */
  readonly ask: CallContext['ask'] | null
}

export interface OpenConnection {
  readonly client: Client
  readonly revision: string | null
  /** The digests of the tools that the server listed last, by name; null: it was not asked, or says that they changed. */
  digests: ReadonlyMap<string, string> | null
  /** When they are looked at again, on the clock of `performance`. */
  digestsUntil: number
  /** When the server is asked again to tell of changes, on the same clock. */
  listensAgainAt: number
}

/** Closed after so long without a question. */
const usualIdleMs = 60_000
/** The library's own time is longer than ours, which stops while a person is asked. */
export const libraryMs = 24 * 60 * 60_000
const mostPages = 16
const closeMs = 2_000
/** A program of an older revision may not answer to the newer one’s first question at all. */
const programProbeMs = 3_000
const closeBytes = 64 * 1024
/** Until a stream begins. */
const headersMs = 30_000
/** Questions that a server may ask during one call. */
const mostRounds = 8

/** What connections are made with; `changed` hears that a server says its lists are others now. */
export interface ConnectionParts {
  readonly version: string
  readonly local: Pick<LocalServers, 'open' | 'isShared'>
  readonly changed: (serverId: string, accountId: string, list: ChangedList) => void
  /** Until a connection that nobody uses is closed, in milliseconds. */
  readonly idleMs?: number
}

export const createConnections = ({ version, local, changed, idleMs = usualIdleMs }: ConnectionParts) => {
  const questions = new AsyncLocalStorage<Question>()
  const entries = new Map<string, Entry>()
  const keyOf = ({ server, accountId }: { readonly server: { readonly id: string }; readonly accountId: string }) =>
    `${server.id} ${local.isShared(server.id) ? 'all' : accountId}`

  /** Requests of a question are made within its bounds; what is sent when none is open, such as the end of a session, in few bytes. */
  const fetchFor =
    (opener: ServerLink, active: ReadonlySet<Question>): GatedFetch =>
    (url, init) => {
      const question = questions.getStore()
      // It outlives the question that it was opened for; the library ends it with the connection.
      if (opensSharedStream(init))
        return countingStream(opener.fetchWithin(sharedBounds()), (bytes) => spendOn(active, bytes))(url, init)
      if (question && !question.deadline.signal.aborted) return question.fetch(url, init)
      const bounds = { maxBytes: closeBytes, timeoutMs: closeMs, signal: AbortSignal.timeout(closeMs) }
      return (question?.link ?? opener).fetchWithin(bounds)(url, init)
    }

  const open = async (link: ServerLink, active: ReadonlySet<Question>): Promise<OpenConnection> => {
    if (isLocal(link.server)) return await openProgram(link, active)
    const url = new URL(link.server.baseUrl)
    const fetch = fetchFor(link, active)
    try {
      return await connect(link, new StreamableHTTPClientTransport(url, { fetch, reconnectionOptions }), active)
    } catch (error) {
      if (!isOlderTransport(error)) throw error
      return await connect(link, new SSEClientTransport(url, { fetch }), active)
    }
  }

  const connect = async (
    { server, accountId }: ServerLink,
    transport: Transport,
    active: ReadonlySet<Question>,
    probeMs?: number,
  ): Promise<OpenConnection> => {
    const client = new Client(
      { name: 'atrium', title: 'Atrium', version },
      {
        capabilities: {
          elicitation: { form: { applyDefaults: true }, url: {} },
          extensions: { [appExtension]: appSupport },
        },
        versionNegotiation: { mode: 'auto', ...(probeMs ? { probe: { timeoutMs: probeMs } } : {}) },
        inputRequired: { maxRounds: mostRounds },
        listMaxPages: mostPages,
        jsonSchemaValidator: trustingValidator,
      },
    )
    client.setRequestHandler('elicitation/create', (request) => {
      // Servers of this revision end the call with what they ask, and are called anew with the answer.
      const repeatable = (client.getNegotiatedProtocolVersion() ?? '') >= '2026-07-28'
      return askPerson(request, askerOf(questions.getStore(), active), repeatable)
    })
    const { signal } = questions.getStore()?.deadline ?? {}
    try {
      await client.connect(transport, { timeout: libraryMs, ...(signal ? { signal } : {}) })
    } catch (error) {
      await client.close().catch(ignore)
      throw error
    }
    const revision = client.getNegotiatedProtocolVersion() ?? null
    const opened: OpenConnection = { client, revision, digests: null, digestsUntil: 0, listensAgainAt: 0 }
    hearChanges(client, (list) => {
      if (list === 'tools') opened.digests = null
      changed(server.id, accountId, list)
    })
    return opened
  }

  /** Whoever asks a program that ends hears why at once. */
  const openProgram = async (link: ServerLink, active: ReadonlySet<Question>): Promise<OpenConnection> => {
    const key = keyOf(link)
    const transport = await local.open(link.server.id, (fault) => {
      for (const question of active) question.broken(fault)
      drop(key)
    })
    return await connect(link, transport, active, programProbeMs)
  }

  const drop = (key: string, entry = entries.get(key), saying = false): void => {
    if (!entry) return
    clearTimeout(entry.timer)
    if (entries.get(key) === entry) entries.delete(key)
    // Closing cuts off what is still being said.
    const close = () => void entry.opened.then(({ client }) => client.close()).catch(ignore)
    if (saying) setTimeout(close, closeMs).unref()
    else close()
  }

  const useOnce = async <T>(question: Question, work: (open: OpenConnection) => Promise<T>): Promise<T> => {
    const { link, deadline } = question
    const key = keyOf(link)
    const known = entries.get(key)
    const active = known?.active ?? new Set<Question>()
    active.add(question)
    const entry: Entry = known ?? { opened: open(link, active), opener: deadline.signal, active, timer: undefined }
    if (!known) entries.set(key, entry)
    clearTimeout(entry.timer)
    let isOpen = false
    try {
      const opened = await orAborted(entry.opened, deadline.signal)
      isOpen = true
      const given = await orAborted(work(opened), deadline.signal)
      listenForChanges(questions, opened, link)
      return given
    } catch (error) {
      // What failed may be half open, and a connection that never came to be is tried anew; but where a call was
      // called off, or refused by the server, the connection is as good as before.
      const isSound = isOpen && deadline.signal.aborted && !deadline.isLate()
      if (!isSound && !(error instanceof ProtocolError)) drop(key, entry, deadline.signal.aborted)
      if (!isOpen && !deadline.signal.aborted && entry.opener.aborted) throw new OpenerLeft()
      throw error
    } finally {
      active.delete(question)
      if (active.size === 0 && entries.get(key) === entry) {
        entry.timer = setTimeout(() => drop(key, entry), idleMs)
        entry.timer.unref()
      }
    }
  }

  return {
    /** Does a part of a question with another `fetch`. */
    within: <T>(question: Question, fetch: GatedFetch, work: () => Promise<T>): Promise<T> =>
      questions.run(Object.assign({}, question, { fetch }), work),

    /** Asks something on the account's connection, which is opened for it. What `work` throws is the library's. */
    async use<T>(question: Question, work: (open: OpenConnection) => Promise<T>): Promise<T> {
      for (;;) {
        try {
          return await questions.run(question, () => useOnce(question, work))
        } catch (error) {
          // It is opened anew, for this one.
          if (!(error instanceof OpenerLeft)) throw error
        }
      }
    },

    forget(serverId: string, accountId?: string): void {
      for (const key of entries.keys())
        if (
          accountId === undefined
            ? key.startsWith(`${serverId} `)
            : key === keyOf({ server: { id: serverId }, accountId })
        )
          drop(key)
    },

    async close(): Promise<void> {
      const opened = [...entries.values()].map((entry) => entry.opened)
      for (const key of entries.keys()) drop(key)
      await Promise.allSettled(opened)
    },
  }
}

/** Whoever a connection was being opened for was called off, and with it what others waited for. */
class OpenerLeft extends Error {}

interface Entry {
  readonly opened: Promise<OpenConnection>
  /** Of the question that it was opened for. */
  readonly opener: AbortSignal
  /** What is asked just now. */
  readonly active: Set<Question>
  timer: NodeJS.Timeout | undefined
}

/** The gate bounds what streams of this kind say in all, and how long they are silent. */
const sharedBounds = () => ({ maxBytes: closeBytes, timeoutMs: headersMs, signal: new AbortController().signal })

const reconnectionOptions = {
  initialReconnectionDelay: 500,
  maxReconnectionDelay: 5_000,
  reconnectionDelayGrowFactor: 2,
  maxRetries: 2,
}

/** What servers of before 2025-03 say to a POST at the address of their stream. */
const isOlderTransport = (error: unknown): boolean =>
  error instanceof SdkHttpError && [400, 404, 405].includes(error.status)

/** Schemas of servers are not compiled here, where a pattern of theirs could hold up everybody. */
const trustingValidator: jsonSchemaValidator = {
  getValidator: () => (input) => ({ valid: true, data: input as never, errorMessage: undefined }),
}

/**
 * To whom a question of the server belongs: the call on whose stream it came. On a stream for all of them, that is the only
 * one there is; of several it cannot be told, and nobody is asked.
 */
const askerOf = (own: Question | undefined, active: ReadonlySet<Question>): Question | undefined => {
  if (own && active.has(own)) return own
  const [only, ...others] = active
  return others.length === 0 ? only : undefined
}

/** The library waits for a server that never ends a stream; we do not. */
const orAborted = async <T>(work: Promise<T>, signal: AbortSignal): Promise<T> => {
  const aborted = Promise.withResolvers<never>()
  const stop = () => aborted.reject(new DOMException('The call was cancelled.', 'AbortError'))
  if (signal.aborted) stop()
  signal.addEventListener('abort', stop)
  // Nobody else may be listening when the race is over.
  work.catch(ignore)
  aborted.promise.catch(ignore)
  return await Promise.race([work, aborted.promise]).finally(() => signal.removeEventListener('abort', stop))
}

const ignore = (): void => undefined
