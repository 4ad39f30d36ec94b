/**
 * A provider that costs next to nothing: chat completions with a ready answer, whole or as paced chunks. Every gateway
 * of a run stands before this same process.
 */
import { createServer, type ServerResponse } from 'node:http'

const chunks = Number(process.env['CHUNKS'] ?? 200)
const everyMs = Number(process.env['EVERY_MS'] ?? 20)

const usage = { prompt_tokens: 12, completion_tokens: 48, total_tokens: 60 }
const whole = JSON.stringify({
  id: 'chatcmpl-bench',
  object: 'chat.completion',
  created: 1_790_000_000,
  model: 'bench',
  choices: [{ index: 0, message: { role: 'assistant', content: 'word '.repeat(48).trim() }, finish_reason: 'stop' }],
  usage,
})
const frame = (more: object) =>
  `data: ${JSON.stringify({ id: 'chatcmpl-bench', object: 'chat.completion.chunk', created: 1_790_000_000, model: 'bench', ...more })}\n\n`
const piece = frame({ choices: [{ index: 0, delta: { content: ' word' }, finish_reason: null }] })
const last = `${frame({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] })}${frame({ choices: [], usage })}data: [DONE]\n\n`

/** All open streams share one clock, as a thousand timers would measure themselves. */
const open = new Map<ServerResponse, number>()
setInterval(() => {
  for (const [res, left] of open) {
    if (left > 0) {
      res.write(piece)
      open.set(res, left - 1)
    } else {
      open.delete(res)
      res.end(last)
    }
  }
}, everyMs)

const server = createServer((req, res) => {
  if (req.method === 'GET') {
    res.setHeader('content-type', 'application/json')
    return void res.end('{"object":"list","data":[{"id":"bench","object":"model"}]}')
  }
  let body = ''
  req.setEncoding('utf8')
  req.on('data', (text: string) => {
    body += text
  })
  req.on('end', () => {
    if (!body.includes('"stream":true')) {
      res.writeHead(200, { 'content-type': 'application/json', 'content-length': whole.length })
      return void res.end(whole)
    }
    res.writeHead(200, { 'content-type': 'text/event-stream' })
    // The first piece comes at once, so that only what stands in between delays it.
    res.write(piece)
    open.set(res, chunks - 1)
    res.on('close', () => open.delete(res))
  })
})
server.keepAliveTimeout = 60_000
server.listen(Number(process.env['PORT']), '127.0.0.1')
process.on('SIGTERM', () => process.exit(0))
