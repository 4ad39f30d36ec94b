/** The accounts of the instance and the groups they are in, for its administrators. */
import { z } from 'zod'
import { User } from './authentication.ts'
import { Id, Nothing, PageQuery, Time, page } from './common.ts'
import { routes } from './route.ts'

/** Accounts under one name, so that something can be for all of them. An account may be in many. */
export const Group = z.strictObject({
  id: Id,
  name: z.string(),
  memberCount: z.number().int(),
  createdAt: Time,
})
export type Group = z.infer<typeof Group>

/** An account as administrators see it. */
export const ListedUser = User.extend({
  /** The groups it is in, oldest first. */
  groups: z.array(Group.pick({ id: true, name: true })),
})
export type ListedUser = z.infer<typeof ListedUser>

const GroupInput = z.strictObject({ name: z.string().trim().min(1).max(80) })
const ById = z.strictObject({ id: Id })
const Membership = z.strictObject({ id: Id, accountId: Id })

export const userAdministration = routes({
  list: {
    method: 'get',
    path: '/api/users',
    access: 'admin',
    summary: 'All accounts, oldest first, with the groups they are in',
    query: PageQuery,
    returns: page(ListedUser),
    errors: ['bad_cursor'],
  },
  setStatus: {
    method: 'put',
    path: '/api/users/{id}/status',
    access: 'admin',
    summary: 'Approve, disable or enable an account',
    params: ById,
    body: z.strictObject({ status: z.enum(['active', 'disabled']) }),
    returns: User,
    errors: ['user_not_found', 'last_administrator'],
  },
  reject: {
    method: 'delete',
    path: '/api/users/{id}/pending',
    access: 'admin',
    summary: 'Turn down an account that waits for approval; it is removed',
    params: ById,
    returns: Nothing,
    errors: ['user_not_found'],
  },
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
    summary: 'Give a group another name',
    params: ById,
    body: GroupInput,
    returns: Group,
    errors: ['group_not_found', 'group_exists'],
  },
  removeGroup: {
    method: 'delete',
    path: '/api/groups/{id}',
    access: 'admin',
    summary: 'Remove a group and the budgets that are for it; its members stay as they are',
    params: ById,
    returns: Nothing,
    errors: ['group_not_found'],
  },
  members: {
    method: 'get',
    path: '/api/groups/{id}/members',
    access: 'admin',
    summary: 'The accounts in a group, oldest account first',
    params: ById,
    query: PageQuery,
    returns: page(User),
    errors: ['group_not_found', 'bad_cursor'],
  },
  addMember: {
    method: 'put',
    path: '/api/groups/{id}/members/{accountId}',
    access: 'admin',
    summary: 'Put an account into a group; nothing changes when it is in it',
    params: Membership,
    returns: Nothing,
    errors: ['group_not_found', 'user_not_found'],
  },
  removeMember: {
    method: 'delete',
    path: '/api/groups/{id}/members/{accountId}',
    access: 'admin',
    summary: 'Take an account out of a group; nothing changes when it is not in it',
    params: Membership,
    returns: Nothing,
    errors: ['group_not_found'],
  },
})
