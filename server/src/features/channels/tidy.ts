/** Removes what nobody can reach any more: files that were never sent, messages past their time, and what deleted channels held. */
import { z } from 'zod'
import { type JobHandlers, defineJob } from '../../platform/jobs/types.ts'
import { forgetRuns, stopAnswers } from './answers/ask.ts'
import { keptUnsentMs } from './attachments.ts'
import type { ChannelContext } from './context.ts'
import { removeOld } from './retention.ts'
import { ownerOf, partitionOf, streamOf } from './rules.ts'

export const tidyJob = 'channels.tidy'
const slice = 200

export const tidyJobs = (context: ChannelContext): JobHandlers => ({
  [tidyJob]: defineJob({
    payload: z.strictObject({}),
    attempts: 5,
    timeoutMs: 30 * 60_000,
    async run(_payload, { signal }) {
      await removeUnsent(context, signal)
      await removeOld(context, signal)
      await removeDeleted(context, signal)
    },
  }),
})

const removeUnsent = async ({ clock, files, store }: ChannelContext, signal: AbortSignal): Promise<void> => {
  while (!signal.aborted) {
    const ids = await store.attachments.removeUnsent(
      await store.attachments.listUnsent(clock.now() - keptUnsentMs, slice),
    )
    if (ids.length === 0) return
    await files.remove(ids)
  }
}

/** The rows of a channel go in slices, then files and words, then its key: nothing of it can be read any more. */
const removeDeleted = async (context: ChannelContext, signal: AbortSignal): Promise<void> => {
  const { events, files, indexes, store, vault } = context
  for (;;) {
    const ids = await store.channels.listDeleted(20)
    for (const id of ids) {
      await files.removeAccount(ownerOf(id))
      await indexes.texts.removePartitions([partitionOf(id)])
      await events.remove([streamOf(id)])
      await stopAnswers(context, id)
      for (let ids = await store.answers.idsIn(id, slice); ids.length > 0; ids = await store.answers.idsIn(id, slice)) {
        signal.throwIfAborted()
        await forgetRuns(context, id, ids)
        await store.answers.removeMany(ids)
      }
      while (await store.channels.removeSlice(id, slice)) signal.throwIfAborted()
      await vault.removeKeys(ownerOf(id))
    }
    if (ids.length === 0 || signal.aborted) return
  }
}
