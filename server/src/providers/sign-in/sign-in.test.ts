import { mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createLog } from '../../platform/log/log.ts'
import { createOutbound } from '../../platform/outbound/outbound.ts'
import type { Outbound } from '../../platform/outbound/types.ts'
import { startChild } from '../../testing/child.ts'
import { realClock } from '../../testing/clock.ts'
import { accessToken, startTokenEndpoint, type TokenEndpoint } from '../../testing/token-endpoint.ts'
import { createRunner } from '../runner.ts'
import { responses } from '../wires/responses.ts'
import { writeSignInFile } from './file.ts'
import { askSignedIn, createSignIn } from './index.ts'

const hour = 3_600_000
let home: string
let file: string
let endpoint: TokenEndpoint
let outbound: Outbound
let lines: string[]
let allowed: Set<string>
let endsIn = hour

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'atrium-sign-in-'))
  file = join(home, 'auth.json')
  endsIn = hour
  endpoint = await startTokenEndpoint({ refreshToken: 'refresh-0', endsAt: () => Date.now() + endsIn })
  lines = []
  allowed = new Set([endpoint.address])
  outbound = createOutbound({ allowed: () => allowed, log: createLog({ level: 'silent' }) })
})
afterEach(async () => {
  await Promise.all([outbound.close(), endpoint.close(), rm(home, { recursive: true, force: true })])
})

const signIn = (enabled = true) => {
  const log = createLog({ level: 'debug', write: (line) => lines.push(line) })
  return createSignIn({ enabled, home, outbound, clock: realClock, log, tokenUrl: endpoint.url })
}
const write = (endsAt: number, refresh = 'refresh-0', name = 'access-0') =>
  writeFile(
    file,
    JSON.stringify({
      OPENAI_API_KEY: null,
      tokens: {
        id_token: 'id-0',
        access_token: accessToken(endsAt, name),
        refresh_token: refresh,
        account_id: 'acc-1',
      },
      last_refresh: '2026-11-01T00:00:00Z',
      kept: { by: 'the vendor' },
    }),
    { mode: 0o600 },
  )
const written = async () => JSON.parse(await readFile(file, 'utf8'))
const nameIn = (headers: Record<string, string>) => headers['authorization']?.split('.').at(-1)

describe('what it says of itself', () => {
  test('is nothing at all when it is switched off', async () => {
    await write(Date.now() + hour)
    expect(await signIn(false).available()).toMatchObject({ state: 'hidden', expiresAt: null })
    await expect(signIn(false).headers()).rejects.toMatchObject({ kind: 'no_key' })
  })

  test.each([
    ['without a file', null],
    ['with a file that is cut in half', '{"tokens":{"access_tok'],
    ['with an API key instead of a sign-in', '{"OPENAI_API_KEY":"sk-something","tokens":null}'],
    ['without a refresh token', '{"tokens":{"access_token":"a.b.c"}}'],
    ['with a token that no header can carry', '{"tokens":{"access_token":"a\\r\\nb","refresh_token":"r"}}'],
  ])('is that nobody is signed in, %s', async (_what, content) => {
    if (content !== null) await writeFile(file, content)
    expect(await signIn().available()).toMatchObject({ state: 'not-signed-in', detail: expect.stringMatching(/tool/) })
    await expect(signIn().headers()).rejects.toMatchObject({ kind: 'no_key' })
    expect(endpoint.asked).toEqual([])
  })

  test('is until when, and since when', async () => {
    const endsAt = Math.floor((Date.now() + hour) / 1000) * 1000
    await write(endsAt)
    expect(await signIn().available()).toEqual({
      state: 'signed-in',
      detail: null,
      expiresAt: endsAt,
      refreshedAt: '2026-11-01T00:00:00Z',
      saved: true,
    })
  })
})

