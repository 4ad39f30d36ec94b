/** The least that a gateway on Node can be: undici, and the bytes of the answer as they come. No keys, no figures. */
import { createServer } from 'node:http'
import { Agent } from 'undici'

const origin = process.env['UPSTREAM'] ?? ''
const agent = new Agent({ keepAliveTimeout: 60_000 })

const server = createServer((req, res) => {
  const chunks: Buffer[] = []
  req.on('data', (chunk: Buffer) => chunks.push(chunk))
  req.on('end', () => {
    agent
      .request({
        origin,
        path: req.url ?? '/',
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: Buffer.concat(chunks),
      })
      .then(
        (answer) => {
          const { 'content-type': type = '', 'content-length': length } = answer.headers
          res.setHeader('content-type', type)
          if (length !== undefined) res.setHeader('content-length', length)
          res.writeHead(answer.statusCode)
          answer.body.pipe(res)
        },
        () => res.writeHead(502).end(),
      )
  })
})
server.keepAliveTimeout = 60_000
server.listen(Number(process.env['PORT']), '127.0.0.1')
process.on('SIGTERM', () => process.exit(0))
