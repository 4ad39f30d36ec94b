import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { toolServersRoutes as routes } from '@atrium/contract/tool-servers'
import { afterEach, expect, test } from 'vitest'
import { startTestApp } from '../../../testing/app.ts'
import { descendantsOf } from '../../../platform/work/group-memory.ts'
import { createMcpCaller } from '../../../testing/mcp-caller.ts'
import { type Bubblewrap, probeBubblewrap, readBubblewrap } from '../../../platform/sandbox/bubblewrap.ts'
import { readStdioFile } from './file.ts'

const everything = join(
  dirname(createRequire(import.meta.url).resolve('@modelcontextprotocol/server-everything/package.json')),
  'dist/index.js',
)
const closing: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

const writeServers = async (mcpServers: object): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'atrium-stdio-test-'))
  closing.push(() => rm(folder, { recursive: true, force: true }))
  const path = join(folder, 'servers.json')
  await writeFile(path, JSON.stringify({ mcpServers }))
  return path
}
/** Asks the one program of a file. */
const callerOf = async (entry: object, options: { bubblewrap?: () => Promise<Bubblewrap>; idleMs?: number } = {}) => {
  const stdioFile = await writeServers({ one: { command: process.execPath, ...entry } })
  const at = { id: 'stdio-one', baseUrl: 'stdio://one/' }
  const caller = createMcpCaller('stdio://one/', at, undefined, { stdioFile, ...options })
  closing.push(caller.close)
  return caller
}
/** A program that answers nothing but the handshake of the older revision, and does something when a tool is called. */
const program = (onCall: string) => ({
  args: [
    '--input-type=module',
    '--eval',
    `import { createInterface } from 'node:readline'
    import { spawn } from 'node:child_process'
    const say = (message) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', ...message }) + '\\n')
    for await (const line of createInterface({ input: process.stdin })) {
      const { id, method } = JSON.parse(line)
      if (method === 'initialize') say({ id, result: { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: 'p', version: '1' } } })
      else if (method === 'tools/call') { ${onCall} }
      else if (id !== undefined) say({ id, error: { code: -32601, message: 'unknown' } })
    }`,
  ],
})
const text = (words: string) => `say({ id, result: { content: [{ type: 'text', text: String(${words}) }] } })`
const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

/** With bubblewrap where it works on this machine, and as where it does not. */
const ways = [
  ['as this machine allows it', readBubblewrap],
  ['without bubblewrap', () => probeBubblewrap('/no/such/bwrap')],
] as const

test.each(ways)('a program lists its tools, and is asked one call after another, %s', async (_, bubblewrap) => {
  const { discover, call } = await callerOf({ args: [everything, 'stdio'] }, { bubblewrap })
  expect((await discover()).tools.map(({ name }) => name)).toContain('echo')
  expect(await call({ message: 'hi' }, {}, { originalName: 'echo' })).toEqual({ text: 'Echo: hi' })
  expect(await call({ message: 'again' }, {}, { originalName: 'echo' })).toEqual({ text: 'Echo: again' })
})

test.each(ways)(
  'a program has the environment of the file, a folder of its own, and nothing of the server’s, %s',
  async (_, bubblewrap) => {
    process.env['PLANTED_SECRET'] = 'x'
    closing.push(async () => delete process.env['PLANTED_SECRET'])
    const { call } = await callerOf(
      {
        ...program(text('JSON.stringify({ env: process.env, folder: process.cwd() })')),
        env: { GIVEN: 'yes' },
      },
      { bubblewrap },
    )
    const { env, folder } = JSON.parse((await call()).text)
    const { PWD = folder, ...rest } = env
    expect([rest, PWD]).toEqual([{ GIVEN: 'yes' }, folder])
    expect(folder).toMatch(/atrium-tools-/)
  },
)

test('all that a program started ends with it', async () => {
  const own = `const [child, apart] = [false, true].map((detached) => spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore', detached })); ${text('`${process.pid} ${child.pid} ${apart.pid}`')}`
  // Within bubblewrap, programs have numbers of their own.
  const { call, close } = await callerOf(program(own), { bubblewrap: ways[1][1] })
  const pids = (await call()).text.split(' ').map(Number)
  expect(pids.map(isAlive)).toEqual([true, true, true])
  await close()
  await expect.poll(() => pids.map(isAlive)).toEqual([false, false, false])
})

test('a program that nobody asks for a while is ended, and started again by the next call', async () => {
  const { call } = await callerOf(program(text('process.pid')), { bubblewrap: ways[1][1], idleMs: 20 })
  const first = Number((await call()).text)
  await expect.poll(() => isAlive(first)).toBe(false)
  expect(Number((await call()).text)).not.toBe(first)
})

