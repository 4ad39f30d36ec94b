/**
 * Artifacts of an account: pages, drawings, documents, code and data, each with its versions, sealed with the keys of its
 * owner. Whom one is shared with reads it, or changes it; only its owner deletes it. The server never runs any of it: that
 * happens in the frame of `sandbox.ts`, in a browser.
 */
import type { artifactsRoutes } from '@atrium/contract/artifacts'
import { z } from 'zod'
import { createLinkWatch, createVisits } from '../../core/access/index.ts'
import type { BytesAnswer, Caller, Handlers } from '../../platform/http/area.ts'
import { conflictWith } from '../../platform/http/refusal.ts'
import { defineJob } from '../../platform/jobs/types.ts'
import type { ArtifactsContext, ArtifactsDeps } from './context.ts'
import { fileNameOf } from './files.ts'
import { linkHandlers, removeEndedLinks, visitorHandlers } from './links/handlers.ts'
import { presentAll, presentOpen, toVersion } from './present.ts'
import { artifactResources } from './resources.ts'
import { sandboxPage } from './sandbox.ts'
import { createArtifactStore } from './stores/artifacts.ts'
import { createArtifactLinkStore } from './stores/links.ts'
import { createStorageStore } from './stores/storage.ts'
import { createTransferStore } from './stores/transfers.ts'
import { createVersionStore } from './stores/versions.ts'
import { artifactTools } from './tools.ts'
import {
  type Change,
  changeArtifact,
  createArtifact,
  moveArtifact,
  readArtifact,
  readCurrent,
  readVersion,
  type Writer,
} from './write.ts'

/** The job that removes links whose time is over. */
export const upkeepJob = 'artifacts.upkeep'

export const createArtifacts = (deps: ArtifactsDeps) => {
  const links = createArtifactLinkStore(deps.database)
  const context: ArtifactsContext = {
    ...deps,
    links,
    linkWatch: createLinkWatch({
      states: (ids) => links.states(ids, deps.clock.now()),
      isAllowed: deps.linksAllowed,
      log: deps.log,
    }),
    linkVisits: createVisits({
      prefix: 'ata_',
      purpose: 'artifacts.link-visit',
      refusals: {
        missing: 'artifact_link_not_found',
        password: 'artifact_link_password',
        locked: 'artifact_link_locked',
      },
      isAllowed: deps.linksAllowed,
      passwords: deps.passwords,
      store: links,
      find: links.find,
      clock: deps.clock,
      vault: deps.vault,
    }),
    artifacts: createArtifactStore(deps),
    versions: createVersionStore(deps),
    storage: createStorageStore(deps),
    transfers: createTransferStore(deps),
  }
  return {
    handlers: { ...artifactHandlers(context), ...linkHandlers(context), ...visitorHandlers(context) },
    resources: artifactResources(context),
    tools: artifactTools(context),
    /** Artifacts stay when their chat goes. */
    chatRemoved: (chatId: string): Promise<void> =>
      deps.database.write((trx) => context.transfers.detachChat(trx, chatId)),
    jobs: {
      [upkeepJob]: defineJob({
        payload: z.strictObject({}),
        attempts: 3,
        priority: 'low',
        timeoutMs: 5 * 60_000,
        run: (_payload, { signal }) => removeEndedLinks(context, signal),
      }),
    },
  }
}

const byPerson = ({ accountId }: Caller): Writer => ({ kind: 'person', accountId, callDigest: null })

type LinkRoute = keyof ReturnType<typeof linkHandlers> | keyof ReturnType<typeof visitorHandlers>

const artifactHandlers = (context: ArtifactsContext): Handlers<Omit<typeof artifactsRoutes, LinkRoute>> => {
  const { access, artifacts, clock, namesOf, versions } = context

  const change = async (
    { id, right }: { readonly id: string; readonly right: 'read' | 'write' | 'admin' | 'owner' },
    caller: Caller,
    wanted: Change & { readonly version?: number | undefined },
  ) => {
    const { accountId } = caller
    const before = await readArtifact(context, id)
    const isOld = wanted.version !== undefined && wanted.version !== before.version
    const after = isOld ? null : await changeArtifact(context, before, wanted, byPerson(caller))
    const shown = await presentOpen(context, after ?? (await readArtifact(context, id)), { accountId, right })
    if (!after) throw conflictWith(shown)
    return shown
  }

  return {
    async list({ query: { limit, cursor, kind, chatId, of } }, { caller: { accountId } }) {
      const reachable = of === 'me' ? [] : await access.listReachable(accountId, 'artifact')
      const filter = {
        accountId: of === 'others' ? null : accountId,
        ids: reachable.map(({ resourceId }) => resourceId),
        kind,
        chatId,
      }
      const { items, nextCursor } = await artifacts.page(filter, limit, cursor)
      const rights = new Map(reachable.map(({ resourceId, right }) => [resourceId, right]))
      return { items: await presentAll(context, items, accountId, rights), nextCursor }
    },

    async create({ body: { byModel, chatId = null, language = null, ...made } }, { caller }) {
      if (chatId !== null) await access.authorise(caller, { resource: 'chat', id: 'chatId', right: 'owner' }, chatId)
      const writer = { ...byPerson(caller), kind: byModel ? 'model' : 'person' } as const
      const artifact = await createArtifact(context, { ...made, id: clock.id(), chatId, language }, writer)
      return presentOpen(context, artifact, { accountId: caller.accountId, right: 'owner' })
    },

    sandbox: async () => sandboxPage,

    async read(_input, { resource: { id, right }, caller: { accountId } }) {
      return presentOpen(context, await readArtifact(context, id), { accountId, right })
    },

    update: ({ body }, { resource, caller }) => change(resource, caller, body),

    async remove(_input, { resource }) {
      // What is written meanwhile goes along; what is deleted meanwhile is not found any more.
      while (!(await moveArtifact(context, await readArtifact(context, resource.id), clock.now())));
      return {}
    },

    async versions(_input, { resource }) {
      const { id } = await readArtifact(context, resource.id)
      const kept = await versions.list(id)
      const names = await namesOf([...new Set(kept.map(({ authorId }) => authorId))])
      return { items: kept.map((version) => toVersion(version, names)), nextCursor: null }
    },

    async readVersion({ params }, { resource }) {
      const { id } = await readArtifact(context, resource.id)
      const version = await readVersion(context, id, params.version)
      const names = await namesOf([version.authorId])
      return { ...toVersion(version, names), content: version.content }
    },

    async restore({ params }, { resource, caller }) {
      const { content } = await readVersion(context, resource.id, params.version)
      return change(resource, caller, { content, restoredFrom: params.version })
    },

    async export({ query }, { resource }): Promise<BytesAnswer> {
      const { artifact, newest } = await readCurrent(context, await readArtifact(context, resource.id))
      const { content } = query.version === undefined ? newest : await readVersion(context, artifact.id, query.version)
      return {
        body: Buffer.from(content),
        // Whatever it is, it is saved and not shown.
        mediaType: 'text/plain; charset=utf-8',
        fileName: fileNameOf(artifact),
        disposition: 'attachment',
      }
    },
  }
}
