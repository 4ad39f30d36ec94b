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
    summary: 'List all groups, oldest first',
    query: PageQuery,
    returns: page(Group),
    errors: ['bad_cursor'],
  },
  addGroup: {
    method: 'post',
    path: '/api/groups',
    access: 'admin',
    summary: 'Create a group. Names are unique, ignoring case',
    body: GroupInput,
    returns: Group,
    errors: ['group_exists', 'group_limit'],
  },
  renameGroup: {
    method: 'put',
    path: '/api/groups/{id}',
    access: 'admin',
    names: 'instance',
    summary: 'Update a group’s name or description',
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
    summary: 'Delete a group and its budgets. Its members’ accounts are kept',
    params: ById,
    returns: Nothing,
    errors: ['group_not_found'],
  },
  members: {
    method: 'get',
    path: '/api/groups/{id}/members',
    access: 'admin',
    names: 'instance',
    summary: 'List the members of a group and what keeps each of them in it, oldest account first',
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
    summary: 'Add an account to a group. Existing members stay as they are',
    params: Membership,
    returns: Nothing,
    errors: ['group_not_found', 'user_not_found', 'group_managed'],
  },
  removeMember: {
    method: 'delete',
    path: '/api/groups/{id}/members/{accountId}',
    access: 'admin',
    names: 'instance',
    summary: 'Remove an account from a group. If it is not a member, nothing changes',
    params: Membership,
    returns: Nothing,
    errors: ['group_not_found', 'group_managed'],
  },
})

export const groupsArea = area(groupsDescription, {
  routes: groupsRoutes,
  shapes: { Group, GroupMember, MemberSource },
})
