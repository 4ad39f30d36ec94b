/** The client against real servers of both revisions, well-behaved ones and others. */
import { afterEach, describe, expect, test } from 'vitest'
import { createMcpCaller } from '../../../testing/mcp-caller.ts'
import {
  echoTool,
  type McpServer,
  type McpServerOptions,
  startMcpServer,
  textResult,
} from '../../../testing/mcp-server.ts'
import type { CallContext, RegisteredServer, ServerAuth } from '../kind.ts'
import { digestOf } from '../definitions.ts'

const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

const setUp = async (options: McpServerOptions = {}, over: Partial<RegisteredServer> = {}, auth?: ServerAuth) => {
  const server: McpServer = await startMcpServer(options)
  const caller = createMcpCaller(server.url, over, auth)
  closing.push(caller.close, server.close)
  return { server, discover: caller.discover, call: caller.call }
}

describe.each(['2026-07-28', '2025-11-25'] as const)('a server of revision %s', (revision) => {
  test('is asked for its tools, and for one call after another on one connection', async () => {
    const { server, discover, call } = await setUp({ revision })
    expect(await discover()).toEqual({
      revision,
      tools: [
        {
          name: 'echo',
          title: 'Echo',
          description: 'Says it again.',
          inputSchema: echoTool.inputSchema,
          claimsReadOnly: true,
        },
      ],
      offers: { resources: false, prompts: false },
    })
    expect(await call()).toEqual({ text: 'heard {"text":"hi"}' })
    expect(await call({ text: 'again' })).toEqual({ text: 'heard {"text":"again"}' })
    const methods = server.received.map(({ method }) => method)
    expect(methods.filter((method) => method === 'tools/call')).toHaveLength(2)
    expect(methods.filter((method) => method === 'server/discover')).toHaveLength(1)
  })

  test('says what went wrong with a call in its own words, which the model is told', async () => {
    const { call } = await setUp({
      revision,
      onRequest: ({ message, refuse }) => {
        if (message.method !== 'tools/call') return false
        refuse(-32602, 'no such city')
        return true
      },
    })
    expect(await call()).toMatchObject({ isError: true, text: expect.stringContaining('no such city') })
  })

  test('whose tool is another one than was accepted is not called', async () => {
    const { server, discover, call } = await setUp({ revision })
    const [digest] = (await discover()).tools.map(digestOf)
    expect(await call({ text: 'hi' }, {}, { digest })).toEqual({ text: 'heard {"text":"hi"}' })
    await expect(call({ text: 'hi' }, {}, { digest: 'other' })).rejects.toMatchObject({ kind: 'changed' })
    await expect(call({ text: 'hi' }, {}, { digest, originalName: 'gone' })).rejects.toMatchObject({ kind: 'changed' })
    expect(server.received.filter(({ method }) => method === 'tools/call')).toHaveLength(1)
  })

  test('is told when a call is called off, and others go on', async () => {
    const cut = Promise.withResolvers<void>()
    const begun = Promise.withResolvers<void>()
    const { server, call } = await setUp({
      revision,
      onRequest({ message, response }) {
        if (message.method !== 'tools/call' || message.params?.arguments?.['text'] !== 'slow') return false
        response.on('close', () => cut.resolve())
        begun.resolve()
        return true
      },
    })
    const stop = new AbortController()
    const slow = call({ text: 'slow' }, { signal: stop.signal })
    const ended = slow.catch((error: unknown) => error)
    await begun.promise
    stop.abort()
    expect(await ended).toMatchObject({ kind: 'cancelled' })
    // The newer revision hangs up; the older one sends a notification, and hangs up with its connection.
    await cut.promise
    if (revision === '2025-11-25')
      await expect.poll(() => server.received.map(({ method }) => method)).toContain('notifications/cancelled')
    expect(await call()).toMatchObject({ text: expect.stringContaining('hi') })
  })

  test('answers a call whose connection was being opened for another one that is called off', async () => {
    const begun = Promise.withResolvers<void>()
    let requests = 0
    const { call } = await setUp({
      revision,
      onRequest() {
        requests += 1
        if (requests > 1) return false
        begun.resolve()
        return true
      },
    })
    const stop = new AbortController()
    const first = call({ text: 'first' }, { signal: stop.signal }).catch((error: unknown) => error)
    await begun.promise
    const second = call({ text: 'second' })
    stop.abort()
    expect(await first).toMatchObject({ kind: 'cancelled' })
    expect(await second).toMatchObject({ text: expect.stringContaining('second') })
  })

  test('gives results of all kinds, which stay what they are', async () => {
    const png = Buffer.from('89504e470d0a1a0a', 'hex').toString('base64')
    const content = [
      { type: 'text', text: 'two parts' },
      { type: 'image', data: png, mimeType: 'image/png' },
      { type: 'audio', data: png, mimeType: 'audio/wav' },
      { type: 'resource_link', uri: 'file:///a.txt', name: 'a.txt', mimeType: 'text/plain' },
      { type: 'resource', resource: { uri: 'file:///b.txt', mimeType: 'text/plain', text: 'inside' } },
      { type: 'resource', resource: { uri: 'file:///c.bin', mimeType: 'application/zip', blob: png } },
    ]
    const { call } = await setUp({ revision, onCall: () => ({ content, structuredContent: { degrees: 21 } }) })
    const { text, media, resources, structured } = await call()
    expect(media?.map(({ mediaType, bytes, name }) => [mediaType, bytes.byteLength, name])).toEqual([
      ['image/png', 8, 'image.png'],
      ['audio/wav', 8, 'audio.wav'],
      ['application/zip', 8, 'c.bin'],
    ])
    expect(resources).toMatchObject([
      { uri: 'file:///a.txt', name: 'a.txt', mediaType: 'text/plain', text: null },
      { uri: 'file:///b.txt', name: 'b.txt', text: 'inside' },
    ])
    expect(structured).toEqual({ degrees: 21 })
    expect(text.split('\n\n')).toEqual([
      'two parts',
      '[audio.wav: audio/wav, 8 bytes, for the person.]',
      '[c.bin: application/zip, 8 bytes, for the person.]',
    ])
  })

  test('carries the account’s proof and the headers of the registration on every request', async () => {
    const auth = { headers: async () => ({ authorization: 'Bearer t0p' }) }
    const over = { authMode: 'bearer', headers: { 'X-Team': 'blue' } } as const
    const { server, discover } = await setUp({ revision, token: 't0p' }, over, auth)
    await discover()
    for (const headers of server.headers)
      expect(headers).toMatchObject({ authorization: 'Bearer t0p', 'x-team': 'blue' })
  })

  test('that refuses the proof is told apart from one that is away', async () => {
    const { discover, server } = await setUp({ revision, token: 'other' }, { authMode: 'bearer' })
    await expect(discover()).rejects.toMatchObject({ kind: 'refused', message: expect.stringContaining('401') })
    await server.close()
    await expect(discover()).rejects.toMatchObject({ kind: 'unreachable' })
  })
})