describe('a call', () => {
  test('carries the token and the account, and asks for nothing while there is time', async () => {
    await write(Date.now() + 90_000)
    expect(await signIn().headers()).toMatchObject({
      authorization: expect.stringMatching(/^Bearer .+\.access-0$/),
      'chatgpt-account-id': 'acc-1',
      originator: 'atrium',
    })
    expect(endpoint.asked).toEqual([])
  })

  test.each([
    ['a minute before its end', 50_000],
    ['when it ended long ago', -hour],
  ])('has the token refreshed first, %s', async (_when, left) => {
    await write(Date.now() + left)
    const sign = signIn()
    expect(nameIn(await sign.headers())).toBe('access-1')
    expect(endpoint.asked).toEqual([
      {
        grant_type: 'refresh_token',
        refresh_token: 'refresh-0',
        client_id: expect.any(String),
        scope: expect.any(String),
      },
    ])
    expect(await written()).toMatchObject({
      OPENAI_API_KEY: null,
      kept: { by: 'the vendor' },
      last_refresh: expect.stringMatching(/^20\d\d-.+Z$/),
      tokens: { refresh_token: 'refresh-1-of-the-endpoint', id_token: 'id-1', account_id: 'acc-1' },
    })
    expect((await stat(file)).mode & 0o777).toBe(0o600)
    expect(await readdir(home)).toEqual(['auth.json'])
  })

  test('waits with all others for the one refresh that is under way', async () => {
    await write(Date.now() - 1)
    const answer = endpoint.hold()
    const sign = signIn()
    const calls = Array.from({ length: 20 }, () => sign.headers())
    await expect.poll(() => endpoint.asked.length).toBe(1)
    expect(await sign.available()).toMatchObject({ state: 'refreshing' })
    answer()
    expect(new Set((await Promise.all(calls)).map(nameIn))).toEqual(new Set(['access-1']))
    expect(endpoint.asked).toHaveLength(1)
  })

  test('goes on with what has not ended yet when the endpoint is down', async () => {
    await write(Date.now() + 30_000)
    endpoint.answer(503)
    const sign = signIn()
    expect(nameIn(await sign.headers())).toBe('access-0')
    expect(await sign.available()).toMatchObject({
      state: 'refresh-failed',
      detail: expect.stringMatching(/right now/),
    })
    endpoint.answer(200)
    expect(nameIn(await sign.headers())).toBe('access-1')
    expect(await sign.available()).toMatchObject({ state: 'signed-in' })
  })
})

describe('a refused refresh', () => {
  test('asks for a new sign-in, is not tried again, and ends with one', async () => {
    await write(Date.now() - 1)
    endpoint.answer(400)
    const sign = signIn()
    await expect(sign.headers()).rejects.toMatchObject({ kind: 'no_key', message: expect.stringMatching(/again/) })
    await expect(sign.headers()).rejects.toMatchObject({ kind: 'no_key' })
    expect(endpoint.asked).toHaveLength(1)
    expect(await sign.available()).toMatchObject({ state: 'refresh-failed', detail: expect.stringMatching(/again/) })
    await write(Date.now() + hour, 'refresh-new', 'access-new')
    expect(await sign.available()).toMatchObject({ state: 'signed-in' })
    expect(nameIn(await sign.headers())).toBe('access-new')
  })

  test.each([
    ['with words of its own', 400, '{"error":"invalid_grant","secret":"leaked-from-the-endpoint"}'],
    ['with something that is no answer', 200, '<html>'],
  ])('tells neither tokens nor what was said, %s', async (_what, status, body) => {
    await write(Date.now() - 1)
    endpoint.accept('another')
    endpoint.answer(status, body)
    const error: Error = await signIn()
      .headers()
      .then(
        () => new Error('it went through'),
        (caught: Error) => caught,
      )
    const told = `${error.message}\n${error.stack}\n${lines.join('\n')}`
    for (const secret of ['refresh-0', 'access-0', 'leaked', '<html>']) expect(told).not.toContain(secret)
    expect(error.message).toMatch(/sign-in/)
  })

  test('never reaches an address that is not allowed', async () => {
    await write(Date.now() - 1)
    allowed.clear()
    await expect(signIn().headers()).rejects.toMatchObject({ kind: 'unreachable' })
    expect(endpoint.asked).toEqual([])
  })
})

