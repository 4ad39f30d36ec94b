/**
 * The audit for administrators: pages with names, files for other tools, the check of the chain, and how long entries
 * are kept. It changes nothing that was written, and knows no content.
 */
import { type AuditEvent, auditRoutes as routes } from '@atrium/contract/audit'
import { z } from 'zod'
import type { AuditFilter, AuditLog, StoredEvent } from '../../platform/audit/index.ts'
import { bindRoutes } from '../../platform/http/area.ts'
import { defineJob } from '../../platform/jobs/types.ts'
import type { Platform } from '../../platform/platform.ts'
import type { BoundSettings } from '../../platform/settings/index.ts'
import { csvHeader, csvLine, jsonLine } from './download-formats.ts'
import type { auditSettings } from './settings.ts'
import { filteredPage, holdsWords } from './text-filter.ts'

export { auditSettings } from './settings.ts'

export interface AuditDeps extends Pick<Platform, 'clock'> {
  readonly audit: Pick<AuditLog, 'page' | 'all' | 'check' | 'prune' | 'record'>
  readonly settings: BoundSettings<typeof auditSettings.audit.fields>
  /** What accounts are called; absent ones are gone. */
  readonly namesOf: (accountIds: readonly string[]) => Promise<ReadonlyMap<string, string>>
  /** What groups are called; absent ones are gone. */
  readonly groupNamesOf: (groupIds: readonly string[]) => Promise<ReadonlyMap<string, string>>
}

export const auditPruneJob = 'audit.prune'
const day = 24 * 60 * 60_000

export const createAuditArea = (deps: AuditDeps) => {
  const { audit, clock } = deps
  const settings = async () => {
    const { value, source } = (await deps.settings.read()).retentionDays
    return { retentionDays: value, source }
  }

  /** The events with the names of accounts and groups; of anything else an administrator may not know what it is called. */
  const withNames = async (events: readonly StoredEvent[]): Promise<(AuditEvent & { hash: string })[]> => {
    const mentioned = [...new Set(events.flatMap(idsIn))]
    const [accounts, groups] = await Promise.all([deps.namesOf(mentioned), deps.groupNamesOf(mentioned)])
    const nameOf = (id: string | null) => (id === null ? null : (accounts.get(id) ?? groups.get(id) ?? null))
    return events.map((event) => ({
      ...event,
      actorName: nameOf(event.actorUserId),
      targetName: isNamed(event.targetType) ? nameOf(event.targetId) : null,
      names: Object.fromEntries(
        idsOf(event.details).flatMap((id) => {
          const name = nameOf(id)
          return name === null ? [] : [[id, name]]
        }),
      ),
    }))
  }

  async function* file(
    filter: AuditFilter,
    format: 'jsonl' | 'csv',
    keeps: (event: AuditEvent) => boolean,
  ): AsyncGenerator<Uint8Array> {
    if (format === 'csv') yield Buffer.from(csvHeader)
    for await (const events of audit.all(filter)) {
      const lines = (await withNames(events)).filter(keeps).map(format === 'csv' ? csvLine : jsonLine)
      yield Buffer.from(lines.join(''))
    }
  }

  const prune = defineJob({
    payload: z.strictObject({}),
    attempts: 3,
    priority: 'low',
    timeoutMs: 10 * 60_000,
    async run() {
      const { retentionDays } = await settings()
      const before = clock.now() - retentionDays * day
      const removed = await audit.prune(before)
      if (removed === 0) return
      await audit.record({
        action: 'audit.prune',
        actor: { kind: 'system', accountId: null },
        details: { removed, before: new Date(before).toISOString() },
      })
    },
  })

  return bindRoutes({
    name: 'audit',
    routes,
    handlers: {
      async list({ query: { limit, cursor, q, qActions, ...filter } }) {
        const page = async (most: number, from: string | undefined) => {
          const { items, nextCursor } = await audit.page(filter, most, from)
          return { items: (await withNames(items)).map(({ hash: _, ...event }) => event), nextCursor }
        }
        if (q === undefined) return await page(limit, cursor)
        return await filteredPage(page, holdsWords({ q, qActions: qActions ?? [] }), limit, cursor)
      },
      async export({ query: { format, q, qActions, ...filter } }) {
        const keeps = q === undefined ? () => true : holdsWords({ q, qActions: qActions ?? [] })
        return {
          body: file(filter, format, keeps),
          mediaType: format === 'csv' ? 'text/csv; charset=utf-8' : 'application/x-ndjson; charset=utf-8',
          fileName: `audit-${new Date(clock.now()).toISOString().slice(0, 10)}.${format}`,
          disposition: 'attachment' as const,
        }
      },
      check: ({ query }) => audit.check(query.fromSeq),
      settings,
      async saveSettings({ body }) {
        await deps.settings.change(body)
        return await settings()
      },
    },
    jobs: { [auditPruneJob]: prune },
  })
}

const isNamed = (type: string | null): boolean => type === 'account' || type === 'group'

/** Details whose values are ids. */
const holdsIds = /Id$|^groups(Added|Removed)$/

const idsOf = (details: AuditEvent['details']): string[] =>
  Object.entries(details ?? {}).flatMap(([name, value]) =>
    !holdsIds.test(name) ? [] : Array.isArray(value) ? value : typeof value === 'string' ? [value] : [],
  )

const idsIn = ({ actorUserId, targetType, targetId, details }: StoredEvent): string[] => [
  ...(actorUserId === null ? [] : [actorUserId]),
  ...(targetId !== null && isNamed(targetType) ? [targetId] : []),
  ...idsOf(details),
]
