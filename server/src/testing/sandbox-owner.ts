/** A server that runs an endless program, for the test that kills it: it tells which processes are its own. */
import { readFileSync, readdirSync } from 'node:fs'
import { createSandbox } from '../platform/sandbox/index.ts'

const sandbox = createSandbox()
void sandbox.run({ accountId: 'ann', language: 'javascript', code: 'for (;;);', files: [] })

const childrenOf = (pid: number): number[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((each) => parentOf(each) === pid)

const parentOf = (pid: number): number => {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1])
  } catch {
    return 0
  }
}

// Once the program runs, and not while its engine is loaded.
setTimeout(() => process.send?.(childrenOf(process.pid)), 1500)
