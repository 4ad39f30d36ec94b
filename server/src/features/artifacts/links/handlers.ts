/** Links of artifacts: their owners make, change and revoke them, and visitors see by them what they show. */
import type { ArtifactLink, artifactsRoutes } from '@atrium/contract/artifacts'
import { mostLinksOfArtifact } from '@atrium/contract/artifacts'
import { linkAuditEntry } from '../../../core/access/index.ts'
import { type AuditEntry, actorOf } from '../../../platform/audit/index.ts'
import type { Handlers } from '../../../platform/http/area.ts'
import { fail } from '../../../platform/http/refusal.ts'
import { toIsoTime } from '../../../platform/iso-time.ts'
import type { ArtifactsContext } from '../context.ts'
import type { ArtifactLinkRow } from '../tables.ts'
import { readArtifact, readCurrent, readVersion } from '../write.ts'

type OwnerRoutes = Pick<typeof artifactsRoutes, 'links' | 'addLink' | 'updateLink' | 'removeLink' | 'ownLinks'>
type VisitorRoutes = Pick<typeof artifactsRoutes, 'openLink' | 'linkedArtifact' | 'followLink'>

const dayMs = 24 * 3600_000

export const linkHandlers = (context: ArtifactsContext): Handlers<OwnerRoutes> => {
  const { artifacts, audit, clock, links, linkVisits, linkWatch, linksAllowed, passwords } = context
  const hashOf = async (password: string | null | undefined) => (password ? await passwords.hash(password) : null)
  const requireVersion = async (artifactId: string, version: number | null | undefined): Promise<void> => {
    if (version !== null && version !== undefined) await readVersion(context, artifactId, version)
  }

  /** Whoever manages somebody's artifact needs the feature as well. */
  const mayLink = async (ownerId: string, callerId: string): Promise<boolean> =>
    (await linksAllowed(ownerId)) && (ownerId === callerId || (await linksAllowed(callerId)))

  return {
    async links(_input, { caller, resource }) {
      const { id, accountId } = await readArtifact(context, resource.id)
      const rows = await links.ofThing(id, clock.now())
      return { allowed: await mayLink(accountId, caller.accountId), items: rows.map(rowToLink), nextCursor: null }
    },

    async addLink({ body }, asked) {
      const artifact = await readArtifact(context, asked.resource.id)
      if (!(await mayLink(artifact.accountId, asked.caller.accountId))) throw fail('artifact_links_off')
      await requireVersion(artifact.id, body.version)
      const { secret, digest } = linkVisits.makeSecret()
      const now = clock.now()
      const row: ArtifactLinkRow = {
        id: clock.id(),
        artifact_id: artifact.id,
        account_id: artifact.accountId,
        secret_digest: digest,
        version: body.version ?? null,
        open_count: 0,
        password: await hashOf(body.password),
        wrong_passwords: 0,
        wrong_since: 0,
        expires_at: now + body.expiresInDays * dayMs,
        created_at: now,
      }
      const isAdded = await links.insert(artifact.id, row, mostLinksOfArtifact, (trx, stored) =>
        audit.recordIn(trx, { ...actorOf(asked), ...auditEntry('grant.create', stored) }),
      )
      if (!isAdded) throw fail('artifact_link_limit')
      // Behind the `#`, so that no server, proxy or log ever sees the secret.
      return { link: rowToLink(row), url: `${(await context.address()) ?? ''}/shared-artifact#${secret}` }
    },

    async updateLink({ params, body }, asked) {
      const { id: artifactId } = await readArtifact(context, asked.resource.id)
      const now = clock.now()
      const before = await links.read(params.linkId, artifactId, now)
      if (!before) throw fail('artifact_link_not_found')
      await requireVersion(artifactId, body.version)
      const change = {
        ...(body.expiresInDays === undefined ? {} : { expires_at: now + body.expiresInDays * dayMs }),
        ...(body.password === undefined ? {} : { password: await hashOf(body.password) }),
        ...(body.version === undefined ? {} : { version: body.version }),
      }
      const fields = Object.keys(body).join(', ')
      if (fields === '') return rowToLink(before)
      const changed = await links.change({ id: before.id, accountId: before.account_id, now }, change, (trx, row) =>
        audit.recordIn(trx, { ...actorOf(asked), ...auditEntry('grant.update', row, { fields }) }),
      )
      if (!changed) throw fail('artifact_link_not_found')
      linkWatch.look()
      return rowToLink(changed)
    },

    async removeLink({ params }, asked) {
      const { id: artifactId } = await readArtifact(context, asked.resource.id)
      const link = await links.read(params.linkId, artifactId, clock.now())
      const removed =
        link &&
        (await links.remove(link.id, link.account_id, (trx, row) =>
          audit.recordIn(trx, { ...actorOf(asked), ...auditEntry('grant.delete', row) }),
        ))
      if (!removed) throw fail('artifact_link_not_found')
      linkWatch.look()
      return {}
    },

    async ownLinks({ query: { limit, cursor } }, { caller }) {
      const { items, nextCursor } = await links.page(caller.accountId, clock.now(), limit, cursor)
      const shown = await artifacts.readMany(items.map((row) => row.artifact_id))
      const titles = new Map(shown.map(({ id, title }) => [id, title]))
      return {
        items: items.map((row) => Object.assign(rowToLink(row), { title: titles.get(row.artifact_id) ?? '' })),
        nextCursor,
      }
    },
  }
}

