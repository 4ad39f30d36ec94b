import { execFileSync } from 'node:child_process'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { reportFailure } from '../../../platform/diagnostics/checks.ts'
import { folderChecks } from './folder.ts'
import { keyCheck } from './key.ts'

test('of a folder that does not answer nothing else is read or written, and every check says so', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'atrium-dead-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  // Whoever opens it waits for ever, as on a dead drive.
  execFileSync('sh', ['-c', 'mkfifo "$0"', join(folder, 'disk-history.json')])
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const look = () => new Promise<never>(() => undefined)
  const about = { fingerprint: 'abcd', source: 'file' } as const
  const checks = [...folderChecks(folder, look), keyCheck({ about, previous: null } as never, folder, look)]
  const outcomes = Promise.all(
    checks.map(({ run }) => run(new AbortController().signal).catch((error: Error) => reportFailure(error.message))),
  )
  await vi.advanceTimersByTimeAsync(15_000)
  for (const outcome of await outcomes)
    expect(outcome).toMatchObject({
      status: 'fail',
      message: expect.stringMatching(/n’t respond|n't respond/) as string,
    })
  expect(await readdir(folder)).toEqual(['disk-history.json'])
})
