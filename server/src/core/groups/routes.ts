/** The routes of groups, for administrators. A group that a directory or a provider keeps is only looked at. */
import type { MemberSource, groupsRoutes } from '@atrium/contract/groups'
import { type Audit, type AuditEntry, actorOf, recordOutcome } from '../../platform/audit/index.ts'
import type { Context, Handlers } from '../../platform/http/area.ts'
import type { Groups } from './groups.ts'

type Names = 'groups' | 'addGroup' | 'renameGroup' | 'removeGroup' | 'members' | 'addMember' | 'removeMember'

export const groupHandlers = (deps: {
  groups: Groups
  audit: Audit
  /** What sources that are sign-in providers are called. */
  sourceNames: () => Promise<ReadonlyMap<string, string>>
}): Pick<Handlers<typeof groupsRoutes>, Names> => {
  const { groups, audit, sourceNames } = deps
  const entry = (
    context: Context,
    action: AuditEntry['action'],
    id: string,
    details?: NonNullable<AuditEntry['details']>,
  ): AuditEntry => ({
    ...actorOf(context),
    action,
    target: { type: 'group', id },
    ...(details ? { details } : {}),
  })
  return {
    groups: ({ query }) => groups.list(query.limit, query.cursor),
    async addGroup({ body }, context) {
      const group = await groups.add(body.name, body.description)
      await audit.record(entry(context, 'group.create', group.id))
      return group
    },
    renameGroup: ({ params, body }, context) =>
      recordOutcome(audit, entry(context, 'group.update', params.id, { fields: Object.keys(body) }), () =>
        groups.rename(params.id, body.name, body.description),
      ),
    async removeGroup({ params }, context) {
      await recordOutcome(audit, entry(context, 'group.delete', params.id), () => groups.remove(params.id))
      return {}
    },
    async members({ params: { id }, query }) {
      const { items, nextCursor } = await groups.members(id, query.limit, query.cursor)
      const [kept, names] = await Promise.all([groups.sources.memberSources(id), sourceNames()])
      const sourcesOf = (accountId: string) => kept.get(accountId) ?? ['manual']
      return {
        items: items.map((user) => ({ ...user, sources: sourcesOf(user.id).map((each) => present(each, names)) })),
        nextCursor,
      }
    },
    async addMember({ params: { id, accountId } }, context) {
      await recordOutcome(audit, entry(context, 'group.member-add', id, { accountId }), () =>
        groups.addMember(id, accountId),
      )
      return {}
    },
    async removeMember({ params: { id, accountId } }, context) {
      await recordOutcome(audit, entry(context, 'group.member-remove', id, { accountId }), () =>
        groups.removeMember(id, accountId),
      )
      return {}
    },
  }
}

const present = (source: string, names: ReadonlyMap<string, string>): MemberSource =>
  source === 'manual' || source === 'ldap' || source === 'scim'
    ? { kind: source, name: null }
    : { kind: 'provider', name: names.get(source) ?? null }
