/**
 * The processes of agents, one for each chat that talks to one: in a folder of the chat, kept between turns, and ended
 * when nobody has used them for a while, when a turn is stopped or fails, and with the server.
 */
import { rm, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { Platform } from '../../platform/platform.ts'
import { type Part, ProviderFailure, type Turn } from '../../providers/types.ts'
import { type AgentConnection, SessionLost } from './connection.ts'
import type { AgentDefinition } from './definition.ts'
import { knownFile, listAccounts, readKnown, runningFolder } from './folders.ts'
import { forgetRunning, noteRunning } from './leftovers.ts'
import { type AgentProcess, rejectGone } from './process.ts'
import { firstOf, isArgument, rejectAborted, rejectLater, startAgent, workFolder } from './start.ts'
import { noAccess, runTurn } from './turn.ts'
import { allWords, type KnownSession, newWords, replayWire, sessionOf } from './words.ts'

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
  /** Ends what runs for a chat and removes its folder. */
  removeChat(chatId: string): Promise<void>
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
  /** Whether an account may talk to agents now. */
  readonly mayUse: (accountId: string) => Promise<boolean>
  /** How often that is asked of those who have one, in ms. */
  readonly lookMs?: number
  /** After how long without a turn a process is ended. */
  readonly idleMs?: number
  /** Until the first word of the protocol. */
  readonly connectMs?: number
}

interface LiveAgent {
  readonly key: string
  readonly name: string
  readonly accountId: string
  /** What it was started for: another agent or model wants another process. */
  readonly startedFor: string
  readonly process: AgentProcess
  readonly connection: AgentConnection
  known: KnownSession | null
  idle: NodeJS.Timeout | undefined
  busy: boolean
  /** What its output belongs to: a turn has a limit of its own, and who takes up a session may tell all of it again. */
  doing: 'turn' | 'entering' | 'nothing'
  /** Aborted with the reason when its account lost the right to it. */
  readonly lost: AbortController
}

const maxProcesses = 16
/** Of a session that is told again. */
const maxReplayBytes = 64_000_000

