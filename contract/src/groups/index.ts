/** Groups of accounts, for the administrators of the instance. */
import { area } from '../area.ts'
import { groupsDescription } from './area.ts'
import { z } from 'zod'
import { User } from '../accounts/index.ts'
import { Id, Nothing, PageQuery, Time, page } from '../common.ts'
import { routes } from '../route.ts'

/** Accounts under one name, so that something can be for all of them. An account may be in many. */
export const Group = z.strictObject({
  id: Id,
  name: z.string(),
  description: z.string().nullable(),
  memberCount: z.number().int(),
  /** Where its name and members come from, where administrators here cannot change them: a directory, say. */
  managedBy: z.string().nullable(),
  createdAt: Time,
})
export type Group = z.infer<typeof Group>

/** Who keeps somebody in a group: administrators by hand, a directory, or a provider (`name` as it is shown; null when it is gone). */
export const MemberSource = z.strictObject({
  kind: z.enum(['manual', 'ldap', 'scim', 'provider']),
  name: z.string().nullable(),
})
export type MemberSource = z.infer<typeof MemberSource>

/** Somebody in a group, with whoever keeps them in it: they leave it when the last one lets go. */
export const GroupMember = User.extend({ sources: z.array(MemberSource).min(1) })
export type GroupMember = z.infer<typeof GroupMember>

const GroupInput = z.strictObject({
  name: z.string().trim().min(1).max(80),
  description: z.string().trim().max(500).nullable().optional(),
})
const ById = z.strictObject({ id: Id })
const Membership = z.strictObject({ id: Id, accountId: Id })

export const groupsRoutes = routes({
  groups: {
    method: 'get',
    path: '/api/groups',
    access: 'admin',
    summary: 'All groups of accounts, oldest first',
    query: PageQuery,
    returns: page(Group),
    errors: ['bad_cursor'],
  },
  addGroup: {
    method: 'post',
    path: '/api/groups',
    access: 'admin',
    summary: 'Make a group; no two have the same name, whatever its capitals',
    body: GroupInput,
    returns: Group,
    errors: ['group_exists', 'group_limit'],
  },
  renameGroup: {
    method: 'put',
    path: '/api/groups/{id}',
    access: 'admin',
    names: 'instance',
    summary: 'Give a group another name or description',
    params: ById,
    body: GroupInput,
    returns: Group,
    errors: ['group_not_found', 'group_exists', 'group_managed'],
  },
  removeGroup: {
    method: 'delete',
    path: '/api/groups/{id}',
    access: 'admin',
    names: 'instance',
    summary: 'Remove a group and the budgets that are for it; its members stay as they are',
    params: ById,
    returns: Nothing,
    errors: ['group_not_found'],
  },
  members: {
    method: 'get',
    path: '/api/groups/{id}/members',
    access: 'admin',
    names: 'instance',
    summary: 'The accounts in a group and who keeps each of them in it, oldest account first',
    params: ById,
    query: PageQuery,
    returns: page(GroupMember),
    errors: ['group_not_found', 'bad_cursor'],
  },
  addMember: {
    method: 'put',
    path: '/api/groups/{id}/members/{accountId}',
    access: 'admin',
    names: 'instance',
    summary: 'Put an account into a group; nothing changes when it is in it',
    params: Membership,
    returns: Nothing,
    errors: ['group_not_found', 'user_not_found', 'group_managed'],
  },
  removeMember: {
    method: 'delete',
    path: '/api/groups/{id}/members/{accountId}',
    access: 'admin',
    names: 'instance',
    summary: 'Take an account out of a group; nothing changes when it is not in it',
    params: Membership,
    returns: Nothing,
    errors: ['group_not_found', 'group_managed'],
  },
})

export const groupsArea = area(groupsDescription, {
  routes: groupsRoutes,
  shapes: { Group, GroupMember, MemberSource },
})
