/** Many open sockets, each of an account that looks at a channel, and when each message came to the last of them. */
import { once } from 'node:events'
import { WebSocket } from 'ws'
import type { Bed } from '../bed.ts'

export interface Followers {
  /** When a text that holds this came to the last socket; rejects after half a minute. */
  lastArrival(mark: string): Promise<number>
  close(): Promise<void>
}

/** Some at a time, as a server takes them. */
const together = 25
const patienceMs = 30_000

/** Opens a socket for each address. */
export async function openFollowers(addresses: readonly (() => Promise<string>)[]): Promise<Followers> {
  const waiting = new Map<string, { left: number; resolve: (at: number) => void }>()
  const sockets: WebSocket[] = []
  const hear = (data: Buffer): void => {
    const text = data.toString('latin1')
    for (const [mark, one] of waiting) {
      if (!text.includes(mark)) continue
      one.left -= 1
      if (one.left > 0) continue
      waiting.delete(mark)
      one.resolve(performance.now())
    }
  }
  const open = async (address: () => Promise<string>): Promise<void> => {
    const socket = new WebSocket(await address(), { perMessageDeflate: false })
    socket.on('message', hear)
    await once(socket, 'open')
    // A page says where it goes on, and is followed from there.
    socket.send(JSON.stringify({ type: 'places', data: { places: {} } }))
    sockets.push(socket)
  }
  for (let at = 0; at < addresses.length; at += together)
    await Promise.all(addresses.slice(at, at + together).map(open))
  return {
    lastArrival(mark) {
      return new Promise((resolve, reject) => {
        const timer = setTimeout(() => reject(new Error(`${mark} did not come to everybody`)), patienceMs)
        waiting.set(mark, {
          left: sockets.length,
          resolve: (at) => {
            clearTimeout(timer)
            resolve(at)
          },
        })
      })
    },
    async close() {
      await Promise.all(
        sockets.map(async (socket) => {
          socket.terminate()
          await once(socket, 'close')
        }),
      )
    },
  }
}

/** The address of the socket of an account. */
export const socketOf =
  ({ call, url }: Bed, token: string) =>
  async (): Promise<string> => {
    const { ticket } = await call<{ ticket: string }>(token, 'POST', '/api/auth/websocket-ticket', {
      audience: 'events',
    })
    return `${url.replace('http', 'ws')}/ws?ticket=${ticket}`
  }
