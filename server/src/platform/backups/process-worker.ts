/** The process of a backup: shuts its ways out before it loads what works. Never imported for what it does, only started. */
import { closeNetwork, type OpenAddress } from '../work/closed-network.ts'

/** JSON of the one address that it may connect to. */
const [, , open] = process.argv
closeNetwork(open === undefined ? null : (JSON.parse(open) as OpenAddress))
// Ctrl-C and a stopping service reach the whole group; when this ends is for the server to say, or to its absence.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined)
process.on('disconnect', () => process.exit(0))
await import('./thread-worker.ts')
