/** All that a decision needs to know of a thing, asked in one question, as it is asked before nearly every request. */
import type { ResourceType, Right } from '@atrium/contract/resources'
import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../platform/db/types.ts'
import type { GrantRow } from './tables.ts'
import type { Shareable } from '../resources/index.ts'
import type { ResourcePlace, Principals, ResourceRef } from './context.ts'

export interface PermissionFacts {
  /** null: there is no such thing. */
  readonly place: ResourcePlace | null
  /** What the account holds, by itself and by its groups, on the thing and on what it lies in; of an owner none is asked. */
  readonly grants: readonly GrantRow[]
  /** What the account may do as a member or guest of the thing; null where it is none. */
  readonly membership: Right | 'owner' | null
}

/** Gives what holds for an account and a thing at this moment. */
export type PermissionQuery = (accountId: string, resource: ResourceRef, now: number) => Promise<PermissionFacts>

type Row = ResourcePlace & { [Column in keyof GrantRow]: GrantRow[Column] | null }
type MemberRow = ResourcePlace & { readonly membership: Right | 'owner' | null }
type Ask = (values: { id: string; accountId: string; now: number }) => Promise<Row[]>
type AskGuests = (values: { id: string; accountId: string }) => Promise<{ id: string }[]>
type AskMembers = (values: { id: string; accountId: string }) => Promise<MemberRow[]>

export const createPermissionQuery = (parts: {
  readonly database: Database
  readonly memberships: Principals['groups']['memberships']
  readonly kinds: ReadonlyMap<ResourceType, Shareable>
}): PermissionQuery => {
  const { database, memberships, kinds } = parts
  const questions = new Map<ResourceType, Ask>()

  const questionOn = (type: ResourceType): Ask => {
    const known = questions.get(type)
    if (known) return known
    const chain = chainOf(type, kinds)
    const made = database.prepare<Parameters<Ask>[0], Row>((value) => buildQuery(chain, memberships, value))
    questions.set(type, made)
    return made
  }

  const memberQuestions = new Map<ResourceType, AskMembers>()
  const askMembers = async (kind: Shareable, type: ResourceType, id: string, accountId: string) => {
    const ask =
      memberQuestions.get(type) ??
      database.prepare<Parameters<AskMembers>[0], MemberRow>((value) => buildMemberQuery(kind, value))
    memberQuestions.set(type, ask)
    const [row] = await ask({ id, accountId })
    return row ? { place: { ownerId: row.ownerId, shown: row.shown }, grants: [], membership: row.membership } : nothing
  }

  const guestQuestions = new Map<ResourceType, AskGuests>()
  const isGuest = async (
    guests: NonNullable<Shareable['guests']>,
    type: ResourceType,
    id: string,
    accountId: string,
  ) => {
    const ask =
      guestQuestions.get(type) ??
      database.prepare<Parameters<AskGuests>[0], { id: string }>(
        (value) =>
          sql`select g.id from (${guests}) as g where g.id = ${value('id')} and g.account_id = ${value('accountId')}`,
      )
    guestQuestions.set(type, ask)
    return (await ask({ id, accountId })).length > 0
  }

  return async (accountId, { type, id }, now) => {
    const kind = kinds.get(type)
    if (!kind) return nothing
    if (kind.members) return await askMembers(kind, type, id, accountId)
    const rows = await questionOn(type)({ id, accountId, now })
    const [first] = rows
    if (!first) return nothing
    const grants = rows.filter(isGrant)
    const isStranger = grants.length === 0 && first.ownerId !== accountId && first.shown === 1
    return {
      place: { ownerId: first.ownerId, shown: first.shown },
      grants,
      membership: isStranger && kind.guests && (await isGuest(kind.guests, type, id, accountId)) ? 'read' : null,
    }
  }
}

const nothing: PermissionFacts = { place: null, grants: [], membership: null }

/** The thing, beside the account's membership of it. */
const buildMemberQuery = (
  { places, members }: Shareable,
  value: (name: 'id' | 'accountId') => RawBuilder<unknown>,
): RawBuilder<MemberRow> =>
  sql<MemberRow>`select p.owner_id as "ownerId", p.shown as "shown", m.access_right as "membership"
    from (${places}) as p
    left join (${members}) as m on m.id = p.id and m.account_id = ${value('accountId')}
    where p.id = ${value('id')}`

/** What joins nothing has an empty half. */
const isGrant = (row: Row): row is Row & GrantRow => row.id !== null

/** A kind of thing and those that it may lie in, up to the outermost. */
const chainOf = (type: ResourceType, kinds: ReadonlyMap<ResourceType, Shareable>): [ResourceType, Shareable][] => {
  const chain: [ResourceType, Shareable][] = []
  for (let kind: ResourceType | null = type; kind !== null; ) {
    const resource: Shareable | undefined = kinds.get(kind)
    if (!resource) break
    chain.push([kind, resource])
    kind = resource.within
  }
  return chain
}

/**
 * The thing, beside each grant that counts. What it lies in is joined only where that is shown and the same owner's:
 * what is not shown itself shows nothing.
 */
const buildQuery = (
  chain: readonly (readonly [ResourceType, Shareable])[],
  memberships: Principals['groups']['memberships'],
  value: (name: 'id' | 'accountId' | 'now') => RawBuilder<unknown>,
): RawBuilder<Row> => {
  const at = (level: number) => sql.table(`level_${level}`)
  const [inner, ...around] = chain.map(([, { places }], level) => sql`(${places}) as ${at(level)}`)
  const joins = around.map(
    (places, n) => sql`left join ${places} on ${at(n + 1)}.id = ${at(n)}.within_id
      and ${at(n + 1)}.owner_id = ${at(0)}.owner_id and ${at(n + 1)}.shown = 1`,
  )
  const on = chain.map(([type], level) => sql`(g.resource_type = ${sql.lit(type)} and g.resource_id = ${at(level)}.id)`)
  return sql<Row>`select ${at(0)}.owner_id as "ownerId", ${at(0)}.shown as "shown", ${columns}
    from ${inner} ${sql.join(joins, sql` `)}
    left join access_grants as g on ${at(0)}.owner_id <> ${value('accountId')} and ${at(0)}.shown = 1
      and (${sql.join(on, sql` or `)}) and ${grantApplies(memberships, value)}
    where ${at(0)}.id = ${value('id')}`
}

const columns = sql.join(
  [
    ...(['id', 'resource_type', 'resource_id', 'principal_type', 'principal_id'] as const),
    ...(['access_right', 'expires_at', 'created_at'] as const),
  ].map((column) => sql`g.${sql.ref(column)}`),
)

/**
 * Whether the grant `g` counts for the account now: it has not ended, and is the account's own, or of one of its groups
 * and the account has not left what it is for.
 */
export const grantApplies = (
  memberships: Principals['groups']['memberships'],
  value: (name: 'accountId' | 'now') => RawBuilder<unknown>,
): RawBuilder<boolean> => sql<boolean>`(g.expires_at is null or g.expires_at > ${value('now')})
  and ((g.principal_type = 'account' and g.principal_id = ${value('accountId')})
    or (g.principal_type = 'group'
      and exists (select 1 from (${memberships}) as m
        where m.group_id = g.principal_id and m.account_id = ${value('accountId')})
      and not exists (select 1 from access_grants_left as l
        where l.grant_id = g.id and l.account_id = ${value('accountId')})))`
