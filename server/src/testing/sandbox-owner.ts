/** A server that runs an endless program, for the test that kills it: it tells which processes are its own. */
import { createSandbox } from '../platform/sandbox/index.ts'
import { childrenOf, isWorking, niceOf } from './processes.ts'

const sandbox = createSandbox()
void sandbox.run({ accountId: 'ann', language: 'javascript', code: 'for (;;);', readFiles: async () => [] })

// Once the program runs, and not while its engine is loaded: only then it comes after everybody else.
const looking = setInterval(() => {
  const all = childrenOf(process.pid)
  if (!all.some((pid) => niceOf(pid) === 19 && isWorking(pid))) return
  clearInterval(looking)
  process.send?.(all)
}, 50)
