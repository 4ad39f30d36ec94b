/**
 * Shuts the ways out of a process that works on data and has nobody to talk to: no connection but to one address that was
 * given, no server, no datagram. It is not a wall against hostile code, which nothing here runs, but against what the
 * code of this program might do by mistake.
 */
import dgram from 'node:dgram'
import dns from 'node:dns'
import net from 'node:net'

export interface OpenAddress {
  /** A name, an address, or the folder of a socket. */
  readonly host: string
  readonly port: number
}

/** Of the process as a whole, and for good. Threads that it starts are not held by it. */
export const closeNetwork = (open: OpenAddress | null): void => {
  const refuse = (): never => {
    throw new Error('This process has no network.')
  }
  const connect = net.Socket.prototype.connect
  net.Socket.prototype.connect = function connectIfOpen(this: net.Socket, ...args: unknown[]) {
    if (open === null || !isOpen(open, args)) return refuse()
    return (connect as (...all: unknown[]) => net.Socket).apply(this, args)
  } as typeof net.Socket.prototype.connect
  net.Server.prototype.listen = refuse
  for (const name of ['bind', 'send', 'connect'] as const) dgram.Socket.prototype[name] = refuse
  const lookup = dns.lookup
  const known = (host: string): boolean => open !== null && host === open.host
  Object.assign(dns, {
    lookup: Object.assign(
      (host: string, ...rest: unknown[]) =>
        known(host) ? (lookup as (...all: unknown[]) => void)(host, ...rest) : refuse(),
      { ...lookup },
    ),
  })
}

/** As `connect` takes it: options, a port and a host, or a path; or a list of them that was made before. */
const isOpen = ({ host, port }: OpenAddress, args: readonly unknown[]): boolean => {
  const [first, second] = args
  if (Array.isArray(first)) return isOpen({ host, port }, first as unknown[])
  if (typeof first === 'object' && first !== null) {
    const { path, ...to } = first as { path?: string; host?: string; port?: number | string }
    return path === undefined ? to.host === host && Number(to.port) === port : isSocketOf({ host, port }, path)
  }
  if (typeof first === 'string' && Number.isNaN(Number(first))) return isSocketOf({ host, port }, first)
  return second === host && Number(first) === port
}

const isSocketOf = ({ host, port }: OpenAddress, path: string): boolean => path === `${host}/.s.PGSQL.${port}`
