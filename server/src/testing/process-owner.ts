/** A server for the tests: tells which process it started, and keeps it busy for ever. */
import { spin, whichProcess } from '../platform/work/fixture.ts'
import { runInProcess } from '../platform/work/process.ts'

const fixture = new URL('../platform/work/fixture.ts', import.meta.url)
const pid = await runInProcess<null, number>(fixture, whichProcess.name, null)
const busy = runInProcess<number, number>(fixture, spin.name, 600_000, { timeoutMs: 600_000 })
setTimeout(() => process.send?.(pid), 200)
await busy
