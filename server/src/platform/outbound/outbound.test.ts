import { createServer as createHttpServer, type RequestListener } from 'node:http'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import { createLog } from '../log/log.ts'
import { createOutbound, type OutboundOptions } from './outbound.ts'
import type { Checked, Outbound, OutboundRequest } from './types.ts'

const cleanups: (() => Promise<void> | void)[] = []
afterEach(async () => {
  for (const clean of cleanups.splice(0)) await clean()
})

const listen = async (server: Server): Promise<number> => {
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  cleanups.push(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return (server.address() as AddressInfo).port
}
const serve = (handle: RequestListener) => listen(createHttpServer(handle))
/** Writes these as the whole answer to whatever comes, HTTP or not; `reset` and `end` say how it stops. */
const serveBytes = (...pieces: string[]) =>
  listen(
    createServer((socket) => {
      socket.once('data', () => {
        for (const piece of pieces) {
          if (piece === 'reset') setTimeout(() => socket.resetAndDestroy(), 20)
          else if (piece === 'end') socket.end()
          else socket.write(piece)
        }
      })
    }),
  )

/** A listener on loopback that counts connections. */
const canary = async () => {
  let connections = 0
  const server = createServer((socket) => {
    connections++
    socket.end('HTTP/1.1 200 OK\r\ncontent-length: 6\r\n\r\ncanary')
  })
  const port = await listen(server)
  return { port, connections: () => connections }
}

const lines: string[] = []
const open = (options: Partial<OutboundOptions> & { listed?: string[] } = {}): Outbound => {
  const outbound = createOutbound({
    allowed: () => new Set(options.listed ?? []),
    log: createLog({ level: 'debug', write: (line) => void lines.push(line) }),
    ...options,
  })
  cleanups.push(() => outbound.close())
  return outbound
}
const get: OutboundRequest = { method: 'GET', maxBytes: 1_000_000 }
const fetchText = async (outbound: Outbound, url: string, request: Partial<OutboundRequest> = {}) => {
  const response = await outbound.request(await outbound.check(url), { ...get, ...request })
  return { status: response.status, headers: response.headers, text: await response.text() }
}
const unlisted = { code: 'url_not_allowed' }

describe('the outbound gate', () => {
  test('calls a listed private place and gives status, headers and body', async () => {
    const port = await serve((request, response) => {
      response.setHeader('x-echo', `${request.method} ${request.url} ${request.headers['x-key']}`)
      request.pipe(response)
    })
    const outbound = open({ listed: [`localhost:${port}`] })
    const answer = await fetchText(outbound, `http://localhost:${port}/a?b=c`, {
      method: 'POST',
      body: 'grüße',
      headers: { 'x-key': 'k', host: 'other.example' },
    })
    expect(answer).toMatchObject({ status: 200, text: 'grüße', headers: { 'x-echo': 'POST /a?b=c k' } })
  })

  test('errors of the server are answers, not failures', async () => {
    const port = await serve((_request, response) => void response.writeHead(503).end('busy'))
    expect(await fetchText(open({ listed: [`localhost:${port}`] }), `http://localhost:${port}/`)).toMatchObject({
      status: 503,
      text: 'busy',
    })
  })

  test('nothing that leads inside is ever connected to', async () => {
    const { port, connections } = await canary()
    const outbound = open({ resolve: async () => ['127.0.0.1'] })
    for (const host of [
      'localhost',
      '127.0.0.1',
      '127.1',
      '0x7f.1',
      '2130706433',
      '[::1]',
      '[::ffff:127.0.0.1]',
      '[::]',
      '0.0.0.0',
      '0',
      '１２７.0.0.1',
      'inside.example',
      '127.0.0.1.',
      'x@localhost',
    ]) {
      const url = `http://${host}:${port}/`
      await expect(outbound.check(url), url).rejects.toMatchObject(unlisted)
      // And whoever skips the check meets the gate at the call.
      const forced = URL.parse(url)
      if (forced) await expect(outbound.request(forced as Checked<URL>, get), url).rejects.toMatchObject(unlisted)
    }
    expect(connections()).toBe(0)
  })

  test('a name that changes its mind between check and call reaches nothing', async () => {
    const { port, connections } = await canary()
    const answers = [['203.0.114.1'], ['127.0.0.1']]
    const outbound = open({ resolve: async () => answers.shift() ?? ['127.0.0.1'] })
    const url = await outbound.check(`http://rebind.example:${port}/`)
    await expect(outbound.request(url, get)).rejects.toMatchObject(unlisted)
    expect(connections()).toBe(0)
  })

  test('a name is not looked up at every check, but at every connection', async () => {
    const { port } = await canary()
    let lookups = 0
    const outbound = open({
      resolve: async () => {
        lookups++
        return lookups === 1 ? ['203.0.114.1'] : ['127.0.0.1']
      },
    })
    const urls = [
      await outbound.check(`http://often.example:${port}/`),
      await outbound.check(`http://often.example:${port}/`),
    ]
    expect(lookups).toBe(1)
    for (const url of urls) await expect(outbound.request(url, get)).rejects.toMatchObject(unlisted)
    expect(lookups).toBe(3)
  })

  test('one private address among public ones is enough to refuse', async () => {
    const { port, connections } = await canary()
    const outbound = open({ resolve: async () => ['203.0.114.1', '127.0.0.1'] })
    await expect(outbound.check(`http://mixed.example:${port}/`)).rejects.toMatchObject(unlisted)
    await expect(outbound.request(new URL(`http://mixed.example:${port}/`) as Checked<URL>, get)).rejects.toMatchObject(
      unlisted,
    )
    expect(connections()).toBe(0)
  })

  test('the socket goes to the address that was judged, whatever the system would say', async () => {
    const { port, connections } = await canary()
    const outbound = open({ listed: [`gpu.example:${port}`], resolve: async () => ['127.0.0.1'] })
    expect((await fetchText(outbound, `http://gpu.example:${port}/`)).text).toBe('canary')
    expect(connections()).toBe(1)
  })

  test('a listed name may not lead to link-local or mapped addresses', async () => {
    for (const address of ['169.254.169.254', '0.0.0.0', '::ffff:127.0.0.1', 'fe80::1']) {
      const outbound = open({ listed: ['meta.example:80'], resolve: async () => [address] })
      await expect(fetchText(outbound, 'http://meta.example/')).rejects.toMatchObject(unlisted)
    }
  })

  test('taking an entry off the list cuts its kept connections off as well', async () => {
    const { port } = await canary()
    const listed = new Set([`gpu.example:${port}`])
    const outbound = open({ allowed: () => listed, resolve: async () => ['127.0.0.1'] })
    const url = await outbound.check(`http://gpu.example:${port}/`)
    expect(await (await outbound.request(url, get)).text()).toBe('canary')
    listed.clear()
    await expect(outbound.request(url, get)).rejects.toMatchObject(unlisted)
  })

  test('an address changed after its check is checked again', async () => {
    const { port, connections } = await canary()
    const outbound = open({ resolve: async () => ['203.0.114.1'] })
    const url = await outbound.check('http://public.example/')
    url.hostname = '127.0.0.1'
    url.port = String(port)
    await expect(outbound.request(url, get)).rejects.toMatchObject(unlisted)
    expect(connections()).toBe(0)
  })

  test('redirects are reported, not followed, and the credential goes nowhere', async () => {
    const { port: trap, connections } = await canary()
    for (const status of [301, 302, 303, 307, 308]) {
      const port = await serve(
        (_request, response) => void response.writeHead(status, { location: `http://localhost:${trap}/` }).end('moved'),
      )
      const outbound = open({ listed: [`localhost:${port}`, `localhost:${trap}`] })
      await expect(
        fetchText(outbound, `http://localhost:${port}/`, { headers: { authorization: 'Bearer x' } }),
      ).rejects.toMatchObject({
        kind: 'redirected',
      })
    }
    expect(connections()).toBe(0)
  })

  test('a body over the limit is cut, announced or not', async () => {
    const announced = await serve((_request, response) => void response.end('x'.repeat(2000)))
    const endless = await serve((_request, response) => {
      const pour = () => void (response.destroyed || (response.write('x'.repeat(10_000)), setImmediate(pour)))
      pour()
    })
    const outbound = open({ listed: [`localhost:${announced}`, `localhost:${endless}`] })
    for (const port of [announced, endless]) {
      await expect(fetchText(outbound, `http://localhost:${port}/`, { maxBytes: 1000 })).rejects.toMatchObject({
        kind: 'too-large',
      })
    }
  })

  test('silence before the headers and silence in the body each have their own limit', async () => {
    const mute = await serve(() => {})
    const stalling = await serve((_request, response) => void response.write('half'))
    const outbound = open({ listed: [`localhost:${mute}`, `localhost:${stalling}`] })
    await expect(fetchText(outbound, `http://localhost:${mute}/`, { headersMs: 100 })).rejects.toMatchObject({
      kind: 'timeout',
    })
    await expect(fetchText(outbound, `http://localhost:${stalling}/`, { idleMs: 100 })).rejects.toMatchObject({
      kind: 'timeout',
    })
  })

  test('a slow stream that keeps dripping is not cut', async () => {
    const port = await serve((_request, response) => {
      let left = 8
      const drip = setInterval(() => (left-- > 0 ? response.write('.') : (clearInterval(drip), response.end())), 60)
    })
    const outbound = open({ listed: [`localhost:${port}`] })
    expect((await fetchText(outbound, `http://localhost:${port}/`, { idleMs: 1500 })).text).toBe('........')
  })

  test('a connection that breaks off is a reset, before and in the middle of the body', async () => {
    const head = 'HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nhalf'
    for (const pieces of [
      ['reset'],
      [head, 'reset'],
      [head, 'end'],
      ['HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\nhel', 'end'],
    ]) {
      const port = await serveBytes(...pieces)
      const outbound = open({ listed: [`localhost:${port}`] })
      await expect(fetchText(outbound, `http://localhost:${port}/`), pieces.join()).rejects.toMatchObject({
        kind: 'reset',
      })
    }
  })

  test('what is not HTTP is no answer', async () => {
    const port = await serveBytes('SSH-2.0-OpenSSH_9.2\r\n', 'end')
    const outbound = open({ listed: [`localhost:${port}`] })
    await expect(fetchText(outbound, `http://localhost:${port}/`)).rejects.toMatchObject({
      kind: 'reset',
      message: expect.stringContaining('HTTP'),
    })
  })

  test('nothing listening, an unknown name and an endless connect are told apart', async () => {
    const port = await listen(createServer())
    const closed = createServer()
    await new Promise<void>((resolve) => void closed.listen(0, '127.0.0.1', resolve))
    const { port: free } = closed.address() as AddressInfo
    await new Promise((resolve) => closed.close(resolve))
    const outbound = open({
      listed: [`localhost:${free}`, `localhost:${port}`, 'slow.example:80'],
      resolve: async (host) => {
        if (host === 'localhost') return ['127.0.0.1']
        if (host === 'slow.example') return await new Promise(() => {})
        throw new Error('ENOTFOUND')
      },
    })
    await expect(fetchText(outbound, `http://localhost:${free}/`)).rejects.toMatchObject({ kind: 'unreachable' })
    await expect(fetchText(outbound, 'http://nowhere.example/')).rejects.toMatchObject({ kind: 'unreachable' })
    await expect(fetchText(outbound, 'http://slow.example/', { connectMs: 100 })).rejects.toMatchObject({
      kind: 'timeout',
    })
  })

  test('calling off takes effect within milliseconds, at every stage, and the server sees it', async () => {
    let closed = 0
    const port = await serve((request, response) => {
      request.on('close', () => closed++)
      if (request.url === '/body') response.write('first')
    })
    const outbound = open({ listed: [`localhost:${port}`] })
    for (const path of ['/headers', '/body']) {
      const controller = new AbortController()
      let abortedAt = 0
      setTimeout(() => {
        abortedAt = performance.now()
        controller.abort()
      }, 50)
      await expect(
        fetchText(outbound, `http://localhost:${port}${path}`, { signal: controller.signal }),
      ).rejects.toMatchObject({ kind: 'aborted' })
      expect(performance.now() - abortedAt).toBeLessThan(3000)
    }
    await expect.poll(() => closed).toBe(2)
    await expect(
      fetchText(outbound, `http://localhost:${port}/`, { signal: AbortSignal.abort() }),
    ).rejects.toMatchObject({ kind: 'aborted' })
  })

  test('leaving the loop early or dropping the answer closes the connection', async () => {
    let closed = 0
    const port = await serve((_request, response) => {
      response.on('close', () => closed++)
      response.write('first')
    })
    const outbound = open({ listed: [`localhost:${port}`] })
    const url = await outbound.check(`http://localhost:${port}/`)
    for await (const chunk of (await outbound.request(url, get)).body) {
      expect(chunk.byteLength).toBe(5)
      break
    }
    const unread = await outbound.request(url, get)
    unread.discard()
    await expect.poll(() => closed).toBe(2)
  })

  test('a reader that takes its time makes the server wait, and gets everything', async () => {
    const total = 16 * 1024 * 1024
    let sent = 0
    const port = await serve((_request, response) => {
      const pour = () => {
        while (sent < total) {
          sent += 65_536
          if (!response.write('x'.repeat(65_536))) return void response.once('drain', pour)
        }
        response.end()
      }
      pour()
    })
    const outbound = open({ listed: [`localhost:${port}`] })
    const url = await outbound.check(`http://localhost:${port}/`)
    const { body } = await outbound.request(url, { ...get, maxBytes: total + 1 })
    await new Promise((resolve) => setTimeout(resolve, 500))
    expect(sent).toBeLessThan(total)
    let received = 0
    for await (const chunk of body) received += chunk.byteLength
    expect(received).toBe(total)
  })

  test('connections are kept between calls', async () => {
    const sockets = new Set<unknown>()
    const port = await serve((request, response) => {
      sockets.add(request.socket)
      response.end('ok')
    })
    const outbound = open({ listed: [`localhost:${port}`] })
    for (let i = 0; i < 5; i++) await fetchText(outbound, `http://localhost:${port}/`)
    // Another one is opened when the first is not yet told to be free.
    expect(sockets.size).toBeLessThan(5)
  })

  test('a key that cannot be a header is refused without being shown', async () => {
    const port = await serve((_request, response) => void response.end())
    const outbound = open({ listed: [`localhost:${port}`] })
    const failure = await fetchText(outbound, `http://localhost:${port}/`, {
      headers: { authorization: 'Bearer planted\r\nx: y' },
    }).catch((error: unknown) => error)
    expect(failure).toMatchObject({ kind: 'unreachable' })
    expect(String((failure as Error).message)).not.toContain('planted')
  })

  test('closing ends what is under way', async () => {
    const port = await serve(() => {})
    const outbound = open({ listed: [`localhost:${port}`] })
    const waiting = fetchText(outbound, `http://localhost:${port}/`)
    waiting.catch(() => {})
    await new Promise((resolve) => setTimeout(resolve, 50))
    await outbound.close()
    await expect(waiting).rejects.toMatchObject({ kind: 'aborted' })
  })

  test('refusals are logged by host, without path or query', async () => {
    lines.length = 0
    await expect(open().check('http://127.0.0.1:1/planted?key=planted')).rejects.toMatchObject(unlisted)
    expect(lines.join('')).toContain('outbound address refused')
    expect(lines.join('')).not.toContain('planted')
  })
})
