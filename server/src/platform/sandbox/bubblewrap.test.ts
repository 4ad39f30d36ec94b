import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { probeBubblewrap } from './bubblewrap.ts'

let folder = ''
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'atrium-bwrap-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

/** A program that answers to its version, and then as it is told. */
const program = (name: string, then: string): string => {
  const path = join(folder, name)
  writeFileSync(path, `#!/bin/sh\n[ "$1" = --version ] && { echo bubblewrap 0.11.0; exit 0; }\n${then}\n`)
  chmodSync(path, 0o755)
  return path
}

test('bubblewrap works where it runs a program, and else a reason is told', async () => {
  expect(await probeBubblewrap(program('good', 'exit 0'))).toEqual({ works: true, version: '0.11.0' })
  const forbidden = program('bad', 'echo "bwrap: Creating new namespace failed: Operation not permitted" >&2; exit 1')
  expect(await probeBubblewrap(forbidden)).toEqual({ works: false, reason: 'not_permitted' })
  expect(await probeBubblewrap(program('odd', 'echo "bwrap: Unknown option" >&2; exit 1'))).toEqual({
    works: false,
    reason: 'failed',
  })
  expect(await probeBubblewrap(join(folder, 'none'))).toEqual({ works: false, reason: 'not_installed' })
})
