/** The accounts of the instance, for its administrators. */
import { area } from '../area.ts'
import { userAdministrationDescription } from './area.ts'
import { Invitation } from './invitations.ts'
import { z } from 'zod'
import { AuthSession, Email, Password, User, Username } from '../accounts/index.ts'
import { AvatarChange } from '../accounts/avatars.ts'
import { ApiToken } from '../api-tokens/index.ts'
import { Currency, Id, Nothing, PageQuery, Time, page } from '../common.ts'
import { Group } from '../groups/index.ts'
import { bytes, routes } from '../route.ts'
import { ImportResult, importRoutes } from './import.ts'
import { invitationRoutes } from './invitations.ts'
import { AccountPreview, previewRoutes } from './preview.ts'

export * from './invitations.ts'
export { AccountPreview, previewRoutes } from './preview.ts'
export {
  type ImportFault,
  type ImportLine,
  ImportResult,
  importFaultCodes,
  importFields,
  importRoutes,
  mostImported,
} from './import.ts'

/** What an account can sign in with, and what it shows as a second factor. */
export const signInMeans = ['password', 'passkey', 'totp', 'github', 'huggingface', 'oidc', 'ldap'] as const
export type SignInMeans = (typeof signInMeans)[number]

/** An account as administrators see it. */
export const ListedUser = User.extend({
  /** The groups it is in, oldest first. */
  groups: z.array(Group.pick({ id: true, name: true })),
  signIn: z.array(z.enum(signInMeans)),
  /** When one of its sessions or tokens was last used. */
  lastActiveAt: Time.nullable(),
  approvedAt: Time.nullable(),
  /** The administrator who let it in; without a name when that account is gone. */
  approvedBy: z.strictObject({ id: Id, name: z.string().nullable() }).nullable(),
  /** Who keeps name, address and groups of it, where administrators here do not: `scim`, `ldap`, or a provider. */
  managedBy: z.string().nullable(),
  /** When it is going to be deleted, where that is set. */
  removalAt: Time.nullable(),
})
export type ListedUser = z.infer<typeof ListedUser>

/** The same in the list, with what the account keeps in files and what its calls cost in 30 days. */
export const ListedPerson = ListedUser.extend({
  storedBytes: z.number().int(),
  /** A decimal number. */
  spent: z.strictObject({ amount: z.string(), currency: Currency }),
})
export type ListedPerson = z.infer<typeof ListedPerson>

export const bulkActions = ['approve', 'disable', 'enable', 'add-to-group', 'remove-from-group'] as const
export type BulkAction = (typeof bulkActions)[number]

/** What came of a bulk action for one account: `code` is that of the refusal, null when it was done. */
export const BulkResult = z.strictObject({ id: Id, code: z.string().nullable() })

const ById = z.strictObject({ id: Id })
const Role = User.shape.role

const Wanted = z.strictObject({
  /** A part of a user name, display name or e-mail address. */
  q: z.string().trim().max(200).optional(),
  role: Role.optional(),
  status: User.shape.status.optional(),
  groupId: Id.optional(),
  sort: z.enum(['newest', 'oldest']).default('newest'),
})

