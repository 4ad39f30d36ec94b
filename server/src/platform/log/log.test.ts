import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { startChild } from '../../testing/child.ts'
import { createLog, type LogLevel } from './log.ts'
import { maskText } from './mask.ts'
import { createRecentLines } from './recent-lines.ts'

const collect = (level: LogLevel = 'debug') => {
  const lines: string[] = []
  const log = createLog({ level, write: (line) => void lines.push(line) })
  return { log, lines, last: () => JSON.parse(lines.at(-1) ?? '{}') as Record<string, unknown> }
}

describe('the log', () => {
  test('writes one JSON object per line, with level, time, message, scope and fields', () => {
    const { log, lines, last } = collect()
    log
      .child('http')
      .child('door')
      .info('a request\nwas answered', { status: 200, ids: ['a', 'b'] })
    expect(lines).toHaveLength(1)
    expect(lines[0]?.endsWith('\n')).toBe(true)
    expect(lines[0]?.trimEnd()).not.toContain('\n')
    expect(last()).toEqual({
      level: 'info',
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      message: 'a request\nwas answered',
      scope: 'http/door',
      fields: { status: 200, ids: ['a', 'b'] },
    })
  })

  test('writes to standard output without waiting, and loses nothing when the process leaves at once', async () => {
    const child = startChild(`
      const { createLog } = await import(${JSON.stringify(new URL('./log.ts', import.meta.url).href)})
      const log = createLog({ level: 'info' })
      for (let n = 0; n < 1000; n++) log.info('line', { n })
      process.exit(1)
    `)
    const numbers: number[] = []
    for (let line = await child.line(); line !== null; line = await child.line())
      numbers.push(JSON.parse(line).fields.n)
    expect(numbers).toEqual(Array.from({ length: 1000 }, (_, n) => n))
    await child.kill()
  })

  test('keeps its last lines in memory, cleaned, up to so many and so long', () => {
    const recent = createRecentLines({ maxLines: 3, maxLength: 400 })
    const log = createLog({ level: 'debug', write: () => undefined, recent })
    const messages = () => recent.list().map((line) => JSON.parse(line).message)
    for (let n = 0; n < 5; n++) log.info(`line ${n}`, { password: 'xyzzy-1' })
    expect(messages()).toEqual(['line 2', 'line 3', 'line 4'])
    expect(recent.list().join('')).not.toContain('xyzzy-1')
    log.info('la '.repeat(80))
    expect(messages().at(-1)).toContain('la la')
    expect(recent.list().length).toBeLessThan(3)
  })

  test('leaves out what is below its level', () => {
    const { log, lines } = collect('warn')
    log.info('no')
    log.debug('no')
    log.warn('yes')
    expect(lines).toHaveLength(1)
  })

  test('hides members with secret names, at any depth and in any spelling', () => {
    const { log, lines } = collect()
    const secret = 'xyzzy-1'
    log.warn('planted', {
      authorization: secret,
      Cookie: secret,
      'set-cookie': [secret],
      apiKey: secret,
      api_key: secret,
      'X-Api-Key': secret,
      key: secret,
      accessToken: secret,
      csrf_token: { inner: secret },
      password: secret,
      newPassword: secret,
      clientSecret: secret,
      credentials: { user: secret },
      private_key: secret,
      deep: { list: [{ headers: { Authorization: secret } }] },
    })
    expect(lines.join('')).not.toContain(secret)
    expect(lines.join('')).toContain('[hidden]')
  })

  test('keeps counts of tokens and ids, which look a little like secrets', () => {
    const { log, last } = collect()
    const id = '0193a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b'
    log.info(`chat ${id}`, {
      id,
      path: `/api/chat/sessions/${id}/events`,
      inputTokens: 12,
      outputTokens: 3,
      monkey: 'x',
    })
    expect(last()).toMatchObject({
      message: `chat ${id}`,
      fields: { id, path: `/api/chat/sessions/${id}/events`, inputTokens: 12, outputTokens: 3, monkey: 'x' },
    })
  })

  const planted = {
    'an API token': 'atr_2nTq8sVwX1yZ3bCdEfGhIjKlMnOpQrStUvWxYz01234',
    'a session token': 'ats_2nTq8sVwX1yZ3bCdEfGhIjKlMnOpQrStUvWxYz01234',
    'a provider key': 'sk-proj-Abc123Def456',
    'another vendor’s key': 'gsk_abcdefgh12345678',
    'a web token': 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl',
    'long hex': 'deadbeefdeadbeefdeadbeefdeadbeefdeadbeefdeadbeefdeadbeefdeadbeef',
    'long base64': 'q83vEjRWeJCrze8SNFZ4kKvN7xI0VniQq83vEjRWeJA=',
    'long base64 with few changes of kind': 'F3+WgYDCVQFMKMHVAAwvDUJNRq/ecosu+SJjZBZJ6MU=',
    'long base64url': 'q83vEjRWeJCrze8SNFZ4kKvN7xI0Vni_q83v-jRWeJA',
    'lower case base32': 'mfrggzdfmztwq2lknnwg23tpobyxe43uov3ho6dzpiytemzu',
  }
  test.each(Object.entries(planted))('masks %s in messages, texts, errors, causes and stacks', (_name, secret) => {
    const { log, lines } = collect()
    log.error(`failed with ${secret}.`, {
      text: `before ${secret} after`,
      quoted: `{"x":"${secret}"}`,
      [secret]: 1,
      error: new Error(`upstream said ${secret}`, { cause: new TypeError(`because ${secret}`) }),
    })
    expect(lines.join('')).not.toContain(secret)
    expect(lines.join('')).toContain('before [hidden] after')
  })

  test.each([
    'Authorization: Bearer abc.def-1',
    'got header authorization=Basic dXNlcjpwYXNz',
    'https://ann:hunter2@example.org/x',
    'https://example.org/?a=1&key=hunter2&b=2',
    'password: hunter2',
    '{"password":"hunter2"}',
    "{ token: 'hunter2' }",
    'cookie: atrium_session=hunter2',
    'api_key=hunter2',
  ])('masks the secret part of %s', (text) => {
    expect(maskText(text)).not.toMatch(/hunter2|abc\.def|dXNlcjpwYXNz/)
    expect(maskText(text)).toContain('[hidden]')
  })

  test.each([
    '550 5.1.1 <ann@example.org>: Recipient address rejected',
    'to=ann.b+list@mail.example.co.uk, relay=none',
    'RCPT TO:ann@example.org failed',
    'kein Postfach für zoë@bücher.example',
  ])('masks the address of mail in: %s', (text) => {
    expect(maskText(text)).not.toMatch(/ann|example|zoë|bücher/)
    expect(maskText(text)).toContain('[hidden]')
  })

  test('leaves ordinary sentences and source positions readable', () => {
    for (const text of [
      'nodemailer@9.0.1 in node_modules/@scope/package, at @ann in #general',
      'the token limit of 4096 was reached',
      'file:///srv/atrium/server/src/platform/outbound/outbound.ts:33:12',
      'interrupted-because-the-process-was-stopped',
      'A task-list-of-things and the disk-is-full',
      'https://example.org/api/v1/chat/completions',
    ]) {
      expect(maskText(text)).toBe(text)
    }
  })

  test('writes errors with name, message and code, and a stack only where somebody must look', () => {
    const { log, last } = collect()
    const error = Object.assign(new RangeError('too far'), { code: 'E_FAR' })
    log.warn('expected', { error })
    expect(last()['fields']).toEqual({ error: { name: 'RangeError', message: 'too far', code: 'E_FAR' } })
    log.error('a bug', { error })
    expect(last()['fields']).toMatchObject({ error: { stack: expect.stringContaining('log.test.ts') } })
  })

  test('bounds texts, depth, lists and members, and never loops', () => {
    const { log, lines } = collect()
    const loop: Record<string, unknown> = { name: 'loop' }
    loop['self'] = loop
    const wide = Object.fromEntries(Array.from({ length: 500 }, (_, i) => [`m${i}`, 'v']))
    log.error('big', { text: 'la '.repeat(1_000_000), loop, wide, list: Array.from({ length: 10_000 }, () => 'item') })
    expect(lines[0]?.length).toBeLessThan(20_000)
  })

  test('a secret that stands where a text is cut is not half shown', () => {
    const secret = 'sk-abcdefghijklmnop'
    expect(maskText(`${'la '.repeat(664)}${secret}`, 2000)).not.toContain('sk-abc')
  })

  test('survives getters that throw, odd values and bytes, and shows no bytes', () => {
    const { log, lines } = collect()
    const hostile = {
      get broken(): never {
        throw new Error('no')
      },
      bytes: Buffer.from('planted content'),
      array: new Uint8Array([112, 108]),
      url: new URL('https://u:p@example.org/path?key=planted'),
      big: 10n,
      date: new Date(Number.NaN),
      nothing: undefined,
      call: () => 1,
      map: new Map([['planted', 'planted']]),
    }
    log.info('odd', hostile)
    expect(lines[0]).not.toContain('planted')
    expect(lines[0]).toContain('[unreadable]')
    expect(lines[0]).toContain('[15 bytes]')
  })

  test('no random token of 32 bytes passes, wherever it stands', () => {
    // Digests of what the generator makes: its own arrays are not evenly random.
    const random = fc.integer().map((seed) => createHash('sha512').update(`${seed}`).digest().subarray(0, 32))
    const encoding = fc.constantFrom('hex' as const, 'base64' as const, 'base64url' as const)
    fc.assert(
      fc.property(random, encoding, fc.string({ maxLength: 20 }), (bytes, form, around) => {
        const token = bytes.toString(form)
        const { log, lines } = collect()
        log.info('x', { text: `${around} ${token} ${around}` })
        expect(lines[0]).not.toContain(token)
      }),
      { numRuns: 2000 },
    )
  })
})