export const createAgentChats = (deps: AgentChatsDeps): AgentChats => {
  const { clock, log, idleMs = 10 * 60_000, connectMs = 60_000, lookMs = 1000 } = deps
  const live = new Map<string, LiveAgent>()
  const starting = new Set<AgentProcess>()
  /** Starts that are under way, from before there is a process. */
  let starts = 0
  let closed = false

  const end = async (agent: LiveAgent): Promise<void> => {
    if (live.get(agent.key) === agent) live.delete(agent.key)
    clearTimeout(agent.idle)
    await agent.process.end()
  }
  const endLater = (agent: LiveAgent): void =>
    void end(agent).catch((error: unknown) => log.error('an agent could not be ended', { error }))

  /** Ends one that writes too much without being asked. */
  const watchOutput = (one: LiveAgent, maxBytes: number): void => {
    let bytes = 0
    one.process.stdout.on('data', (chunk: Buffer) => {
      bytes = one.doing === 'turn' ? 0 : bytes + chunk.length
      if (bytes > (one.doing === 'entering' ? Math.max(maxBytes, maxReplayBytes) : maxBytes)) endLater(one)
    })
  }

  /** Ends those of accounts that may not talk to agents any more. */
  const endLost = async (): Promise<void> => {
    for (const accountId of new Set([...live.values()].map((one) => one.accountId))) {
      if (await deps.mayUse(accountId)) continue
      for (const one of live.values()) {
        if (one.accountId !== accountId) continue
        one.lost.abort(noAccess(one.name))
        endLater(one)
      }
    }
  }
  // Whatever took the right: the role, a group, the settings, in whichever process.
  let looking: Promise<void> | null = null
  const looks = setInterval(() => {
    // One at a time: a database that is slow is not asked more and more.
    looking ??= endLost()
      .catch((error: unknown) => log.warn('who may use agents could not be read', { error }))
      .finally(() => (looking = null))
  }, lookMs).unref()

  /** So that it is ended by the next start, should this process be killed. */
  const keepNote = ({ pid, exited }: AgentProcess): void => {
    if (pid === undefined) return
    const notes = runningFolder(deps.folder)
    const failed = (error: unknown) => log.error('an agent that runs could not be noted', { error })
    const noted = noteRunning(notes, pid).catch(failed)
    void exited.then(() => noted.then(() => forgetRunning(notes, pid)).catch(failed))
  }

  /** Takes a place among the starts, which its start gives back. */
  const takeRoom = async (): Promise<void> => {
    while (live.size + starts >= maxProcesses) {
      const unused = [...live.values()].find(({ busy }) => !busy)
      if (!unused)
        throw new ProviderFailure('overloaded', 'Too many agents are at work on this server. Try again later.')
      await end(unused)
    }
    starts += 1
  }

  const start = async (question: AgentQuestion, key: string, resume: KnownSession | null): Promise<LiveAgent> => {
    const { agent, path, model, accountId, turn, signal } = question
    await takeRoom()
    let begun: AgentProcess | null = null
    try {
      if (closed) throw new ProviderFailure('aborted', 'The server is stopping.')
      const { process, connection } = await startAgent({
        agent,
        path,
        model,
        folder: join(deps.folder, key),
        environment: deps.environmentOf(agent),
        known: resume,
        images: newWords(turn).images,
        signal,
        connectMs,
        begun(process) {
          begun = process
          starting.add(process)
          // It was decided on before the end of the server, and is there only now.
          if (closed) void process.end()
          keepNote(process)
        },
      })
      const startedFor = purposeOf(agent, model)
      const one: LiveAgent = {
        key,
        name: agent.name,
        accountId,
        startedFor,
        process,
        connection,
        known: null,
        idle: undefined,
        busy: true,
        doing: 'nothing',
        lost: new AbortController(),
      }
      live.set(key, one)
      watchOutput(one, agent.maxOutputBytes)
      void process.exited.then(() => {
        if (live.get(key) === one) live.delete(key)
      })
      return one
    } finally {
      starts -= 1
      if (begun) starting.delete(begun)
    }
  }

  /** The agent for a turn: the one that lives where it can go on, else a new one. */
  const take = async (question: AgentQuestion, key: string, resume: KnownSession | null): Promise<LiveAgent> => {
    const one = live.get(key)
    if (!one) return await start(question, key, resume)
    clearTimeout(one.idle)
    const isOther = one.startedFor !== purposeOf(question.agent, question.model)
    // Where another process of the server went on with its session, it has an old state of it.
    const canGoOn = resume === null ? one.connection.opensSessions : isSame(one.known, resume)
    if (isOther || !canGoOn) {
      await end(one)
      return await start(question, key, resume)
    }
    one.busy = true
    return one
  }

  async function* answer(
    question: AgentQuestion,
    key: string,
    resume: KnownSession | null,
  ): AsyncGenerator<readonly Part[]> {
    const { agent, model, turn, signal } = question
    const one = await take(question, key, resume)
    let isWhole = false
    try {
      const { process, connection } = one
      const folder = workFolder(join(deps.folder, key))
      const isOpen = resume !== null && isSame(one.known, resume)
      one.known = null
      one.doing = 'entering'
      const entering = connection.enter({ folder, model, resume: resume?.session ?? null, isOpen })
      const { name, maxOutputBytes } = agent
      const { session, isKnown } = await firstOf(
        entering,
        rejectAborted(signal),
        rejectGone(process, name),
        rejectLater(connectMs, new ProviderFailure('timeout', `${name} did not begin in time.`)),
      ).catch((error: unknown) => {
        one.lost.signal.throwIfAborted()
        const isOwn = signal.aborted || !(error instanceof ProviderFailure) || error.kind === 'no_key'
        // Whatever is wrong with a session: it is not taken up a second time.
        throw resume === null || isOpen || isOwn ? error : new SessionLost(name)
      })
      const words = isKnown ? newWords(turn) : allWords(turn)
      // Until this turn has come to its end nobody knows what the session holds.
      await rm(knownFile(deps.folder, key), { force: true })
      const { silenceMs } = deps
      const newId = () => clock.id()
      one.doing = 'turn'
      const ended = yield* runTurn({
        name,
        process,
        connection,
        session,
        words,
        signal,
        silenceMs,
        maxOutputBytes,
        newId,
        lost: one.lost.signal,
        mayUse: () => deps.mayUse(question.accountId),
      })
      if (signal.aborted || ended === null) return
      isWhole = connection.staysOpen
      if (ended.session === null) return
      const known: KnownSession = { session: ended.session, answer: clock.id(), tokens: ended.tokens }
      one.known = known
      await writeFile(knownFile(deps.folder, key), JSON.stringify(known), { mode: 0o600 })
      yield [{ type: 'replay', wire: replayWire, item: known }]
    } finally {
      one.busy = false
      one.doing = 'nothing'
      // After a turn that was stopped or failed nobody knows what it does still.
      if (isWhole && !closed) one.idle = setTimeout(endLater, idleMs, one).unref()
      else endLater(one)
    }
  }

  return {
    get count() {
      return live.size + starting.size
    },

    async *ask(question) {
      const { accountId, agent, turn } = question
      if (turn.conversation === undefined)
        throw new ProviderFailure('rejected', `${agent.name} answers in chats alone.`)
      const key = join(accountId, turn.conversation)
      const wanted = sessionOf(turn)
      const own = live.get(key)?.known ?? null
      const kept = wanted && isSame(own, wanted) ? own : await readKnown(deps.folder, key)
      const resume = wanted && isSame(kept, wanted) && canResume(agent, kept) ? kept : null
      try {
        yield* answer(question, key, resume)
      } catch (error) {
        if (!(error instanceof SessionLost)) throw error
        // Nothing was said yet; the words of the chat are enough to go on with.
        yield* answer(question, key, null)
      }
    },

    async removeAccount(accountId) {
      await Promise.all([...live.values()].filter((one) => one.accountId === accountId).map(end))
      await rm(join(deps.folder, accountId), { recursive: true, force: true })
    },

    async removeChat(chatId) {
      await Promise.all([...live.values()].filter(({ key }) => basename(key) === chatId).map(end))
      for (const accountId of await listAccounts(deps.folder))
        await rm(join(deps.folder, accountId, chatId), { recursive: true, force: true })
    },

    async close() {
      closed = true
      clearInterval(looks)
      await Promise.all([...[...live.values()].map(end), ...[...starting].map((process) => process.end())])
    },
  }
}

const purposeOf = (agent: AgentDefinition, model: string): string => JSON.stringify([agent.id, model])

const isSame = (known: KnownSession | null, wanted: KnownSession): known is KnownSession =>
  known !== null && known.session === wanted.session && known.answer === wanted.answer

const canResume = (agent: AgentDefinition, { session }: KnownSession): boolean =>
  agent.speaks === 'acp' || (agent.resumeArgs !== undefined && isArgument(session))
