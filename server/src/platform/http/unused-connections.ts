/** Connections on which nothing was ever asked, as browsers open them in advance. */
import type { IncomingMessage, Server } from 'node:http'
import type { Socket } from 'node:net'

export interface UnusedConnections {
  /** Node takes them for busy until their first request is late, so closing would wait for them. */
  cut(): void
}

export const watchUnusedConnections = (server: Server): UnusedConnections => {
  const sockets = new Set<Socket>()
  const spoke = ({ socket }: IncomingMessage) => void sockets.delete(socket)
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  server.on('request', spoke)
  server.on('upgrade', spoke)
  return {
    cut: () => {
      for (const socket of sockets) socket.destroy()
    },
  }
}
