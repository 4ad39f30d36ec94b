/**
 * One connection to an agent that prints JSON lines, by its table. Each turn has a process of its own where the agent
 * reads all of its input at once; else one process takes a line for each turn. What it prints is read as a stranger's
 * words.
 */
import { createFraming } from '../../../providers/framing.ts'
import { ProviderFailure } from '../../../providers/types.ts'
import {
  type AgentConnection,
  type SessionTokens,
  SessionLost,
  signInNeeded,
  type TurnListener,
} from '../connection.ts'
import type { LinesAgent } from '../definition.ts'
import { type AgentProcess, stoppedWorking } from '../process.ts'
import type { AgentWords } from '../words.ts'
import { createLineReader, type LineReader, type Request } from './reader.ts'
import { fillTemplate } from './values.ts'

export interface LinesRequest {
  /** The session that the process was started to go on in. */
  readonly resume: string | null
  /** What that session had used. */
  readonly tokens: SessionTokens | undefined
}

/** Lines that are no JSON before it is taken for another program; some agents greet first. */
const maxStrayLines = 20
/** Between its last word and the end of a process that ends by itself, and between that and the end of its output. */
const lastWordMs = 5000
const drainMs = 300

export const connectLines = (
  agent: LinesAgent,
  process: AgentProcess,
  { resume, tokens: before }: LinesRequest,
): AgentConnection => {
  const { input, answers = {}, imageArgs, keepsSession } = agent.lines
  const staysOpen = input !== 'words'
  let tokens = before
  let isFirst = true
  /** Between turns nobody listens. */
  let hear: (line: string) => void = () => undefined
  let fail: (error: unknown) => void = () => undefined
  const drained = readLines(
    process,
    (line) => hear(line),
    (error) => fail(error),
  )
  const send = (line: unknown): void => void process.stdin.write(`${JSON.stringify(line)}\n`)

  const answer = async (request: Request, listener: TurnListener): Promise<void> => {
    if (request.type === 'answer') return send(request.line)
    const decisions = (['allow_once', 'always_allow_tool', 'deny'] as const).filter((one) => answers[one])
    const decision = (await listener.ask({ callId: request.callId, decisions })) ?? 'deny'
    const template = answers[decision]
    if (template) send(fillTemplate(template, request.values))
  }

  return {
    takesImages: imageArgs !== undefined || (input !== 'words' && input.image !== undefined),
    opensSessions: false,
    staysOpen,
    enter: ({ resume: session }) => Promise.resolve({ session: session ?? '', isKnown: session !== null }),
    async prompt(session, words, listener) {
      const reader = createLineReader(agent.lines, tokens)
      const wanted = isFirst && keepsSession ? resume : null
      const isResumed = isFirst && resume !== null
      isFirst = false
      let isJson = false
      let stray = 0
      const over = Promise.withResolvers<void>()
      fail = over.reject
      hear = (text) => {
        const line = parse(text)
        if (line === null) {
          stray += 1
          if (!isJson && stray > maxStrayLines) over.reject(noProtocol(agent))
          return
        }
        isJson = true
        listener.tell(() => {
          const { parts, requests } = reader.read(line)
          for (const request of requests) void answer(request, listener)
          return parts
        })
        if (wanted !== null && reader.session !== null && reader.session !== wanted) {
          over.reject(new SessionLost(agent.name))
        } else if (reader.isOver) {
          if (staysOpen) over.resolve()
          else setTimeout(over.resolve, lastWordMs).unref()
        }
      }
      if (input === 'words') process.stdin.end(words.text)
      else send(fillTemplate(input.line, { session, blocks: blocksOf(input, words) }))
      const ended = process.exited.then(async (how) => {
        await Promise.race([drained, new Promise((go) => setTimeout(go, drainMs))])
        return how
      })
      const how = await Promise.race([over.promise, ended])
      hear = () => undefined
      listener.tell(() => reader.end())
      const failure = failureOf(agent, reader, how ?? null, isJson, process)
      if (failure) throw isResumed && !reader.hasTold && mayBeLost(failure) ? new SessionLost(agent.name) : failure
      tokens = reader.tokens ?? tokens
      listener.tell(() => [{ type: 'finish', reason: 'stop' }])
      return { session: reader.session ?? (session || null), tokens }
    },
    cancel: () => Promise.resolve(),
  }
}

/** Calls back with each line, or once when a line has no end; resolves at the end of the output. */
const readLines = (
  { stdout }: AgentProcess,
  hear: (line: string) => void,
  fail: (error: unknown) => void,
): Promise<void> => {
  const framing = createFraming('ndjson')
  const take = (cut: () => string[]): void => {
    try {
      for (const line of cut()) hear(line)
    } catch (error) {
      stdout.removeAllListeners('data').resume()
      fail(error)
    }
  }
  stdout.on('data', (chunk: Buffer) => take(() => framing.push(chunk)))
  return new Promise((resolve) => {
    stdout.once('end', () => {
      take(() => framing.end())
      resolve()
    })
  })
}

/** null: it is no object in JSON. */
const parse = (text: string): object | null => {
  if (!text.trimStart().startsWith('{')) return null
  try {
    return JSON.parse(text) as object
  } catch {
    // A line for people that begins like one of ours.
    return null
  }
}

const blocksOf = ({ text, image }: Exclude<LinesAgent['lines']['input'], 'words'>, words: AgentWords): unknown[] => [
  fillTemplate(text, { text: words.text }),
  ...(image ? words.images.map(({ mediaType, data }) => fillTemplate(image, { mediaType, data })) : []),
]

const noProtocol = ({ name }: LinesAgent) => new ProviderFailure('malformed', `${name} does not speak its protocol.`)

/** Why there is no answer; null: there is one. `how`: how the process ended; null: it goes on. */
const failureOf = (
  agent: LinesAgent,
  reader: LineReader,
  how: string | null,
  isJson: boolean,
  process: AgentProcess,
): ProviderFailure | null => {
  const hasFailed = how !== null && how !== 'ended with code 0' && !reader.isOver
  if (reader.failure === null && !hasFailed) return isJson ? null : noProtocol(agent)
  const { name } = agent
  const said = `${reader.failure ?? ''}\n${hasFailed ? process.errors() : ''}`.toLowerCase()
  const says = (kind: 'signIn' | 'limit' | 'tooLong') =>
    agent.lines.failures[kind]?.some((words) => said.includes(words.toLowerCase())) === true
  if (says('signIn')) return signInNeeded(agent)
  if (says('limit')) return new ProviderFailure('overloaded', `${name} has reached a limit. Try again later.`)
  if (says('tooLong')) return new ProviderFailure('context_overflow', `This chat has become too long for ${name}.`)
  if (reader.failure === null) return stoppedWorking(name, how ?? 'ended')
  return new ProviderFailure('rejected', `${name} reported an error. Run it on the server to see what it says.`)
}

const mayBeLost = ({ kind }: ProviderFailure): boolean => kind === 'rejected' || kind === 'unreachable'