describe('writing back', () => {
  test('that fails leaves the tokens in memory, and says so', async () => {
    // Beside a file with so long a name no draft of it can be made, whoever tries.
    await writeFile(join(home, 'a'.repeat(240)), '')
    await symlink(join(home, 'a'.repeat(240)), file)
    await write(Date.now() - 1)
    const sign = signIn()
    expect(nameIn(await sign.headers())).toBe('access-1')
    expect((await written()).tokens.refresh_token).toBe('refresh-0')
    expect(await sign.available()).toMatchObject({
      state: 'signed-in',
      saved: false,
      detail: expect.stringMatching(/couldn’t be saved/),
    })
    expect(nameIn(await sign.headers())).toBe('access-1')
    expect(endpoint.asked).toHaveLength(1)
    await write(Date.now() + hour, 'refresh-new', 'access-new')
    expect(nameIn(await sign.headers())).toBe('access-new')
    expect(await sign.available()).toMatchObject({ saved: true })
  })

  test('follows a link to where the file is', async () => {
    await mkdir(join(home, 'real'))
    await write(Date.now() - 1)
    await writeFile(join(home, 'real', 'auth.json'), await readFile(file))
    await rm(file)
    await symlink(join(home, 'real', 'auth.json'), file)
    await signIn().headers()
    expect(JSON.parse(await readFile(join(home, 'real', 'auth.json'), 'utf8')).tokens.id_token).toBe('id-1')
    expect((await stat(file)).isFile()).toBe(true)
  })

  test('takes away the drafts that killed processes left, and no others', async () => {
    await write(Date.now() - 1)
    const old = `${file}.11111111.draft`
    await writeFile(old, 'half')
    await utimes(old, 0, 0)
    await writeFile(`${file}.22222222.draft`, 'being written')
    await writeFile(join(home, 'config.toml'), '')
    await signIn().headers()
    expect((await readdir(home)).sort()).toEqual(['auth.json', 'auth.json.22222222.draft', 'config.toml'])
  })

  test('leaves the old file or the new one when it is killed in the middle', async () => {
    const content = (name: string) => ({
      tokens: { access_token: name, refresh_token: 'r', padding: name.repeat(20_000) },
    })
    await writeSignInFile(file, content('first')).then(() => writeFile(file, JSON.stringify(content('first'))))
    const source = (at: number) => `
      import { writeSignInFile } from ${JSON.stringify(new URL('./file.ts', import.meta.url).href)}
      const content = (name) => ({ tokens: { access_token: name, refresh_token: 'r', padding: name.repeat(20000) } })
      console.log('ready')
      for (let n = 0; ; n += 1) await writeSignInFile(${JSON.stringify(file)}, content('of-${at}-' + n))`
    for (let at = 0; at < 4; at += 1) {
      const child = startChild(source(at))
      expect(await child.line()).toBe('ready')
      await new Promise((go) => setTimeout(go, 30 + at * 17))
      await child.kill()
      const { tokens } = await written()
      expect(tokens.padding).toBe(tokens.access_token.repeat(20_000))
    }
  })
})

test('two processes refresh once, one after the other', async () => {
  await write(Date.now() - 1)
  endpoint.delay(150)
  const root = (path: string) => JSON.stringify(new URL(path, import.meta.url).href)
  const source = `
    import { createSignIn } from ${root('./index.ts')}
    import { createOutbound } from ${root('../../platform/outbound/outbound.ts')}
    import { createLog } from ${root('../../platform/log/log.ts')}
    const log = createLog({ level: 'silent' })
    const outbound = createOutbound({ allowed: () => new Set([${JSON.stringify(endpoint.address)}]), log })
    const sign = createSignIn({ enabled: true, home: ${JSON.stringify(home)}, outbound, log,
      clock: { now: Date.now }, tokenUrl: ${JSON.stringify(endpoint.url)} })
    const { authorization } = await sign.headers()
    console.log(authorization.split('.').at(-1))
    await outbound.close()`
  const children = [startChild(source), startChild(source), startChild(source)]
  expect(await Promise.all(children.map((child) => child.line()))).toEqual(['access-1', 'access-1', 'access-1'])
  expect(endpoint.asked).toHaveLength(1)
  expect(await readdir(home)).toEqual(['auth.json'])
})

