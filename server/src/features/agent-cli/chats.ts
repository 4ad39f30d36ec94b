/**
 * The processes of agents, one for each chat that talks to one: in a folder of the chat, kept between turns, and ended
 * when nobody has used them for a while, when a turn is stopped or fails, and with the server.
 */
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Platform } from '../../platform/platform.ts'
import { type Part, ProviderFailure, type Turn } from '../../providers/types.ts'
import { type AcpConnection, connectAcp } from './acp/connection.ts'
import type { AgentDefinition } from './definition.ts'
import { type AgentProcess, startProcess, stoppedWorking } from './process.ts'
import { runTurn } from './turn.ts'
import { type KnownSession, allWords, newWords, replayWire, sessionOf } from './words.ts'

export interface AgentQuestion {
  readonly accountId: string
  readonly agent: AgentDefinition
  /** Where its command is. */
  readonly path: string
  readonly model: string
  readonly turn: Turn
  readonly signal: AbortSignal
}

export interface AgentChats {
  /** The parts of an answer. Throws ProviderFailure. */
  ask(question: AgentQuestion): AsyncGenerator<readonly Part[]>
  /** Ends what runs for an account and removes its folders. */
  removeAccount(accountId: string): Promise<void>
  /** Ends everything. */
  close(): Promise<void>
  /** Processes that live now. */
  readonly count: number
}

export interface AgentChatsDeps extends Pick<Platform, 'clock' | 'log'> {
  /** Of all chats with agents. */
  readonly folder: string
  readonly environmentOf: (agent: AgentDefinition) => Readonly<Record<string, string>>
  readonly silenceMs: number
  /** After how long without a turn a process is ended. */
  readonly idleMs?: number
  /** Until the first word of the protocol. */
  readonly connectMs?: number
}

interface LiveAgent {
  readonly key: string
  readonly accountId: string
  /** What it was started for: another agent or model wants another process. */
  readonly startedFor: string
  readonly process: AgentProcess
  readonly connection: AcpConnection
  known: KnownSession | null
  idle: NodeJS.Timeout | undefined
  busy: boolean
}

const maxProcesses = 16

