/**
 * The audit for administrators: pages with names, files for other tools, the check of the chain, and how long entries
 * are kept. It changes nothing that was written, and knows no content.
 */
import { type AuditEvent, audit as routes } from '@atrium/contract/audit'
import { z } from 'zod'
import type { Settings } from '../../core/settings/index.ts'
import type { AuditFilter, AuditLog, StoredEvent } from '../../platform/audit/index.ts'
import type { Clock } from '../../platform/clock.ts'
import { type Area, defineArea } from '../../platform/http/area.ts'
import { fail } from '../../platform/http/refusal.ts'
import type { JobHandler } from '../../platform/jobs/types.ts'
import { csvHeader, csvLine, jsonLine } from './files.ts'

export interface AuditDeps {
  readonly audit: Pick<AuditLog, 'page' | 'all' | 'check' | 'prune' | 'record'>
  readonly settings: Pick<Settings, 'document'>
  /** What accounts are called; absent ones are gone. */
  readonly namesOf: (accountIds: readonly string[]) => Promise<ReadonlyMap<string, string>>
  readonly clock: Clock
  /** AUDIT_RETENTION_DAYS */
  readonly retentionDays: number | undefined
}

export const auditPruneJob = 'audit.prune'
const usualDays = 180
const day = 24 * 60 * 60_000

const Saved = z.object({ retentionDays: z.number().int().nullable().default(null) })

export const auditArea = (deps: AuditDeps): Area => {
  const { audit, clock } = deps
  const saved = deps.settings.document('audit', Saved)

  const settings = async () => {
    if (deps.retentionDays !== undefined) return { retentionDays: deps.retentionDays, source: 'environment' as const }
    const { retentionDays } = await saved.read()
    return retentionDays === null
      ? { retentionDays: usualDays, source: 'default' as const }
      : { retentionDays, source: 'saved' as const }
  }

  const named = async (events: readonly StoredEvent[]): Promise<(AuditEvent & { hash: string })[]> => {
    const ids = new Set<string>()
    for (const { actorUserId, targetType, targetId } of events) {
      if (actorUserId) ids.add(actorUserId)
      if (targetType === 'account' && targetId) ids.add(targetId)
    }
    const names = await deps.namesOf([...ids])
    return events.map((event) => ({
      ...event,
      actorName: names.get(event.actorUserId ?? '') ?? null,
      targetName: event.targetType === 'account' ? (names.get(event.targetId ?? '') ?? null) : null,
    }))
  }

  async function* file(filter: AuditFilter, format: 'jsonl' | 'csv'): AsyncGenerator<Uint8Array> {
    if (format === 'csv') yield Buffer.from(csvHeader)
    for await (const events of audit.all(filter)) {
      const lines = (await named(events)).map(format === 'csv' ? csvLine : jsonLine)
      yield Buffer.from(lines.join(''))
    }
  }

  const prune: JobHandler<Record<string, never>> = {
    payload: z.strictObject({}),
    attempts: 3,
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
  }

  return defineArea({
    name: 'audit',
    routes,
    handlers: {
      async list({ query: { limit, cursor, ...filter } }) {
        const { items, nextCursor } = await audit.page(filter, limit, cursor)
        return { items: (await named(items)).map(({ hash: _, ...event }) => event), nextCursor }
      },
      async export({ query: { format, ...filter } }) {
        return {
          body: file(filter, format),
          mediaType: format === 'csv' ? 'text/csv; charset=utf-8' : 'application/x-ndjson; charset=utf-8',
          fileName: `audit-${new Date(clock.now()).toISOString().slice(0, 10)}.${format}`,
          disposition: 'attachment' as const,
        }
      },
      check: ({ query }) => audit.check(query.fromSeq),
      settings,
      async saveSettings({ body }) {
        if (deps.retentionDays !== undefined)
          throw fail('setting_locked', 'This setting is fixed by AUDIT_RETENTION_DAYS in the environment.')
        await saved.change(() => body)
        return await settings()
      },
    },
    jobs: { [auditPruneJob]: prune as unknown as JobHandler<never> },
  })
}
