/** A server for the tests: tells which process it started, and keeps it busy for ever. */
import { spin, whichProcess } from './fixture.ts'
import { runInProcess } from './process.ts'

const fixture = new URL('./fixture.ts', import.meta.url)
const pid = await runInProcess<null, number>(fixture, whichProcess.name, null)
const busy = runInProcess<number, number>(fixture, spin.name, 600_000, { timeoutMs: 600_000 })
setTimeout(() => process.send?.(pid), 200)
await busy