export const createAgentChats = (deps: AgentChatsDeps): AgentChats => {
  const { clock, log, idleMs = 10 * 60_000, connectMs = 60_000 } = deps
  const live = new Map<string, LiveAgent>()
  const starting = new Set<AgentProcess>()
  let closed = false

  const end = async (agent: LiveAgent): Promise<void> => {
    if (live.get(agent.key) === agent) live.delete(agent.key)
    clearTimeout(agent.idle)
    await agent.process.end()
  }
  const endLater = (agent: LiveAgent): void =>
    void end(agent).catch((error: unknown) => log.error('an agent could not be ended', { error }))

  const makeRoom = async (): Promise<void> => {
    if (live.size + starting.size < maxProcesses) return
    const unused = [...live.values()].find(({ busy }) => !busy)
    if (!unused) throw new ProviderFailure('overloaded', 'Too many agents are at work on this server. Try again later.')
    await end(unused)
  }

  const start = async ({ agent, path, model, accountId, signal }: AgentQuestion, key: string): Promise<LiveAgent> => {
    await makeRoom()
    if (closed) throw new ProviderFailure('aborted', 'The server is stopping.')
    const folder = folderOf(deps.folder, key)
    await mkdir(folder, { recursive: true, mode: 0o700 })
    const modelArgs = (agent.modelArgs ?? []).map((word) => word.replaceAll('{model}', model))
    const args = model === 'default' ? agent.args : [...agent.args, ...modelArgs]
    const process = startProcess({ path, args, folder, environment: deps.environmentOf(agent) })
    starting.add(process)
    try {
      const connection = await firstOf(
        connectAcp(agent, process),
        process.exited.then((how) => {
          throw stoppedWorking(agent.name, how)
        }),
        rejectGarbage(process, agent.name),
        rejectLater(
          connectMs,
          () => new ProviderFailure('timeout', `${agent.name} did not answer when it was started.`),
        ),
        rejectAborted(signal),
      )
      const started: LiveAgent = {
        key,
        accountId,
        startedFor: purposeOf(agent, model),
        process,
        connection,
        known: null,
        idle: undefined,
        busy: true,
      }
      live.set(key, started)
      void process.exited.then(() => {
        if (live.get(key) === started) live.delete(key)
      })
      return started
    } catch (error) {
      await process.end()
      throw error
    } finally {
      starting.delete(process)
    }
  }

  /** The session that the turn goes on in, and whether it knows the chat already. */
  const openSession = async (one: LiveAgent, { turn, model }: AgentQuestion) => {
    const wanted = sessionOf(turn)
    const isSame = (known: KnownSession | null) =>
      known !== null && known.session === wanted?.session && known.answer === wanted.answer
    if (wanted && isSame(one.known)) return { session: wanted.session, isKnown: true }
    const folder = folderOf(deps.folder, one.key)
    if (wanted && one.known === null && one.connection.loadsSessions && isSame(await readKnown(folder))) {
      try {
        await one.connection.load(wanted.session, folder)
        return { session: wanted.session, isKnown: true }
      } catch (error) {
        // It has forgotten the session; the words of the chat are enough to go on with.
        if (!(error instanceof ProviderFailure)) throw error
      }
    }
    return { session: await one.connection.open(folder, model), isKnown: false }
  }

  return {
    get count() {
      return live.size + starting.size
    },

    async *ask(question) {
      const { accountId, agent, model, turn, signal } = question
      if (turn.conversation === undefined)
        throw new ProviderFailure('rejected', `${agent.name} answers in chats alone.`)
      const key = join(accountId, turn.conversation)
      const before = live.get(key)
      if (before && before.startedFor !== purposeOf(agent, model)) await end(before)
      let one = live.get(key)
      if (one) {
        clearTimeout(one.idle)
        one.busy = true
      } else one = await start(question, key)
      let isWhole = false
      try {
        const { session, isKnown } = await firstOf(openSession(one, question), rejectAborted(signal))
        const words = isKnown ? newWords(turn) : allWords(turn)
        one.known = null
        const { process, connection } = one
        const { name } = agent
        const newId = () => clock.id()
        yield* runTurn({ name, process, connection, session, words, signal, silenceMs: deps.silenceMs, newId })
        if (signal.aborted) return
        const known = { session, answer: clock.id() }
        one.known = known
        await writeFile(knownFile(folderOf(deps.folder, key)), JSON.stringify(known), { mode: 0o600 })
        yield [{ type: 'replay', wire: replayWire, item: known }]
        isWhole = true
      } finally {
        one.busy = false
        // After a turn that was stopped or failed nobody knows what it does still.
        if (isWhole && !closed) one.idle = setTimeout(endLater, idleMs, one).unref()
        else endLater(one)
      }
    },

    async removeAccount(accountId) {
      await Promise.all([...live.values()].filter((one) => one.accountId === accountId).map(end))
      await rm(join(deps.folder, accountId), { recursive: true, force: true })
    },

    async close() {
      closed = true
      await Promise.all([...[...live.values()].map(end), ...[...starting].map((process) => process.end())])
    },
  }
}

const purposeOf = (agent: AgentDefinition, model: string): string => JSON.stringify([agent.id, model])

/** Where the agent works. What is known of its session stands beside it, out of its reach by relative paths. */
const folderOf = (root: string, key: string): string => join(root, key, 'work')
const knownFile = (folder: string): string => join(folder, '..', 'session.json')

const readKnown = async (folder: string): Promise<KnownSession | null> => {
  try {
    return JSON.parse(await readFile(knownFile(folder), 'utf8')) as KnownSession
  } catch {
    // There was no turn yet, or its file is of no use: a new session is begun.
    return null
  }
}

const firstOf = <T>(...work: [Promise<T>, ...Promise<never>[]]): Promise<T> => Promise.race(work)

/** Lines that are no messages of the protocol before it is taken for another program; some agents greet first. */
const maxStrayLines = 20

const rejectGarbage = ({ stdout }: AgentProcess, name: string): Promise<never> =>
  new Promise((_, reject) => {
    let stray = 0
    const read = (chunk: Buffer): void => {
      const text = chunk.toString('latin1')
      if (text.includes('"jsonrpc"')) stdout.off('data', read)
      stray += text.split('\n').length - 1
      if (stray <= maxStrayLines) return
      stdout.off('data', read)
      reject(new ProviderFailure('malformed', `${name} does not speak its protocol.`))
    }
    stdout.on('data', read)
  })

const rejectLater = (ms: number, error: () => Error): Promise<never> =>
  new Promise((_, reject) => setTimeout(() => reject(error()), ms).unref())

const rejectAborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    const stop = (): void => reject(new ProviderFailure('aborted', 'The answer was stopped.'))
    if (signal.aborted) stop()
    signal.addEventListener('abort', stop, { once: true })
  })
