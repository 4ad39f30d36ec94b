/**
 * Plain sockets to places that an administrator named, for what the gate does not speak: the addresses that were judged
 * are the ones that are connected to. Private networks are allowed here; what nobody has business with is not.
 */
import { lookup as systemLookup } from 'node:dns/promises'
import { connect, isIP, type Socket } from 'node:net'
import { requireAllowedAddresses } from './destination.ts'
import { OutboundFailure } from './types.ts'

/** All addresses of a host. Throws `OutboundFailure` when there is none in time, `url_not_allowed` for networks never called. */
export const resolveHost = async (host: string, timeoutMs: number): Promise<string[]> => {
  const bare = host.replace(/^\[|\]$/g, '')
  const addresses = isIP(bare) ? [bare] : await lookUp(bare, timeoutMs)
  if (addresses.length === 0) throw new OutboundFailure('unreachable', 'The host name couldn’t be found.')
  requireAllowedAddresses(addresses, true)
  return addresses
}

/** The first of these addresses that answers. Throws `OutboundFailure`. */
export const openSocket = async (
  addresses: readonly string[],
  port: number,
  { timeoutMs, signal }: { timeoutMs: number; signal?: AbortSignal | undefined },
): Promise<Socket> => {
  requireAllowedAddresses(addresses, true)
  let last: unknown = null
  for (const address of addresses) {
    try {
      return await connectTo({ host: address, port }, timeoutMs, signal)
    } catch (error) {
      if (signal?.aborted) throw new OutboundFailure('aborted', 'The call was cancelled.')
      last = error
    }
  }
  if (last instanceof OutboundFailure) throw last
  const { code } = last as NodeJS.ErrnoException
  throw new OutboundFailure('unreachable', reasons[code ?? ''] ?? 'Couldn’t connect.')
}

/** The socket of a service on this machine, by its file. Throws what the system says, or `OutboundFailure` when it is late. */
export const openLocalSocket = (
  path: string,
  { timeoutMs, signal }: { timeoutMs: number; signal?: AbortSignal | undefined },
): Promise<Socket> => connectTo({ path }, timeoutMs, signal)

const reasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'Nothing responds at this port.',
  EHOSTUNREACH: 'The host can’t be reached on this network.',
  ENETUNREACH: 'The host can’t be reached on this network.',
  ECONNRESET: 'The other side closed the connection.',
}

const lookUp = async (host: string, timeoutMs: number): Promise<string[]> => {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(
    () => late.reject(new OutboundFailure('unreachable', 'Looking up the host name took too long.')),
    timeoutMs,
  )
  const found = systemLookup(host, { all: true, order: 'verbatim' }).then(
    (all) => all.map(({ address }) => address),
    // Unknown, or no resolver: in both cases there is nowhere to go.
    () => [],
  )
  return await Promise.race([found, late.promise]).finally(() => clearTimeout(timer))
}

interface TcpPlace {
  readonly host: string
  readonly port: number
}

const connectTo = (place: TcpPlace | { path: string }, timeoutMs: number, signal?: AbortSignal): Promise<Socket> =>
  new Promise((resolve, reject) => {
    const socket = connect(signal ? { ...place, signal } : place)
    const timer = setTimeout(
      () => socket.destroy(new OutboundFailure('unreachable', 'The other side did not answer in time.')),
      timeoutMs,
    )
    socket.once('connect', () => {
      clearTimeout(timer)
      socket.removeAllListeners('error')
      resolve(socket)
    })
    socket.once('error', (error) => {
      clearTimeout(timer)
      reject(error)
    })
  })
