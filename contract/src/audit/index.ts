/** What was done that matters for safety: who, what, to what, when, from where. Never content, never secrets. */
import { area } from '../area.ts'
import { auditDescription } from './area.ts'
import { z } from 'zod'
import { Id, PageQuery, ReadSource, Time, page } from '../common.ts'
import { bytes, routes } from '../route.ts'
import { auditActions } from './actions.ts'

export { type AuditAction, auditActions } from './actions.ts'

export const AuditActorKind = z.enum(['user', 'api-token', 'system', 'anonymous'])
export const AuditResult = z.enum(['success', 'denied', 'failure'])

export const AuditEvent = z.strictObject({
  /** Its place in the chain, without gaps. */
  seq: z.number().int(),
  id: Id,
  occurredAt: Time,
  actorKind: AuditActorKind,
  actorUserId: Id.nullable(),
  /** What the account is called today; null when it is gone. */
  actorName: z.string().nullable(),
  action: z.enum(auditActions),
  targetType: z.string().nullable(),
  targetId: z.string().nullable(),
  /** Where it is an account or a group that is still there. */
  targetName: z.string().nullable(),
  result: AuditResult,
  requestId: z.string().nullable(),
  /** Where the request came from, as far as it is known. */
  address: z.string().nullable(),
  details: z
    .record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null(), z.array(z.string())]))
    .nullable(),
  /** What accounts and groups that the details name by their ids are called today; those that are gone are not here. */
  names: z.record(Id, z.string()),
  /** Its request, address and details cannot be read; the check of the chain tells whether it was changed. */
  unreadable: z.literal(true).optional(),
})
export type AuditEvent = z.infer<typeof AuditEvent>

/** A time as RFC 3339 or as milliseconds since 1970. */
const Moment = z
  .string()
  .max(40)
  .transform((text) => (/^\d{1,15}$/.test(text) ? Number(text) : Date.parse(text)))
  .refine((time) => Number.isFinite(time), 'write it as a date, such as 2026-01-31T00:00:00Z')

/** One or several, separated by commas. */
const Actions = z
  .string()
  .max(4000)
  .transform((text) => text.split(',').map((each) => each.trim()))
  .pipe(z.array(z.enum(auditActions)).min(1))

const Filter = z.strictObject({
  action: Actions.optional(),
  /** Words that stand in an entry: in names, ids, addresses, its action or its details. */
  q: z.string().trim().min(1).max(200).optional(),
  /** With `q`: these actions are meant by its words, too. */
  qActions: Actions.optional(),
  /** The id of an account. */
  actor: Id.optional(),
  result: AuditResult.optional(),
  targetType: z.string().trim().min(1).max(60).optional(),
  targetId: Id.optional(),
  before: Moment.optional(),
  after: Moment.optional(),
})

const AuditSettings = z.strictObject({
  retentionDays: z.number().int(),
  /** `environment` is fixed by AUDIT_RETENTION_DAYS; `unreadable` is the most, until it is saved anew. */
  source: ReadSource,
})

export const auditRoutes = routes({
  list: {
    method: 'get',
    path: '/api/audit',
    access: 'admin',
    summary:
      'List audit entries, newest first. With `q`, a page may be short even if there are more; continue while there is a cursor',
    query: Filter.extend({
      limit: z.coerce.number().int().min(1).max(500).default(100),
      cursor: PageQuery.shape.cursor,
    }),
    returns: page(AuditEvent),
    errors: ['bad_cursor'],
  },
  export: {
    method: 'get',
    path: '/api/audit/export',
    access: 'admin',
    limit: 'account',
    noStore: true,
    audit: 'audit.export',
    summary: 'Export audit entries, oldest first, as JSON lines with the digests of the chain, or as CSV',
    query: Filter.extend({ format: z.enum(['jsonl', 'csv']).default('jsonl') }),
    returns: bytes,
  },
  check: {
    method: 'get',
    path: '/api/audit/check',
    access: 'admin',
    summary: 'Verify a stretch of the audit chain. Call it again with `nextSeq` until that is null',
    query: z.strictObject({ fromSeq: z.coerce.number().int().min(0).default(0) }),
    returns: z.strictObject({
      /** How many rows were checked in this stretch. */
      checked: z.number().int(),
      lastSeq: z.number().int(),
      /** The first row that does not fit to the one before, or is missing. */
      brokenAt: z.number().int().nullable(),
      nextSeq: z.number().int().nullable(),
      /** The digest of the newest row. Who notes it down can prove later that nothing before it was changed. */
      head: z.string(),
    }),
  },
  settings: {
    method: 'get',
    path: '/api/audit/settings',
    access: 'admin',
    summary: 'Get how long audit entries are kept',
    returns: AuditSettings,
  },
  saveSettings: {
    method: 'put',
    path: '/api/audit/settings',
    access: 'admin',
    audit: 'setting.change',
    summary: 'Set how long audit entries are kept. Older ones are deleted within a day',
    body: z.strictObject({ retentionDays: z.number().int().min(30).max(3650) }),
    returns: AuditSettings,
    errors: ['setting_locked'],
  },
})

export const auditArea = area(auditDescription, {
  routes: auditRoutes,
  shapes: { AuditEvent },
})