export const visitorHandlers = (context: ArtifactsContext): Handlers<VisitorRoutes> => ({
  async openLink({ body }) {
    const begun = await context.linkVisits.begin(body.secret, body.password)
    if (!begun) return { state: 'password' }
    const { link } = begun.live
    await context.links.countOpening(link.id)
    const ownerName = await context.displayName(link.account_id)
    return { state: 'open', visit: begun.visit, validUntil: toIsoTime(begun.until), ownerName }
  },

  async linkedArtifact({ body }) {
    const { link, shown } = await context.linkVisits.require(body.visit)
    const [artifact] = await context.artifacts.readMany([link.artifact_id])
    if (!artifact) throw fail('artifact_link_not_found')
    // The newest may be replaced meanwhile by what its author saves next.
    const version = (await context.versions.read(artifact.id, shown)) ?? (await readCurrent(context, artifact)).newest
    if (link.version !== null && version.number !== link.version) throw fail('artifact_link_not_found')
    const { kind, title, language } = artifact
    return { kind, title, language, content: version.content, updatedAt: toIsoTime(version.createdAt) }
  },

  async followLink({ body }, { address, after, signal }) {
    const { link, until } = await context.linkVisits.require(body.visit)
    const leftMs = until - context.clock.now()
    return context.linkWatch.follow({ linkId: link.id, ownerId: link.account_id, leftMs, after, address, signal })
  },
})

/** Removes links whose time is over. */
export const removeEndedLinks = ({ audit, clock, links }: ArtifactsContext, signal: AbortSignal): Promise<void> => {
  const actor = { kind: 'system', accountId: null } as const
  return links.removeEnded(clock.now(), signal, (trx, row) =>
    audit.recordIn(trx, { actor, ...auditEntry('grant.delete', row, { reason: 'expired' }) }),
  )
}

const auditEntry = (
  action: 'grant.create' | 'grant.update' | 'grant.delete',
  row: ArtifactLinkRow,
  more: { readonly reason?: string; readonly fields?: string } = {},
): Pick<AuditEntry, 'action' | 'target' | 'details'> =>
  linkAuditEntry(action, { type: 'artifact', id: row.artifact_id }, row, { version: row.version ?? 'newest', ...more })

const rowToLink = (row: ArtifactLinkRow): ArtifactLink => ({
  id: row.id,
  artifactId: row.artifact_id,
  version: row.version,
  hasPassword: row.password !== null,
  openCount: row.open_count,
  expiresAt: toIsoTime(row.expires_at),
  createdAt: toIsoTime(row.created_at),
})
