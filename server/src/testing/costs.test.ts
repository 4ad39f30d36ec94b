import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { describeCosts, measurePace, overspent, readCosts, slowness, usualPaceMs, writeCost } from './costs.ts'
import { slowFiles, usualSeconds } from './slow-files.ts'

const run = promisify(execFile)

describe('what files of tests cost', () => {
  it('is counted in processor time, so that waiting costs nothing', async () => {
    // In a process of its own: what other files left behind costs something here, too.
    const script = `
      const { processorSeconds } = await import(${JSON.stringify(new URL('costs.ts', import.meta.url).href)})
      const before = processorSeconds()
      await new Promise((resolve) => setTimeout(resolve, 300))
      const waited = processorSeconds() - before
      for (const end = process.cpuUsage().user + 300_000; process.cpuUsage().user < end; ) JSON.stringify([end])
      console.log(JSON.stringify({ waited, worked: processorSeconds() - before - waited }))
    `
    const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', script])
    const { waited, worked } = JSON.parse(stdout) as { waited: number; worked: number }
    expect(worked).toBeGreaterThan(0.28)
    expect(waited).toBeLessThan(worked / 2)
  })

  it('is told dearest first', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'costs-'))
    writeCost(folder, { file: 'cheap.test.ts', seconds: 0.1, paceMs: usualPaceMs })
    writeCost(folder, { file: 'dear.test.ts', seconds: 3, paceMs: usualPaceMs })
    expect(describeCosts(readCosts(folder))).toMatch(/2 files: 3 s[^]*3\.0 s {2}dear\.test\.ts\n.*0\.1 s {2}cheap/)
  })

  it('may not be more than is allowed', () => {
    const [slow = '', { seconds = 0 } = {}] = Object.entries(slowFiles)[0] ?? []
    const costs = (more: number) => [
      { file: 'usual.test.ts', seconds: usualSeconds + more, paceMs: usualPaceMs },
      { file: slow, seconds: seconds + more, paceMs: usualPaceMs },
    ]
    expect(overspent(costs(0), 1)).toEqual([])
    expect(overspent(costs(1), 1)).toEqual([
      expect.stringMatching(
        `usual.test.ts took ${usualSeconds + 1}.0 s of processor time; ${usualSeconds} s are allowed`,
      ),
      expect.stringMatching(`${slow} took ${seconds + 1}.0 s`),
    ])
  })

  it('may be more on a machine that takes longer for the same work, and not less on a quicker one', () => {
    const costs = (times: number) =>
      [0.8, 1, 1.2].map((each) => ({ file: 'some.test.ts', seconds: 1, paceMs: usualPaceMs * times * each }))
    expect([0.5, 1, 2].map((times) => slowness(costs(times)))).toEqual([1, 1, 2])
    expect(slowness([])).toBe(1)
    const dear = (times: number) => costs(times).map((cost) => ({ ...cost, seconds: usualSeconds * 1.9 }))
    expect(overspent(dear(2))).toEqual([])
    expect(overspent(dear(1))).toHaveLength(3)
    expect(measurePace()).toBeGreaterThan(0)
  })

  it('may be more in a file that ran while the machine was slow', () => {
    const slow = { file: 'slow.test.ts', seconds: usualSeconds * 1.9, paceMs: usualPaceMs * 2 }
    const others = Array.from({ length: 9 }, () => ({ ...slow, file: 'other.test.ts', paceMs: usualPaceMs }))
    expect(slowness([slow, ...others])).toBeCloseTo(1.1)
    expect(overspent([slow, ...others]).filter((sentence) => sentence.startsWith('slow'))).toEqual([])
    expect(overspent([slow, ...others])).toHaveLength(9)
  })

  it('has a budget of its own only for files that there are', () => {
    expect(Object.keys(slowFiles).filter((file) => !existsSync(file))).toEqual([])
  })
})
