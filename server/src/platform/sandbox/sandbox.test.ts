import { fork } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { afterAll, describe, expect, test } from 'vitest'
import { childrenOf, isWorking, niceOf, sessionNiceOf } from '../../testing/processes.ts'
import { createSandbox, type SandboxFile, type SandboxLanguage, type SandboxOutcome, type SandboxRun } from './index.ts'

const sandbox = createSandbox({ places: 2, placesOfOne: 1, waitingOfOne: 3 })
afterAll(() => sandbox.close())

const run = (
  language: SandboxLanguage,
  code: string,
  { files = [], ...more }: Partial<SandboxRun> & { files?: readonly SandboxFile[] } = {},
): Promise<SandboxOutcome> => sandbox.run({ accountId: 'ann', language, code, readFiles: async () => files, ...more })
const file = (path: string, text: string): SandboxFile => ({ path, bytes: Buffer.from(text) })
const asText = (files: readonly SandboxFile[]) =>
  Object.fromEntries(files.map(({ path, bytes }) => [path, Buffer.from(bytes).toString()]))

const given = [file('/files/notes.txt', 'grüße'), file('/keep/old.txt', 'old'), file('/keep/same.txt', 'same')]

describe('programs in JavaScript', () => {
  test('read the files that they are given, print, and leave files', async () => {
    const outcome = await run(
      'javascript',
      `import fs, { readFileSync } from 'node:fs'
       import { join } from 'path'
       console.log('%s is', 'this', [1, { a: 'b' }], new Map([[1, new Set([2])]]))
       console.error(readFileSync('/files/notes.txt', 'utf8'))
       await new Promise((done) => setTimeout(done, 5))
       fs.mkdirSync('/keep/deep/er', { recursive: true })
       fs.writeFileSync(join('/keep', 'deep', 'er', 'new.txt'), 'new')
       fs.appendFileSync('/keep/deep/er/new.txt', '!')
       fs.rmSync('/keep/old.txt')
       fs.writeFileSync('result.csv', 'a,b')
       fs.writeFileSync('/out/bytes.bin', new Uint8Array([1, 2, 3]))`,
      { files: given },
    )
    expect(outcome).toMatchObject({ end: 'finished', droppedBytes: 0, problems: [], removed: ['/keep/old.txt'] })
    expect(outcome.stdout).toBe(`this is [ 1, { a: "b" } ] Map(1) { 1 => Set(1) { 2 } }\n`)
    expect(outcome.stderr).toBe('grüße\n')
    expect(asText(outcome.kept)).toEqual({ '/keep/deep/er/new.txt': 'new!' })
    expect(asText(outcome.out)).toEqual({ '/out/bytes.bin': '\u0001\u0002\u0003', '/out/result.csv': 'a,b' })
  })

  test('say what went wrong, and keep what they wrote before', async () => {
    const outcome = await run('javascript', `require('fs').writeFileSync('/keep/a', 'a')\nnull.x`)
    expect(outcome.end).toBe('failed')
    expect(outcome.stderr).toContain('TypeError: cannot read property')
    expect(outcome.stderr).toContain('main.js:2')
    expect(asText(outcome.kept)).toEqual({ '/keep/a': 'a' })
    expect(await run('javascript', `await Promise.reject(new Error('later'))`)).toMatchObject({ end: 'failed' })
    expect((await run('javascript', 'let let = 1')).stderr).toContain('SyntaxError')
  })

  test('find nothing of the process that they run in, and no way out of it', async () => {
    const { end, stdout } = await run(
      'javascript',
      `const names = ['process', 'Buffer', 'fetch', 'WebSocket', 'XMLHttpRequest', 'EventSource', 'Worker', 'Deno',
         'WebAssembly', 'SharedArrayBuffer', '__host', 'importScripts', 'navigator', 'std', 'os', 'scriptArgs']
       console.log(names.filter((name) => name !== 'SharedArrayBuffer' && typeof globalThis[name] !== 'undefined').join())
       console.log(Function('return typeof process')(), (0, eval)('typeof require.main'))
       console.log(console.log.constructor('return typeof process')())
       for (const name of ['child_process', 'net', 'http', 'os', 'std', '../../../etc/passwd', 'https://example.org/x.js']) {
         try { require(name); console.log('has', name) } catch {}
         await import(name).then(() => console.log('has', name), () => {})
       }
       const fs = require('fs')
       for (const path of ['/etc/passwd', '/proc/self/environ', '../../../etc/passwd', '/app/server', '/root'])
         if (fs.existsSync(path)) console.log('has', path)
       for (const path of ['/etc/x', '/files/x', '/x', '/out/../x', '/keep/../../files/x', '../files/x'])
         try { fs.writeFileSync(path, 'x'); console.log('wrote', path) } catch {}
       console.log(fs.readdirSync('/').join())`,
    )
    expect({ end, stdout }).toEqual({
      end: 'finished',
      stdout: '\nundefined undefined\nundefined\nfiles,keep,out,tmp\n',
    })
  })

  test('end when they take too much memory, run too deep or leave too much', async () => {
    const hoard = await run('javascript', 'const held = []; for (;;) held.push(new Uint8Array(8 << 20).fill(1))', {
      limits: { memoryMb: 200 },
    })
    expect(hoard).toMatchObject({ end: 'memory' })
    const strings = await run('javascript', `let text = 'x'; for (;;) text += text`)
    expect(strings.end).not.toBe('finished')
    const deep = await run('javascript', 'const f = () => f() + 1; f()')
    expect(deep).toMatchObject({ end: 'failed' })
    expect(deep.stderr).toContain('stack')
    expect(await run('javascript', `JSON.parse('['.repeat(1e5))`)).toMatchObject({ end: 'failed' })
    const flood = await run(
      'javascript',
      `const fs = require('fs'); for (let at = 0; ; at++) fs.writeFileSync('/out/' + at, new Uint8Array(8 << 20))`,
    )
    expect(flood).toMatchObject({ end: 'failed', out: [], problems: [{ folder: '/out', problem: 'too_many' }] })
    expect(flood.stderr).toContain('ENOSPC')
  })
})

