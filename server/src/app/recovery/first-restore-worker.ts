/** The process of a restore over the first-run page: what was sent is untrusted. Never imported for what it does, only started. */
import { closeNetwork, type OpenAddress } from '../../platform/work/closed-network.ts'

/** JSON of the address of the database, where that is not in the folder. */
const [, , open] = process.argv
closeNetwork(open === undefined ? null : (JSON.parse(open) as OpenAddress))
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined)
process.on('disconnect', () => process.exit(0))
const { restoreReceived } = await import('./first-restore-task.ts')
process.once('message', (message) => {
  void restoreReceived(message as Parameters<typeof restoreReceived>[0], (told) => process.send?.(told)).then((end) =>
    process.send?.(end, undefined, undefined, () => process.exit(0)),
  )
})
