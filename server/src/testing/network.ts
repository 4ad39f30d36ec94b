/**
 * The network outside, for tests that count what leaves: names below `.example` that are looked up lead to one public
 * address, and so does every connection to it, to a listener of this process. What arrives is kept as it came.
 */
import dns from 'node:dns/promises'
import { syncBuiltinESMExports } from 'node:module'
import { type AddressInfo, createServer, type Socket as NetSocket, Socket } from 'node:net'

/** An address that the outbound gate takes for a public one. */
export const publicAddress = '93.184.216.34'

export interface Network {
  /** Everything that arrived, and every name that was looked up. */
  readonly received: () => string
  forget(): void
  close(): Promise<void>
}

/** `answer` is what every request over HTTP gets, headers and all. */
export const openNetwork = async (answer: string): Promise<Network> => {
  const pieces: string[] = []
  const open = new Set<NetSocket>()
  const server = createServer((socket) => {
    open.add(socket)
    socket.on('error', () => undefined)
    socket.on('close', () => open.delete(socket))
    socket.on('data', (piece) => {
      pieces.push(piece.toString('latin1'))
      socket.end(answer)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo

  const { connect } = Socket.prototype
  Socket.prototype.connect = function toListener(this: NetSocket, ...args: unknown[]) {
    const [first] = args
    const options = (Array.isArray(first) ? first[0] : first) as { host?: string; port?: number } | undefined
    if (options?.host === publicAddress) Object.assign(options, { host: '127.0.0.1', port })
    return (connect as (...all: unknown[]) => NetSocket).apply(this, args)
  } as typeof connect
  const { lookup } = dns
  const found = [{ address: publicAddress, family: 4 }]
  dns.lookup = ((name: string, ...rest: unknown[]) => {
    if (!name.endsWith('.example')) return (lookup as (...all: unknown[]) => Promise<unknown>)(name, ...rest)
    pieces.push(`looked up ${name}\n`)
    return Promise.resolve((rest[0] as { all?: boolean } | undefined)?.all ? found : found[0])
  }) as typeof lookup
  syncBuiltinESMExports()

  return {
    received: () => pieces.join(''),
    forget: () => void pieces.splice(0),
    close() {
      Socket.prototype.connect = connect
      dns.lookup = lookup
      syncBuiltinESMExports()
      for (const socket of open) socket.destroy()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}