describe('programs in Python', () => {
  test('read the files that they are given, print, and leave files', async () => {
    const outcome = await run(
      'python',
      `import csv, json, os, statistics, sys
print(sys.version_info[:2], statistics.mean([1, 2]), json.dumps({'ü': 1}, ensure_ascii=False))
print(open('/files/notes.txt').read(), file=sys.stderr)
os.makedirs('/keep/deep/er')
open('/keep/deep/er/new.txt', 'w').write('new')
os.remove('/keep/old.txt')
with open('result.csv', 'w', newline='') as out:
    csv.writer(out).writerow(['a', 'b'])
open('/out/empty', 'w').close()
print('no end', end='')`,
      { files: given },
    )
    expect(outcome).toMatchObject({ end: 'finished', droppedBytes: 0, problems: [], removed: ['/keep/old.txt'] })
    expect(outcome.stdout).toBe('(3, 13) 1.5 {"ü": 1}\nno end')
    expect(outcome.stderr).toBe('grüße\n')
    expect(asText(outcome.kept)).toEqual({ '/keep/deep/er/new.txt': 'new' })
    expect(asText(outcome.out)).toEqual({ '/out/empty': '', '/out/result.csv': 'a,b\r\n' })
  })

  test('find nothing of the process that they run in, start nothing, and have no network', async () => {
    let connections = 0
    const server = createServer((socket) => {
      connections += 1
      socket.destroy()
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    const { end, stdout } = await run(
      'python',
      `import os, sys, socket, threading, asyncio, urllib.request
def has(what, work):
    try:
        found = work()
        if found not in (None, -1): print('has', what, found)
    except BaseException: pass
for name in ['js', 'pyodide', 'pyodide_js', 'ctypes', '_ctypes', 'ssl', 'resource', 'pwd_secret', 'jb_http']:
    has(name, lambda: __import__(name))
has('fork', os.fork)
has('system', lambda: os.system('id') or 'ran')
has('popen', lambda: os.popen('id').read())
has('spawn', lambda: os.spawnv(os.P_WAIT, '/bin/sh', ['sh']))
has('exec', lambda: os.execv('/bin/sh', ['sh']))
has('thread', lambda: threading.Thread(target=print).start() or 'ran')
for path in ['/etc/passwd', '/proc/self/environ', '/proc/1/environ', '/root', '/app', '/work', '../../../etc/passwd']:
    has(path, lambda: os.stat(path))
at = ('127.0.0.1', ${port})
def connect(kind, protocol=0):
    one = socket.socket(socket.AF_INET, kind, protocol)
    one.connect(at)
    one.send(b'x')
    return one
has('tcp', lambda: connect(socket.SOCK_STREAM))
has('udp', lambda: connect(socket.SOCK_DGRAM))
has('raw', lambda: connect(socket.SOCK_RAW, 1))
has('listen', lambda: socket.create_server(('0.0.0.0', 0)))
has('unix', lambda: socket.socket(socket.AF_UNIX).connect('/run/x.sock') or 'ran')
has('name', lambda: socket.gethostbyname('example.org'))
has('addresses', lambda: socket.getaddrinfo('example.org', 80))
has('http', lambda: urllib.request.urlopen('http://127.0.0.1:${port}/'))
has('asyncio', lambda: asyncio.run(asyncio.open_connection(*at)))
print(sorted(name for name in os.environ if name not in ('HOME', 'LANG', 'LOGNAME', 'PATH', 'PWD', 'PYTHONHOME', 'PYTHONPATH', 'PYTHON_COLORS', 'USER', '_')))
print(sys.argv, os.environ['_'], os.getcwd())`,
    )
    server.close()
    expect({ end, stdout, connections }).toEqual({
      end: 'finished',
      stdout: `[]\n['/main.py'] python3 /out\n`,
      connections: 0,
    })
  })

  test('end when they take too much memory, run too deep or leave too much', async () => {
    const hoard = await run('python', 'held = []\nwhile True: held.append(bytearray(64 << 20))')
    expect(hoard).toMatchObject({ end: 'failed' })
    expect(hoard.stderr).toContain('MemoryError')
    expect((await run('python', 'bytearray(10 * 2 ** 30)')).end).toBe('failed')
    const deep = 'import sys\nsys.setrecursionlimit(10 ** 9)\nf = lambda n: f(n + 1)\nf(0)'
    expect(await run('python', deep)).toMatchObject({ end: 'failed' })
    const flood = 'for at in range(1000): open(f"/out/{at}", "wb").write(b"0" * (8 << 20))'
    const flooded = await run('python', flood)
    expect(flooded).toMatchObject({ end: 'failed', out: [] })
    expect(flooded.stderr).toContain('No space left')
    expect((await run('python', 'open("/out/x", "wb").truncate(2 ** 30)')).stderr).toContain('No space left')
    expect((await run('python', 'import os\nos.abort()')).end).toBe('failed')
  })

  test('leave no file whose name misleads, and what is no file is not taken along', async () => {
    const names = `import os
os.symlink('/etc/passwd', '/out/link')
os.symlink('/out', '/keep/around')
open('/out/fine.txt', 'w').write('x')`
    expect(asText((await run('python', names)).out)).toEqual({ '/out/fine.txt': 'x' })
    const bad = await run('python', `open('/out/\\u202egpj.exe', 'w').write('x')\nopen('/keep/a\\nb', 'w').write('x')`)
    expect(bad).toMatchObject({ end: 'finished', out: [], kept: [] })
    expect(bad.problems).toEqual([
      { folder: '/out', problem: 'bad_name' },
      { folder: '/keep', problem: 'bad_name' },
    ])
  })
})

test('a program past its time is ended, and what it printed is there', async () => {
  const limits = { timeoutMs: 1000 }
  const endless = `console.log('begun'); for (;;);`
  expect(await run('javascript', endless, { limits })).toMatchObject({ end: 'timeout', stdout: 'begun\n', out: [] })
  const slow = 'print("begun")\nwhile True: pass'
  expect(await run('python', slow, { limits: { timeoutMs: 3000 } })).toMatchObject({
    end: 'timeout',
    stdout: 'begun\n',
  })
})

test('a process that holds more than it may is killed', async () => {
  expect(await run('javascript', 'for (;;);', { limits: { memoryMb: 10 } })).toMatchObject({ end: 'memory' })
})

test('of much output the beginning is kept, and the rest is counted', async () => {
  const { end, stdout, droppedBytes } = await run('python', 'for at in range(200_000): print(at)')
  expect({ end, bytes: stdout.length }).toEqual({ end: 'finished', bytes: 256 * 1024 })
  expect(stdout.length + droppedBytes).toBe(1_288_890)
})

test('programs read their files when their turn comes: those that wait, and those that are refused, hold none', async () => {
  const controller = new AbortController()
  let reads = 0
  const readFiles = async () => {
    reads += 1
    return []
  }
  const { signal } = controller
  const runs = Array.from({ length: 5 }, () => run('javascript', 'for (;;);', { signal, readFiles }))
  expect((await runs[4])?.end).toBe('busy')
  expect(reads).toBe(1)
  controller.abort()
  await Promise.all(runs)
  const unreadable = async (): Promise<never> => {
    throw new Error('The file is gone.')
  }
  await expect(run('javascript', '', { readFiles: unreadable })).rejects.toThrow('The file is gone.')
  expect(await run('javascript', '')).toMatchObject({ end: 'finished' })
})

test('a program is stopped while it waits and while it runs', async () => {
  const controllers = Array.from({ length: 3 }, () => new AbortController())
  const runs = controllers.map(({ signal }) => run('javascript', 'for (;;);', { signal }))
  controllers[1]?.abort()
  expect((await runs[1])?.end).toBe('stopped')
  controllers[0]?.abort()
  controllers[2]?.abort()
  expect((await Promise.all(runs)).map(({ end }) => end)).toEqual(['stopped', 'stopped', 'stopped'])
  expect(sandbox.busy).toBe(0)
})

test('a program comes after everybody else, and its session after theirs', async () => {
  const controller = new AbortController()
  const own = sessionNiceOf(process.pid)
  const running = run('javascript', 'for (;;);', { signal: controller.signal })
  const programs = () => childrenOf(process.pid).filter((pid) => niceOf(pid) === 19 && isWorking(pid))
  // Where the system does not group processes by sessions, threads are all there is.
  await expect.poll(() => programs().map((pid) => sessionNiceOf(pid) ?? 5)).toEqual([5])
  controller.abort()
  await running
  expect(sessionNiceOf(process.pid)).toBe(own)
})

test('an account with many runs leaves a place for another one', async () => {
  const controller = new AbortController()
  const { signal } = controller
  const many = Array.from({ length: 5 }, () => run('javascript', 'for (;;);', { signal }))
  expect((await run('javascript', 'console.log(1)', { accountId: 'bob' })).end).toBe('finished')
  controller.abort()
  expect((await Promise.all(many)).map(({ end }) => end)).toEqual(['stopped', 'stopped', 'stopped', 'stopped', 'busy'])
})

test('a program ends with the server that is killed', async () => {
  const server = fork(new URL('../../testing/sandbox-owner.ts', import.meta.url), {
    execArgv: ['--no-warnings'],
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  })
  const [pids] = (await once(server, 'message')) as [number[]]
  expect(pids.length).toBeGreaterThan(0)
  expect(pids.every(isAlive)).toBe(true)
  server.kill('SIGKILL')
  await expect.poll(() => pids.filter(isAlive)).toEqual([])
})

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
