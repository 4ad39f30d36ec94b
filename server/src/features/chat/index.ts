/**
 * Conversations of one account with models: chats, messages in a tree, answers that are written on the server,
 * folders, drafts, attachments and the trash. Everything a person wrote is sealed.
 * Who else may read one sees what was said, and nothing that is its owner's alone.
 * It refuses to answer with another model than the chosen one, to send history that a page hands in, and to read a
 * whole chat for anything but a fork, a file of it, and words that are looked for in it.
 */
import { type chatArea, chatRoutes as routes } from '@atrium/contract/chat'
import { z } from 'zod'
import type { ChatFiles, UnattendedChats } from '../../core/generation/index.ts'
import type { ResourcesOf } from '../../core/resources/index.ts'
import type { Tool } from '../../platform/areas/tool.ts'
import { type BoundRoutes, bindRoutes } from '../../platform/http/area.ts'
import { type JobHandlers, defineJob } from '../../platform/jobs/types.ts'
import { attachmentHandlers } from './attachments.ts'
import { branchMapHandlers } from './messages/branch-map.ts'
import { branchHandlers } from './messages/branches.ts'
import { listChatFiles } from './chat-files.ts'
import { contextHandlers } from './compaction/handlers.ts'
import { type ChatDeps, type ChatContext, createChatContext } from './context.ts'
import { exportHandlers } from './export.ts'
import { draftHandlers } from './queue/drafts.ts'
import { findInChatHandlers } from './search/find-in-chat.ts'
import { folderHandlers } from './folders.ts'
import { forkHandlers, removeUnfinishedForks } from './sessions/forks.ts'
import { generationHandlers, generationSocket } from './generations/handlers.ts'
import { linkHandlers, removeEndedLinks, visitorHandlers } from './links/handlers.ts'
import { createGivenFiles } from './given-files.ts'
import { projectHandlers } from './projects.ts'
import { citationHandlers, noteCitations } from './messages/citations.ts'
import { messageHandlers } from './messages/handlers.ts'
import { pinHandlers } from './messages/pins.ts'
import { removalHandlers } from './messages/removal.ts'
import { pictureHandlers } from './messages/pictures.ts'
import { queueHandlers, resumeQueues } from './queue/handlers.ts'
import { makingKind } from './generations/making.ts'
import { resumeWaiting } from './generations/resume.ts'
import { chatRunKind } from './generations/run-kind.ts'
import { continuedKind } from './generations/waiting.ts'
import { sessionHandlers } from './sessions/handlers.ts'
import { sentMediaHandlers } from './media.ts'
import { chatResources } from './resources.ts'
import { chatMigrations } from './migrations.ts'
import { removeExpiredChats } from './sessions/temporary.ts'
import { tagHandlers } from './tags.ts'
import { titleHandlers } from './sessions/titles.ts'
import { chatTools } from './tools.ts'
import { removeUnused, trashHandlers } from './trash.ts'
import { createUnattendedChats } from './unattended.ts'

export type { ChatDeps } from './context.ts'
export { chatSettings } from './settings.ts'
export { chatSealed } from './sealed.ts'
export { chatMigrations } from './migrations.ts'

export interface Chats extends ChatFiles {
  readonly area: BoundRoutes<typeof routes>
  readonly tools: readonly Tool[]
  readonly resources: ResourcesOf<typeof chatArea>
  /** Asks while nobody is at a page. */
  readonly unattended: UnattendedChats
  /** Goes on where an earlier process ended. Call it after `generations.recover()`. */
  recover(): Promise<void>
  /** Whether an account has a chat of this id that is not in the trash. */
  owns(accountId: string, sessionId: string): Promise<boolean>
  /** The ids of an account's temporary chats. */
  listTemporary(accountId: string): Promise<string[]>
  /** What of everybody the search does not find yet. */
  countUnindexed(): Promise<{ readonly chats: number; readonly messages: number }>
  /** To be called when documents or collections that an account reaches have changed. */
  documentsChanged(accountId: string): void
  /** Ends work in the background. Call it before `generations.stop()`. */
  stop(): Promise<void>
}

/** The job that removes attachments and drafts that were never sent, and links whose time is over; to be enqueued once a day, or more often. */
export const purgeJob = 'chat.purge-trash'

/** The job that deletes temporary chats whose time is over; to be enqueued every few minutes. */
export const temporaryJob = 'chat.remove-temporary'

/**
 * The job that takes into the index what a process left behind, and chats from before there was an index, and notes what
 * answers cite that are older than these notes; to be enqueued at each start, and now and then.
 */
export const indexJob = 'chat.index'

export const createChats = (deps: ChatDeps): Chats => {
  const context = createChatContext(deps)
  for (const kind of ['chat', makingKind, continuedKind]) deps.generations.register(kind, chatRunKind(context))
  const messages = messageHandlers(context)
  context.tools?.onDecided((waiting) => resumeWaiting(context, waiting))
  context.tools?.onFiles(createGivenFiles(context))
  const area = bindRoutes({
    name: 'chat',
    routes,
    handlers: {
      ...sessionHandlers(context),
      ...exportHandlers(context),
      ...messages,
      ...citationHandlers(context),
      ...findInChatHandlers(context),
      ...branchHandlers(context),
      ...branchMapHandlers(context),
      ...pinHandlers(context),
      ...removalHandlers(context),
      ...generationHandlers(context),
      ...queueHandlers(context),
      ...titleHandlers(context),
      ...contextHandlers(context),
      ...forkHandlers(context),
      ...folderHandlers(context),
      ...projectHandlers(context),
      ...tagHandlers(context),
      ...draftHandlers(context),
      ...attachmentHandlers(context),
      ...sentMediaHandlers(context),
      ...trashHandlers(context),
      ...pictureHandlers(context),
      ...linkHandlers(context),
      ...visitorHandlers(context),
    },
    jobs: jobs(context),
    sockets: [generationSocket(context)],
    migrations: chatMigrations,
  })
  return {
    area,
    tools: chatTools(context, messages),
    resources: chatResources(context),
    unattended: createUnattendedChats(context),
    async recover() {
      await removeUnfinishedForks(context)
      context.background('queued prompts could not be sent', () => resumeQueues(context))
    },
    owns: async (accountId, sessionId) => (await context.store.sessions.read(sessionId, accountId)) !== null,
    listTemporary: (accountId) => context.store.sessions.temporaryIds(accountId),
    countUnindexed: () => context.store.indexing.countDue(),
    listFiles: (accountId, chatId) => listChatFiles(context, accountId, chatId),
    documentsChanged: (accountId) => context.scopes.invalidate(accountId),
    stop: () => context.close(),
  }
}

const jobs = (context: ChatContext): JobHandlers => {
  const purge = defineJob({
    payload: z.strictObject({}),
    attempts: 5,
    priority: 'low',
    timeoutMs: 10 * 60_000,
    async run(_payload, { signal }) {
      await removeEndedLinks(context, signal)
      await removeUnused(context, signal)
    },
  })
  const index = defineJob({
    payload: z.strictObject({}),
    attempts: 5,
    priority: 'low',
    timeoutMs: 60 * 60_000,
    async run(_payload, { signal }) {
      await context.indexing.sweep(signal)
      await noteCitations(context, signal)
    },
  })
  const temporary = defineJob({
    payload: z.strictObject({}),
    attempts: 5,
    priority: 'low',
    timeoutMs: 10 * 60_000,
    run: (_payload, { signal }) => removeExpiredChats(context, signal),
  })
  return { [purgeJob]: purge, [indexJob]: index, [temporaryJob]: temporary }
}