describe('a hostile server', () => {
  const onCall =
    (
      work: (response: import('node:http').ServerResponse, id: unknown) => void,
    ): NonNullable<McpServerOptions['onRequest']> =>
    ({ message, response }) => {
      if (message.method !== 'tools/call') return false
      work(response, message.id)
      return true
    }
  const events = { 'content-type': 'text/event-stream' }

  test('that says nothing is given up after the time of the registration', async () => {
    const { call } = await setUp({ onRequest: onCall(() => undefined) }, { timeoutMs: 1000 })
    await expect(call()).rejects.toMatchObject({ kind: 'timeout' })
  })

  test('that hangs up in the middle ends the call in words', async () => {
    const { call } = await setUp({
      onRequest: onCall((response) => {
        response.writeHead(200, { 'content-type': 'application/json', 'content-length': '500' })
        response.write('{"jsonrpc"', () => response.destroy())
      }),
    })
    await expect(call()).rejects.toMatchObject({ kind: 'unreachable' })
  })

  test('that ends a stream with half a frame ends the call in words', async () => {
    const half = 'data: {"jsonrpc":"2.0","i'
    const { call } = await setUp({ onRequest: onCall((response) => response.writeHead(200, events).end(half)) })
    await expect(call()).rejects.toMatchObject({ kind: 'unreachable' })
  })

  test.each(['application/json', 'text/event-stream'])('that never stops talking (%s) is cut off', async (type) => {
    let sent = 0
    const { call } = await setUp(
      {
        onRequest: onCall((response) => {
          response.writeHead(200, { 'content-type': type })
          const more = () => {
            if (response.destroyed) return
            sent += 64 * 1024
            response.write(
              type === 'application/json' ? 'x'.repeat(64 * 1024) : `data: "${'x'.repeat(64 * 1024)}"\n\n`,
              more,
            )
          }
          more()
        }),
      },
      { maxResponseBytes: 1024 * 1024 },
    )
    await expect(call()).rejects.toMatchObject({ kind: 'too-large' })
    expect(sent).toBeLessThan(16 * 1024 * 1024)
  })

  test('that sends the call on elsewhere is not followed', async () => {
    const other = await startMcpServer()
    closing.push(other.close)
    const { call } = await setUp({
      onRequest: onCall((response) => response.writeHead(307, { location: other.url }).end()),
    })
    await expect(call()).rejects.toMatchObject({ message: expect.stringContaining('another address') })
    expect(other.received).toEqual([])
  })

  test('that answers under another id, or before it is asked, is waited for and not believed', async () => {
    const { call } = await setUp(
      {
        onRequest: onCall((response, id) => {
          response.writeHead(200, events)
          for (const other of [9999, 'x', null])
            response.write(`data: ${JSON.stringify({ jsonrpc: '2.0', id: other, result: textResult('not mine') })}\n\n`)
          const result = { resultType: 'complete', ...textResult('mine') }
          response.end(`data: ${JSON.stringify({ jsonrpc: '2.0', id, result })}\n\n`)
        }),
      },
      { timeoutMs: 5000 },
    )
    expect(await call()).toEqual({ text: 'mine' })
  })

  test('that asks for a model’s answer, for folders or for log levels gets none', async () => {
    const asked: string[] = []
    const { server, call } = await setUp({
      revision: '2025-11-25',
      onRequest({ message, response }) {
        if (message.method !== 'tools/call') return false
        response.writeHead(200, events)
        for (const method of ['sampling/createMessage', 'roots/list']) {
          asked.push(method)
          response.write(`data: ${JSON.stringify({ jsonrpc: '2.0', id: method, method, params: {} })}\n\n`)
        }
        response.end(`data: ${JSON.stringify({ jsonrpc: '2.0', id: message.id, result: textResult('done') })}\n\n`)
        return true
      },
    })
    expect(await call()).toEqual({ text: 'done' })
    await expect
      .poll(() => server.received.filter((message) => 'error' in message).map(({ id }) => id))
      .toEqual(expect.arrayContaining(asked))
  })
})

