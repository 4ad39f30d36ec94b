/** A plain proxy: each request goes to the next process, and to another one only where nobody listens. */
import { once } from 'node:events'
import { type IncomingMessage, type ServerResponse, createServer, request as send } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Names the place of the process that answered, in the list of addresses. */
export const servedBy = 'x-served-by'

export interface RoundRobin {
  readonly url: string
  close(): Promise<void>
}

/** `addresses`: where the processes are; each keeps its own. */
export const startRoundRobin = async (addresses: readonly URL[]): Promise<RoundRobin> => {
  let turn = 0
  const pass = (incoming: IncomingMessage, outgoing: ServerResponse, body: Buffer, tries: number): void => {
    const index = turn++ % addresses.length
    const { hostname, port } = addresses[index] ?? new URL('http://127.0.0.1')
    const { method, url: path, headers } = incoming
    const upstream = send({ hostname, port, method, path, headers, agent: false }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, { ...answer.headers, [servedBy]: String(index) })
      outgoing.flushHeaders()
      answer.pipe(outgoing)
      answer.on('error', () => outgoing.destroy())
    })
    upstream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ECONNREFUSED' && tries < addresses.length) return pass(incoming, outgoing, body, tries + 1)
      // What was sent may have been done: that is for whoever asked to find out.
      if (outgoing.headersSent) outgoing.destroy()
      else outgoing.writeHead(502).end()
    })
    outgoing.on('close', () => upstream.destroy())
    upstream.end(body)
  }
  const server = createServer((incoming, outgoing) => {
    const parts: Buffer[] = []
    incoming.on('data', (part: Buffer) => parts.push(part))
    incoming.on('end', () => pass(incoming, outgoing, Buffer.concat(parts), 1))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}