test('where bubblewrap works, a program sees what the file names and writes to its own folder alone', async () => {
  if (!(await readBubblewrap()).works) return
  const folder = await mkdtemp(join(tmpdir(), 'atrium-named-'))
  closing.push(() => rm(folder, { recursive: true, force: true }))
  for (const name of ['readable', 'writable', 'hidden']) {
    await mkdir(join(folder, name))
    await writeFile(join(folder, name, 'a.txt'), name)
  }
  const tried = `
    const { readFileSync, writeFileSync, readdirSync } = await import('node:fs')
    const { connect } = await import('node:net')
    const attempt = (work) => { try { return work() ?? 'done' } catch (error) { return error.code } }
    const at = (name) => ${JSON.stringify(folder)} + '/' + name + '/a.txt'
    const port = Number(process.env.PORT)
    const reached = await new Promise((go) => connect(port, '127.0.0.1').on('connect', () => go(true)).on('error', () => go(false)))
    const out = {
      read: ['readable', 'writable', 'hidden'].map((name) => attempt(() => readFileSync(at(name), 'utf8'))),
      written: ['readable', 'writable'].map((name) => attempt(() => writeFileSync(at(name), 'new'))),
      own: attempt(() => writeFileSync('own.txt', 'x')),
      system: attempt(() => writeFileSync('/usr/x', 'x')),
      homes: attempt(() => readdirSync('/root').length), shadow: attempt(() => readFileSync('/etc/shadow').length),
      others: readdirSync('/proc').filter((name) => /^[0-9]+$/.test(name)).length < 10,
      reached,
    }
    ${text('JSON.stringify(out)')}`
  const server = createServer().listen(0, '127.0.0.1')
  closing.push(async () => void server.close())
  await new Promise((go) => server.once('listening', go))
  const env = { PORT: String((server.address() as AddressInfo).port) }
  const given = { readable: [join(folder, 'readable')], writable: [join(folder, 'writable')], env }
  const seen = async (more: object) =>
    JSON.parse((await (await callerOf({ ...program(tried), ...given, ...more })).call()).text)
  expect(await seen({})).toEqual({
    read: ['readable', 'writable', 'ENOENT'],
    written: ['EROFS', 'done'],
    own: 'done',
    system: 'EROFS',
    homes: 'ENOENT',
    shadow: 'ENOENT',
    others: true,
    reached: true,
  })
  expect(await seen({ network: false })).toMatchObject({ reached: false, own: 'done' })
})

test('memory counts of all that a program started, also of what left its group', () => {
  const origin = (pid: number, parent: number, group = pid, session = group) => ({ pid, parent, group, session })
  const all = [origin(1, 0), origin(10, 1), origin(11, 10), origin(12, 11, 12), origin(13, 1, 10), origin(20, 1)]
  expect(descendantsOf(10, all).toSorted((one, other) => one - other)).toEqual([10, 11, 12, 13])
})

test.each([
  ['ends', 'process.exit(3)', 'has ended'],
  [
    'writes a line without an end',
    "for (;;) { if (!process.stdout.write('x'.repeat(65536))) await new Promise((r) => process.stdout.once('drain', r)) }",
    '1 MB',
  ],
  ['writes a line that is a little too long', "process.stdout.write('x'.repeat(1_060_000) + '\\n')", '1 MB'],
  [
    'takes too much memory',
    'const all = []; for (let i = 0; i < 8; i++) all.push(Buffer.alloc(100 * 1024 * 1024, 1))',
    '512 MB',
  ],
  [
    'takes too much memory together with what it started',
    "for (let i = 0; i < 3; i++) spawn(process.execPath, ['-e', 'const all = []; for (let i = 0; i < 2; i++) all.push(Buffer.alloc(100 * 1024 * 1024, 1)); setTimeout(() => all, 60_000)'], { stdio: 'ignore', detached: true })",
    '512 MB',
  ],
])('a program that %s in the middle of a call ends it in words, and is started anew', async (_, onCall, words) => {
  const { call } = await callerOf(program(onCall))
  for (let times = 0; times < 2; times++)
    await expect(call()).rejects.toMatchObject({ kind: 'unreachable', message: expect.stringContaining(words) })
})

test('a program that is not there is told in words', async () => {
  const { call } = await callerOf({ command: '/no/such/program' })
  await expect(call()).rejects.toMatchObject({ kind: 'unreachable' })
})

test('a file that is none, or has another form, stops the start with a sentence', async () => {
  expect(() => readStdioFile('/no/such/file')).toThrow('TOOLS_STDIO_FILE')
  const path = await writeServers({ 'bad name': { command: 'x' } })
  expect(() => readStdioFile(path)).toThrow('bad name')
})

test('programs stand among the registered servers, and no route names or changes what they run', async () => {
  const secret = 'planted-in-the-file'
  const entry = { command: process.execPath, args: [everything, 'stdio'], env: { KEY: secret } }
  const TOOLS_STDIO_FILE = await writeServers({ files: entry })
  const app = await startTestApp({ env: { TOOLS_STDIO_FILE } })
  closing.push(app.close)
  const admin = await app.signUpAdmin()
  const [server] = (await admin.call(routes.servers, {})).items
  expect(server).toMatchObject({
    id: 'stdio-files',
    name: 'files',
    specRevision: 0,
    details: { accessMode: 'admins-only' },
  })
  const at = { params: { id: 'stdio-files' } }
  expect(await admin.call(routes.refreshServer, at)).toMatchObject({ specRevision: 1 })
  expect(JSON.stringify(await admin.call(routes.server, at))).not.toContain(secret)
  const body = { name: 'Mine', kind: 'mcp', baseUrl: 'stdio://files/' } as const
  expect((await admin.refusal(routes.addServer, { body })).code).toBe('url_not_allowed')
  expect((await admin.refusal(routes.updateServer, { ...at, body: { headers: {} } })).code).toBe('validation_failed')

  // What was decided stays, and what the file has no more is offered to nobody.
  await admin.call(routes.updateServer, { ...at, body: { accessMode: 'all-users' } })
  await writeFile(TOOLS_STDIO_FILE, JSON.stringify({ mcpServers: {} }))
  await app.restart()
  const user = await app.signUpUser('ann')
  expect((await user.refusal(routes.server, at)).code).toBe('tool_server_not_found')
  expect((await admin.refusal(routes.refreshServer, at)).problem.detail).toContain('removed this program')
})