describe('elicitation', () => {
  const schema = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] }

  test('of the newer revision asks the person between two rounds, and the call goes on with the answer', async () => {
    const { call } = await setUp({
      onRequest({ message, answer }) {
        if (message.method !== 'tools/call') return false
        const { inputResponses } = message.params as { inputResponses?: Record<string, { content: { city: string } }> }
        if (inputResponses) answer(textResult(`off to ${inputResponses['where']?.content.city}`))
        else
          answer({
            resultType: 'input_required',
            requestState: 's',
            inputRequests: {
              where: {
                method: 'elicitation/create',
                params: { mode: 'form', message: 'Where?', requestedSchema: schema },
              },
            },
          })
        return true
      },
    })
    const questions: unknown[] = []
    const ask: CallContext['ask'] = async (question) => {
      questions.push(question)
      return { city: 'Rome' }
    }
    expect(await call({ text: 'x' }, { ask })).toEqual({ text: 'off to Rome' })
    expect(questions).toEqual([{ kind: 'form', message: 'Where?', schema, repeatable: true }])
  })

  test('of the older one asks within the call, whose time stands still meanwhile', async () => {
    let answerOf: (answer: object) => void = () => undefined
    const { server, call } = await setUp(
      {
        revision: '2025-11-25',
        onRequest({ message, response }) {
          if (message.method === undefined) {
            answerOf(message)
            response.writeHead(202).end()
            return true
          }
          if (message.method !== 'tools/call') return false
          response.writeHead(200, { 'content-type': 'text/event-stream' })
          const params = { message: 'Where?', requestedSchema: schema }
          response.write(
            `data: ${JSON.stringify({ jsonrpc: '2.0', id: 'e1', method: 'elicitation/create', params })}\n\n`,
          )
          answerOf = (answer) => {
            const { result } = answer as { result: { action: string } }
            const said = textResult(result.action)
            response.end(`data: ${JSON.stringify({ jsonrpc: '2.0', id: message.id, result: said })}\n\n`)
          }
          return true
        },
      },
      { timeoutMs: 4000 },
    )
    const questions: unknown[] = []
    const ask: CallContext['ask'] = async (question) => {
      questions.push(question)
      await new Promise((resolve) => setTimeout(resolve, 4500))
      return null
    }
    expect(await call({ text: 'x' }, { ask })).toEqual({ text: 'decline' })
    expect(questions).toMatchObject([{ repeatable: false }])
    expect(server.received.length).toBeGreaterThan(0)
  })

  test('of an address shows where it leads before the call is made again, and not where the person declines', async () => {
    const elicitations = [{ mode: 'url', elicitationId: 'e1', url: 'https://shop.example/pay', message: 'Pay first.' }]
    let isPaid = false
    const { server, call } = await setUp({
      revision: '2025-11-25',
      onRequest({ message, response }) {
        if (message.method !== 'tools/call' || isPaid) return false
        const error = { code: -32042, message: 'A payment is needed.', data: { elicitations } }
        response.writeHead(200, { 'content-type': 'application/json' })
        response.end(JSON.stringify({ jsonrpc: '2.0', id: message.id, error }))
        return true
      },
    })
    const questions: unknown[] = []
    const answering =
      (answer: object | null): CallContext['ask'] =>
      async (question) => {
        questions.push(question)
        isPaid = answer !== null
        return answer as never
      }
    expect(await call({ text: 'x' }, { ask: answering(null) })).toMatchObject({ isError: true })
    expect(await call({ text: 'x' }, { ask: answering({}) })).toEqual({ text: 'heard {"text":"x"}' })
    expect(questions).toMatchObject(
      Array(2).fill({ kind: 'url', message: 'Pay first.', url: 'https://shop.example/pay' }),
    )
    expect(server.received.filter(({ method }) => method === 'tools/call')).toHaveLength(3)
  })
})
