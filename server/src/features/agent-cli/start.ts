/** Starts the program of an agent for a chat, and connects to it. */
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ProviderFailure, type TurnImage } from '../../providers/types.ts'
import { connectAcp } from './acp/connection.ts'
import type { AgentConnection } from './connection.ts'
import { type AgentDefinition, defaultModel, type LinesAgent } from './definition.ts'
import { connectLines } from './lines/connection.ts'
import { type AgentProcess, rejectGone, startProcess } from './process.ts'
import type { KnownSession } from './words.ts'

export interface StartRequest {
  readonly agent: AgentDefinition
  /** Where its command is. */
  readonly path: string
  readonly model: string
  /** Of the chat. */
  readonly folder: string
  readonly environment: Readonly<Record<string, string>>
  /** What it goes on in, where it is told so when it is started. */
  readonly known: KnownSession | null
  /** Of the question, where it takes them when it is started. */
  readonly images: readonly TurnImage[]
  readonly signal: AbortSignal
  /** Until the first word of the protocol. */
  readonly connectMs: number
  /** Called with the process as soon as it is there. */
  readonly begun: (process: AgentProcess) => void
}

/** Where the agent works in the folder of its chat. What is known of it stands beside that, out of its reach by relative paths. */
export const workFolder = (folder: string): string => join(folder, 'work')

/** Throws ProviderFailure; the process is gone then. */
export const startAgent = async (
  request: StartRequest,
): Promise<{ readonly process: AgentProcess; readonly connection: AgentConnection }> => {
  const { agent, path, folder, environment, known } = request
  await mkdir(workFolder(folder), { recursive: true, mode: 0o700 })
  const args = agent.speaks === 'acp' ? baseArgs(request) : await argsForLines(agent, request)
  const process = startProcess({ path, args, folder: workFolder(folder), environment })
  request.begun(process)
  if (agent.speaks === 'jsonl') {
    const connection = connectLines(agent, process, { resume: known?.session ?? null, tokens: known?.tokens })
    return { process, connection }
  }
  try {
    const late = new ProviderFailure('timeout', `${agent.name} did not answer when it was started.`)
    const connection = await firstOf(
      connectAcp(agent, process),
      rejectGone(process, agent.name),
      rejectGarbage(process, agent.name),
      rejectLater(request.connectMs, late),
      rejectAborted(request.signal),
    )
    return { process, connection }
  } catch (error) {
    await process.end()
    throw error
  }
}

const baseArgs = ({ agent, model }: StartRequest): string[] => {
  const chosen = (agent.modelArgs ?? []).map((word) => word.replaceAll('{model}', model))
  return model === defaultModel ? agent.args : [...agent.args, ...chosen]
}

const argsForLines = async ({ lines, resumeArgs, lastArgs }: LinesAgent, request: StartRequest): Promise<string[]> => {
  const { folder, known } = request
  const pictures = join(folder, 'pictures')
  await rm(pictures, { recursive: true, force: true })
  const files = lines.imageArgs ? await writePictures(pictures, request.images) : []
  return [
    ...baseArgs(request),
    ...files.flatMap((file) => (lines.imageArgs ?? []).map((word) => word.replaceAll('{file}', file))),
    ...(known ? (resumeArgs ?? []).map((word) => word.replaceAll('{session}', known.session)) : []),
    ...lastArgs,
  ]
}

const writePictures = async (folder: string, images: readonly TurnImage[]): Promise<string[]> => {
  if (images.length === 0) return []
  await mkdir(folder, { recursive: true, mode: 0o700 })
  return await Promise.all(
    images.map(async ({ mediaType, data }, at) => {
      const file = join(folder, `${at + 1}.${/^image\/(\w+)/.exec(mediaType)?.[1] ?? 'png'}`)
      await writeFile(file, Buffer.from(data, 'base64'), { mode: 0o600 })
      return file
    }),
  )
}

/** Whether a session can be named among arguments. */
export const isArgument = (session: string): boolean => /^[a-zA-Z0-9][\w.:-]*$/.test(session)

export const firstOf = <T>(...work: [Promise<T>, ...Promise<never>[]]): Promise<T> => Promise.race(work)

export const rejectAborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    const stop = (): void => reject(new ProviderFailure('aborted', 'The answer was stopped.'))
    if (signal.aborted) stop()
    signal.addEventListener('abort', stop, { once: true })
  })

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

export const rejectLater = (ms: number, error: Error): Promise<never> =>
  new Promise((_, reject) => setTimeout(reject, ms, error).unref())
