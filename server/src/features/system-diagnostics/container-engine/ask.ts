/** One question to a container engine: a GET over a socket of its own, with bounds on time and size. */
import type { Socket } from 'node:net'
import type { ContainerEngineReason } from '@atrium/contract/system-diagnostics'
import { loadPackage } from '../../../platform/load-package.ts'
import { Refusal } from '../../../platform/http/refusal.ts'
import { openLocalSocket, openSocket, resolveHost } from '../../../platform/outbound/socket.ts'
import { OutboundFailure } from '../../../platform/outbound/types.ts'
import type { ContainerEngineEndpoint } from './endpoints.ts'

export class ContainerEngineFault extends Error {
  readonly reason: ContainerEngineReason
  /** Whether the answer was over the bound. */
  readonly isTooLarge: boolean
  constructor(reason: ContainerEngineReason, { isTooLarge = false } = {}) {
    super(reason)
    this.reason = reason
    this.isTooLarge = isTooLarge
  }
}

export type ReachableEndpoint = Exclude<ContainerEngineEndpoint, { type: 'unsupported' }>

export interface AskOptions {
  readonly timeoutMs: number
  readonly maxBytes: number
  readonly signal: AbortSignal
}

/** The body of a successful answer. Throws ContainerEngineFault. */
export const askContainerEngine = async (
  endpoint: ReachableEndpoint,
  path: string,
  options: AskOptions,
): Promise<Buffer> => {
  try {
    return await exchange(await openTo(endpoint, options), path, options)
  } catch (error) {
    throw asFault(error, options.signal)
  }
}

const openTo = async (endpoint: ReachableEndpoint, reach: AskOptions): Promise<Socket> =>
  endpoint.type === 'socket'
    ? openLocalSocket(endpoint.path, reach)
    : openSocket(await resolveHost(endpoint.host, reach.timeoutMs), endpoint.port, reach)

const exchange = (socket: Socket, path: string, { maxBytes, signal }: AskOptions): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    const asked = loadPackage('node:http').request({
      createConnection: () => socket,
      method: 'GET',
      path,
      // Engines on a socket have no name; those behind a proxy want one.
      headers: { host: 'localhost', accept: 'application/json', connection: 'close' },
      signal,
    })
    const end = (error: Error): void => {
      reject(error)
      socket.destroy()
    }
    asked.on('error', end)
    // One that turns to another protocol gives no response, and no error either.
    asked.once('close', () => end(new ContainerEngineFault(signal.aborted ? 'unreachable' : 'bad_answer')))
    asked.once('response', (response) => {
      const parts: Buffer[] = []
      let bytes = 0
      response.on('error', end)
      response.on('data', (part: Buffer) => {
        bytes += part.byteLength
        if (bytes > maxBytes) end(new ContainerEngineFault('bad_answer', { isTooLarge: true }))
        else parts.push(part)
      })
      response.once('end', () => {
        const body = Buffer.concat(parts)
        if (response.statusCode === 200) resolve(body)
        else reject(new ContainerEngineFault(wantsTls(body) ? 'remote_endpoint' : 'bad_answer'))
        socket.destroy()
      })
    })
    asked.end()
  })

/** What servers written in Go say, in plain text, to who does not begin with TLS. */
const wantsTls = (body: Buffer): boolean => body.subarray(0, 200).includes('HTTP request to an HTTPS server')

const reasons: Readonly<Record<string, ContainerEngineReason>> = {
  ENOENT: 'not_mounted',
  ENOTDIR: 'not_mounted',
  EACCES: 'unreadable',
  EPERM: 'unreadable',
}

const asFault = (error: unknown, signal: AbortSignal): ContainerEngineFault => {
  if (error instanceof ContainerEngineFault) return error
  // An address of a network that is never called.
  if (error instanceof Refusal) return new ContainerEngineFault('remote_endpoint')
  if (signal.aborted) return new ContainerEngineFault('unreachable')
  const code = error instanceof Error ? ((error as NodeJS.ErrnoException).code ?? '') : ''
  if (error instanceof OutboundFailure) return new ContainerEngineFault('unreachable')
  // What is no HTTP, or ends in the middle of its answer.
  if (code.startsWith('HPE_') || code === 'ECONNRESET') return new ContainerEngineFault('bad_answer')
  return new ContainerEngineFault(reasons[code] ?? 'unreachable')
}
