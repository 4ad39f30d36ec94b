/**
 * The state of the container engine: asked with three GETs side by side that change nothing. Whatever it
 * answers, or does not, comes to a reason from a closed list.
 */
import { stat } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ContainerEngine, ContainerEngineReason } from '@atrium/contract/system-diagnostics'
import { createBoundedRead } from '../../../platform/machine/bounded-read.ts'
import { runInWorker } from '../../../platform/work/work.ts'
import { type ContainerEngineAnswers, type ContainerEngineFacts, readAnswers } from './answers.ts'
import { ContainerEngineFault, type ReachableEndpoint, askContainerEngine } from './ask.ts'
import type { ContainerEngineEndpoint } from './endpoints.ts'

export interface ContainerEngineLimits {
  /** For everything that is asked. */
  readonly timeoutMs: number
  /** For each answer. */
  readonly maxBytes: number
}

/** So much is read within some milliseconds; what is larger would hold everybody up. */
const maxBytesHere = 512 * 1024

/**
 * Gives a function that asks anew; who calls it while an engine is asked gets that answer. Of several endpoints the first
 * that answers counts; where none does, the first that is there says why.
 */
export const createContainerEngineReader = (
  endpoints: readonly ContainerEngineEndpoint[],
  limits: ContainerEngineLimits,
) => {
  const readers = endpoints.map((endpoint) => createEndpointReader(endpoint, limits))
  let running: Promise<ContainerEngine> | null = null

  const readFirst = async (): Promise<ContainerEngine> => {
    const found = new AbortController()
    const signal = AbortSignal.any([AbortSignal.timeout(limits.timeoutMs), found.signal])
    try {
      return await chooseFirst(readers, signal)
    } finally {
      // Those that still stall are asked no longer.
      found.abort()
    }
  }

  return (): Promise<ContainerEngine> =>
    (running ??= readFirst().finally(() => {
      running = null
    }))
}

type EndpointReader = (signal: AbortSignal) => Promise<ContainerEngine>

/** An engine that stalls keeps the next one from being asked for so long. */
const patienceMs = 1000

const chooseFirst = async (readers: readonly EndpointReader[], signal: AbortSignal): Promise<ContainerEngine> => {
  const answers: Promise<ContainerEngine>[] = []
  for (const read of readers) {
    const answer = read(signal)
    // Where another one counts, nobody hears what this one came to.
    answer.catch(() => undefined)
    answers.push(answer)
    const early = await Promise.race([answer, sleep(patienceMs, null, { ref: false })])
    if (early?.available) return early
  }
  let first: ContainerEngine | null = null
  for (const answer of answers) {
    const engine = await answer
    if (engine.available) return engine
    if (engine.reason !== 'not_mounted') first ??= engine
  }
  return first ?? unavailable('not_mounted')
}

const unavailable = (reason: ContainerEngineReason, socketMounted = false): ContainerEngine => ({
  available: false,
  socketMounted,
  reason,
})

const createEndpointReader = (endpoint: ContainerEngineEndpoint, limits: ContainerEngineLimits): EndpointReader => {
  if (endpoint.type === 'unsupported') return async () => unavailable('remote_endpoint')
  const path = endpoint.type === 'socket' ? endpoint.path : null
  const look = createBoundedRead(async () => (path === null ? 'address' : findSocket(path)), limits.timeoutMs)
  return async (signal) => {
    const found = await look()
    if (found === null) return unavailable('unreachable')
    if (found === 'none') return unavailable('not_mounted')
    const socketMounted = found !== 'address'
    try {
      const facts = await readFacts(endpoint, { ...limits, signal })
      return facts ? { available: true, socketMounted, ...facts } : unavailable('bad_answer', socketMounted)
    } catch (error) {
      if (!(error instanceof ContainerEngineFault)) throw error
      return unavailable(error.reason, socketMounted && error.reason !== 'not_mounted')
    }
  }
}

/** Where a socket was to be mounted and was not there, engines leave an empty folder. */
const findSocket = async (path: string): Promise<'socket' | 'none'> => {
  try {
    return (await stat(path)).isSocket() ? 'socket' : 'none'
  } catch (error) {
    // What may not be looked at may be there: to connect to it tells.
    return ['EACCES', 'EPERM'].includes((error as NodeJS.ErrnoException).code ?? '') ? 'socket' : 'none'
  }
}

/** Null where the answers are not those of an engine. Throws ContainerEngineFault. */
const readFacts = async (
  endpoint: ReachableEndpoint,
  { signal, ...limits }: ContainerEngineLimits & { readonly signal: AbortSignal },
): Promise<ContainerEngineFacts | null> => {
  const ended = new AbortController()
  const ask = (path: string) =>
    askContainerEngine(endpoint, path, { ...limits, signal: AbortSignal.any([signal, ended.signal]) })
  try {
    const [version, info, containers] = await Promise.all([ask('/version'), ask('/info'), askContainers(ask)])
    return await readInTime({ version, info, containers }, signal)
  } finally {
    // One that failed makes the others of no use.
    ended.abort()
  }
}

/** All of them; of a host with so many that the answer is too large, the newest. */
const askContainers = async (ask: (path: string) => Promise<Buffer>): Promise<Buffer> => {
  try {
    return await ask('/containers/json?all=true')
  } catch (error) {
    if (error instanceof ContainerEngineFault && error.isTooLarge)
      return await ask('/containers/json?all=true&limit=100')
    throw error
  }
}

/** On a thread where the answers are large. One that is busy elsewhere for too long counts as no answer. */
const readInTime = async (
  answers: ContainerEngineAnswers,
  signal: AbortSignal,
): Promise<ContainerEngineFacts | null> => {
  const { version, info, containers } = answers
  if (version.byteLength + info.byteLength + containers.byteLength <= maxBytesHere) return readAnswers(answers)
  const late = Promise.withResolvers<never>()
  const giveUp = (): void => late.reject(new ContainerEngineFault('unreachable'))
  signal.addEventListener('abort', giveUp, { once: true })
  const reading = runInWorker<ContainerEngineAnswers, ContainerEngineFacts | null>(
    new URL('./answers.ts', import.meta.url),
    readAnswers.name,
    answers,
    { signal },
  ).catch(() => {
    throw new ContainerEngineFault('bad_answer')
  })
  return await Promise.race([reading, late.promise]).finally(() => signal.removeEventListener('abort', giveUp))
}