describe('a provider that refuses the token', () => {
  let upstream: Server
  let url: string
  let good: string
  let calls: { authorization: string | undefined; body: Record<string, unknown> }[]
  beforeEach(async () => {
    calls = []
    good = 'access-1'
    upstream = createServer((req, res) => {
      let body = ''
      req.on('data', (chunk) => (body += chunk))
      req.on('end', () => {
        const { authorization } = req.headers
        calls.push({ authorization, body: JSON.parse(body) })
        if (!authorization?.endsWith(`.${good}`)) {
          return void res
            .writeHead(401, { 'content-type': 'application/json' })
            .end('{"error":{"message":"no: access-0"}}')
        }
        res.writeHead(200, { 'content-type': 'text/event-stream' })
        const send = (event: Record<string, unknown>) =>
          res.write(`event: ${event['type']}\ndata: ${JSON.stringify(event)}\n\n`)
        send({ type: 'response.created', response: { id: 'resp_1', status: 'in_progress' } })
        send({
          type: 'response.output_item.added',
          output_index: 0,
          item: { type: 'message', id: 'msg_1', content: [] },
        })
        send({
          type: 'response.output_text.delta',
          item_id: 'msg_1',
          output_index: 0,
          content_index: 0,
          delta: 'Hello',
        })
        const message = {
          type: 'message',
          id: 'msg_1',
          role: 'assistant',
          content: [{ type: 'output_text', text: 'Hello' }],
        }
        send({ type: 'response.output_item.done', output_index: 0, item: message })
        const usage = { input_tokens: 3, output_tokens: 1 }
        send({ type: 'response.completed', response: { id: 'resp_1', status: 'completed', output: [message], usage } })
        res.end()
      })
    })
    await new Promise<void>((listening) => upstream.listen(0, '127.0.0.1', listening))
    const address = `127.0.0.1:${(upstream.address() as AddressInfo).port}`
    allowed.add(address)
    url = `http://${address}/backend-api/codex/responses`
  })
  afterEach(() => new Promise<void>((closed) => upstream.close(() => closed())))

  const ask = async (sign = signIn()): Promise<string> => {
    const runner = createRunner({ outbound, clock: realClock })
    const checked = await outbound.check(url)
    const turn = {
      model: 'gpt-5.5',
      system: 'Be brief.',
      messages: [{ role: 'user' as const, text: 'Hi', images: [] }],
      tools: [],
      options: {},
    }
    const call = { wire: responses, url: checked, hasKey: true, turn, signal: AbortSignal.timeout(120_000) }
    let text = ''
    for await (const parts of askSignedIn(sign, (headers) => runner.run({ ...call, headers }))) {
      for (const part of parts) if (part.type === 'text') text += part.delta
    }
    return text
  }

  test('is asked once more, with a fresh one', async () => {
    await write(Date.now() + hour)
    expect(await ask()).toBe('Hello')
    expect(calls.map(({ authorization }) => authorization?.split('.').at(-1))).toEqual(['access-0', 'access-1'])
    expect(calls[1]?.body).toMatchObject({ model: 'gpt-5.5', store: false, stream: true })
  })

  test('and refuses the fresh one, too, is not asked a third time', async () => {
    await write(Date.now() + hour)
    good = 'access-of-somebody-else'
    await expect(ask()).rejects.toMatchObject({ kind: 'rejected', status: 401 })
    expect(calls).toHaveLength(2)
    expect(endpoint.asked).toHaveLength(1)
  })

  test('is asked with the token that another call has just got', async () => {
    await write(Date.now() + hour)
    const sign = signIn()
    expect(await Promise.all(Array.from({ length: 5 }, () => ask(sign)))).toEqual(Array(5).fill('Hello'))
    expect(endpoint.asked).toHaveLength(1)
  })

  test('ends the turn when the refresh is refused as well', async () => {
    await write(Date.now() + hour)
    endpoint.answer(400)
    await expect(ask()).rejects.toMatchObject({ kind: 'no_key', message: expect.stringMatching(/Sign in there again/) })
    expect(calls).toHaveLength(1)
    expect(lines.join('\n')).not.toMatch(/access-0|refresh-0|leaked/)
  })
})
