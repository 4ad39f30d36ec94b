/** The least that can be done: what is posted goes to every open socket, and nothing is kept. */
import { createServer } from 'node:http'
import { WebSocketServer } from 'ws'

const sockets = new WebSocketServer({ noServer: true, perMessageDeflate: false })
const server = createServer((request, response) => {
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => {
    const body = Buffer.concat(chunks).toString()
    for (const socket of sockets.clients) socket.send(body)
    response.setHeader('content-type', 'application/json')
    response.end('{}')
  })
})
server.on('upgrade', (request, line, head) => sockets.handleUpgrade(request, line, head, () => undefined))
server.listen(0, '127.0.0.1', () => process.send?.(server.address()))
process.on('SIGTERM', () => process.exit(0))
