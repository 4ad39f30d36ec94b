/** What a start loads stays in memory for good, and somebody waits for it: all else comes when it is first needed. */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import manifest from '../../package.json' with { type: 'json' }

/** Of the packages that we name ourselves; what these need comes with them. */
const fromTheStart = [
  ...['@fastify/busboy', 'ajv', 'aws4', 'eventsource-parser', 'fastify', 'fflate', 'kysely', 'lru-cache', 'pino'],
  ...['ws', 'zod'],
]

test('a server that was started has loaded few packages, and no client for what it may never ask', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'atrium-start-'))
  const child = fork(new URL('./main.ts', import.meta.url), {
    execArgv: ['--import', new URL('../testing/record-loads.ts', import.meta.url).href],
    env: { PATH: process.env['PATH'], PORT: '0', DATA_DIR: dataDir, LOG_LEVEL: 'silent' },
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  })
  try {
    // It says its address.
    if (child.stdout) await once(child.stdout, 'data')
    child.send('tell')
    const [loaded] = (await once(child, 'message')) as [readonly string[]]
    const named = [...Object.keys(manifest.dependencies), 'internal/deps/undici/undici']
    expect(loaded.filter((name) => named.includes(name)).toSorted()).toEqual(fromTheStart)
  } finally {
    const exited = once(child, 'exit')
    child.kill()
    await exited
    await rm(dataDir, { recursive: true, force: true })
  }
})
