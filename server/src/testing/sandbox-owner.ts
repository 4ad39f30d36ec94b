/** A server that runs an endless program, for the test that kills it: it tells which processes are its own. */
import { createSandbox } from '../platform/sandbox/index.ts'
import { childrenOf } from './processes.ts'

const sandbox = createSandbox()
void sandbox.run({ accountId: 'ann', language: 'javascript', code: 'for (;;);', readFiles: async () => [] })

// Once the program runs, and not while its engine is loaded.
setTimeout(() => process.send?.(childrenOf(process.pid)), 1500)
