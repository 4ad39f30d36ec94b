/** How an artifact gets another owner: with all its versions, as its readers see it, and without its links. */
import type { Transferable } from '../../core/resources/index.ts'
import { announceTo, type ArtifactsContext } from './context.ts'

export const artifactTransfer = (context: ArtifactsContext): Transferable['transfer'] => ({
  bytes: context.transfers.bytes,
  async prepare(id, sides) {
    const handOver = await context.files.prepareHandOver()
    return {
      async commit(trx) {
        await context.transfers.move(trx, id, sides, handOver)
        return [{ type: 'artifact', id }]
      },
      done: () => announceTo(context, id, [sides.fromId, sides.toId]),
      discard: async () => undefined,
    }
  },
  finish: context.transfers.finish,
})
