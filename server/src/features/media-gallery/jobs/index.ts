/**
 * Media jobs: pictures, films, speech and sound as they are made, each a record before its provider is asked. It refuses
 * to ask a provider twice for the same thing by itself.
 */
import type { imageGenRoutes, mediaMakingRoutes } from '@atrium/contract/media-gallery'
import type { Gallery } from '../../../core/generation/index.ts'
import type { Tool } from '../../../platform/areas/tool.ts'
import type { Handlers } from '../../../platform/http/area.ts'
import type { JobHandlers } from '../../../platform/jobs/types.ts'
import type { MediaContext } from '../context.ts'
import { collectEveryMs, collectJob, interruptOrphans } from './collect.ts'
import type { MediaJobContext, MediaJobDeps } from './context.ts'
import { jobHandlers } from './handlers.ts'
import { imageGenHandlers } from './image-gen.ts'
import { pictureHandlers } from './pictures.ts'
import { soundHandlers } from './sounds.ts'
import { createMakingInChat } from './in-chat.ts'
import { createJobStore } from './store.ts'
import { makingTools } from './tools.ts'

export { mediaJobMigrations, mediaJobSealed } from './tables.ts'

export interface MediaJobs {
  readonly handlers: Handlers<typeof mediaMakingRoutes & typeof imageGenRoutes>
  readonly jobs: JobHandlers
  readonly every: readonly (readonly [kind: string, intervalMs: number])[]
  /** Ends what processes that are gone left open. */
  start(): Promise<void>
  /** Ends what is being made here: it stands as interrupted. */
  drain(): Promise<void>
  removeAccount(accountId: string): Promise<void>
  readonly inChat: Omit<Gallery, 'addItem'>
  readonly tools: readonly Tool[]
}

export const createMediaJobs = (media: MediaContext, deps: MediaJobDeps): MediaJobs => {
  const context: MediaJobContext = {
    ...media,
    ...deps,
    store: createJobStore(media.database),
    running: new Map(),
    counts: new Map(),
  }
  const { store, clock, running } = context
  return {
    handlers: {
      ...jobHandlers(context),
      ...pictureHandlers(context),
      ...soundHandlers(context),
      ...imageGenHandlers(context),
    },
    jobs: { 'media-gallery.collect': collectJob(context) },
    every: [['media-gallery.collect', collectEveryMs]],
    inChat: createMakingInChat(context),
    tools: makingTools(context),
    start: () => interruptOrphans(context),
    async drain() {
      const open = [...running.entries()]
      for (const [id, job] of open) {
        await store.end(id, { status: 'failed', failure: 'interrupted' }, clock.now())
        job.stop()
      }
      await Promise.allSettled(open.map(([, { ended }]) => ended))
    },
    async removeAccount(accountId) {
      for (const job of running.values()) if (job.accountId === accountId) job.stop()
      await store.removeAccount(accountId)
    },
  }
}
