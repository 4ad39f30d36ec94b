/** The floors hold: every planted forbidden import is reported by the name of its rule. */
import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const planted: [rule: string, from: string, to: string][] = [
  ['features-are-strangers', 'server/src/features/aa/index.ts', 'server/src/features/bb/index.ts'],
  ['features-use-the-front-door', 'server/src/features/aa/store.ts', 'server/src/core/cc/store.ts'],
  ['core-stays-below-features', 'server/src/core/cc/index.ts', 'server/src/features/aa/index.ts'],
  ['core-by-the-front-door', 'server/src/core/cc/store.ts', 'server/src/core/dd/store.ts'],
  ['providers-lean-on-the-platform', 'server/src/providers/runner.ts', 'server/src/core/cc/index.ts'],
  ['platform-is-the-ground', 'server/src/platform/db/index.ts', 'server/src/features/bb/index.ts'],
  ['contract-stands-alone', 'contract/src/notes.ts', 'server/src/platform/db/index.ts'],
  ['web-knows-no-server', 'web/src/api/client.ts', 'server/src/platform/db/index.ts'],
  ['web-features-are-strangers', 'web/src/features/aa/page.ts', 'web/src/features/bb/page.ts'],
  ['ui-has-no-data', 'web/src/ui/button.ts', 'web/src/api/client.ts'],
]

let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'atrium-floors-'))
  const contents = new Map<string, string>()
  for (const [index, [, from, to]] of planted.entries()) {
    if (!contents.has(to)) contents.set(to, 'export const there = 1\n')
    const line = `import { there as there${index} } from '${resolve('/', to).replace('/', `${folder}/`)}'\nconsole.log(there${index})\n`
    contents.set(from, line + (contents.get(from) ?? 'export const there = 1\n'))
  }
  for (const [path, text] of contents) {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await writeFile(join(folder, path), text)
  }
})
afterAll(() => rm(folder, { recursive: true, force: true }))

describe('the floors', () => {
  test('report each planted import by the rule that it breaks', async () => {
    const program = resolve('node_modules/dependency-cruiser/bin/dependency-cruiser.mjs')
    const config = resolve('.dependency-cruiser.mjs')
    const cruise = await promisify(execFile)(
      process.execPath,
      [program, '--config', config, '--output-type', 'json', 'contract/src', 'server/src', 'web/src'],
      { cwd: folder, maxBuffer: 64 << 20 },
    ).catch((problem: { stdout: string }) => problem)
    const { summary } = JSON.parse(cruise.stdout) as {
      summary: { violations: { rule: { name: string }; from: string; to: string }[] }
    }
    const reported = summary.violations.map(({ rule, from, to }) => `${rule.name}: ${from} → ${to}`)
    for (const [rule, from, to] of planted) expect(reported).toContain(`${rule}: ${from} → ${to}`)
  })
})