export const accountRoutes = routes({
  list: {
    method: 'get',
    path: '/api/users',
    access: 'admin',
    summary: 'List all accounts with their groups and sign-in methods',
    query: PageQuery.extend(Wanted.shape),
    returns: page(ListedPerson),
    errors: ['bad_cursor'],
  },
  exportPeople: {
    method: 'get',
    path: '/api/users/export',
    access: 'admin',
    noStore: true,
    audit: 'user.list-export',
    summary: 'Export all accounts as CSV, with their groups and sign-in methods',
    query: Wanted,
    returns: bytes,
    errors: ['too_large'],
  },
  pending: {
    method: 'get',
    path: '/api/users/pending-approvals',
    access: 'admin',
    summary: 'Get how many accounts wait for approval, and when the newest one signed up',
    returns: z.strictObject({ count: z.number().int(), latestCreatedAt: Time.nullable() }),
  },
  read: {
    method: 'get',
    path: '/api/users/{id}',
    access: 'admin',
    names: 'instance',
    summary: 'Get an account',
    params: ById,
    returns: ListedUser,
    errors: ['user_not_found'],
  },
  create: {
    method: 'post',
    path: '/api/users',
    access: 'admin',
    proof: true,
    forPeople: true,
    summary: 'Create an active account. Without a password, its owner can sign in after choosing one by a link',
    body: z.strictObject({
      username: Username,
      displayName: z.string().trim().max(120).nullable().optional(),
      email: Email.nullable().optional(),
      role: Role.default('user'),
      password: Password.optional(),
    }),
    returns: ListedUser,
    errors: ['username_taken', 'username_scripts', 'email_taken', 'weak_password', 'common_password'],
  },
  update: {
    method: 'patch',
    path: '/api/users/{id}',
    access: 'admin',
    proof: true,
    names: 'instance',
    forPeople: true,
    summary: 'Update an account’s name, address or role. A new role applies at once, even on open streams',
    params: ById,
    body: z.strictObject({
      username: Username.optional(),
      displayName: z.string().trim().max(120).nullable().optional(),
      email: Email.nullable().optional(),
      role: Role.optional(),
      /** As for the own picture (`PATCH /api/users/me/avatar`). */
      avatar: AvatarChange.optional(),
    }),
    returns: ListedUser,
    errors: [
      'avatar_unsupported',
      'user_not_found',
      'username_taken',
      'username_scripts',
      'email_taken',
      'last_administrator',
    ],
  },
  approve: {
    method: 'patch',
    path: '/api/users/{id}/approve',
    access: 'admin',
    names: 'instance',
    summary: 'Approve an account that waits for approval',
    params: ById,
    returns: ListedUser,
    errors: ['user_not_found', 'not_pending'],
  },
  setStatus: {
    method: 'put',
    path: '/api/users/{id}/status',
    access: 'admin',
    names: 'instance',
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
    names: 'instance',
    summary: 'Decline an account that waits for approval. It is deleted',
    params: ById,
    returns: Nothing,
    errors: ['user_not_found'],
  },
  bulk: {
    method: 'post',
    path: '/api/users/bulk',
    access: 'admin',
    summary: 'Apply one action to many accounts. Each has its own result',
    body: z.strictObject({
      ids: z.array(Id).min(1).max(200),
      action: z.enum(bulkActions),
      /** For the actions about a group. */
      groupId: Id.optional(),
    }),
    returns: z.strictObject({ items: z.array(BulkResult), nextCursor: z.null() }),
    errors: ['group_not_found', 'group_managed'],
  },
  resetMfa: {
    method: 'post',
    path: '/api/users/{id}/mfa/reset',
    access: 'admin',
    proof: true,
    forPeople: true,
    names: 'instance',
    summary: 'Remove an account’s one-time codes, for someone who lost them. Passkeys are kept',
    params: ById,
    returns: Nothing,
    errors: ['user_not_found', 'own_account'],
  },
  sessions: {
    method: 'get',
    path: '/api/users/{id}/sessions',
    access: 'admin',
    names: 'instance',
    summary: 'List the sessions of an account, most recently active first',
    params: ById,
    returns: z.strictObject({ items: z.array(AuthSession), nextCursor: z.null() }),
    errors: ['user_not_found'],
  },
  endSession: {
    method: 'delete',
    path: '/api/users/{id}/sessions/{sessionId}',
    access: 'admin',
    names: 'instance',
    summary: 'End a session of an account at once',
    params: z.strictObject({ id: Id, sessionId: Id }),
    returns: Nothing,
    errors: ['user_not_found', 'session_not_found'],
  },
  tokens: {
    method: 'get',
    path: '/api/users/{id}/tokens',
    access: 'admin',
    names: 'instance',
    summary: 'List the API tokens of an account, newest first, without the tokens themselves',
    params: ById,
    query: PageQuery,
    returns: page(ApiToken),
    errors: ['user_not_found', 'bad_cursor'],
  },
  revokeToken: {
    method: 'delete',
    path: '/api/users/{id}/tokens/{tokenId}',
    access: 'admin',
    names: 'instance',
    summary: 'Revoke an API token of an account, at once and permanently',
    params: z.strictObject({ id: Id, tokenId: Id }),
    returns: Nothing,
    errors: ['user_not_found', 'token_not_found'],
  },
})

export const userAdministrationRoutes = {
  ...accountRoutes,
  ...previewRoutes,
  ...invitationRoutes,
  ...importRoutes,
} as const

export const userAdministrationArea = area(userAdministrationDescription, {
  routes: userAdministrationRoutes,
  shapes: { AccountPreview, BulkResult, ImportResult, Invitation, ListedPerson, ListedUser },
})
