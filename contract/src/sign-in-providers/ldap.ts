/** Signing in with a directory: LDAP, RFC 4511. */
import { z } from 'zod'
import { Id, Nothing } from '../common.ts'
import { routes } from '../route.ts'
import { Password } from '../accounts/account.ts'

const dn = z.string().trim().max(1000)
const filter = z.string().trim().max(2000)
/** An attribute description without options, RFC 4512 section 2.5. */
const attribute = z
  .string()
  .trim()
  .max(100)
  .regex(/^(?:[A-Za-z][A-Za-z0-9-]*|\d+(?:\.\d+)+)$/, 'write it as the directory names it, such as mail')
const groupNames = z.array(z.string().trim().min(1).max(1000)).max(100)

const common = {
  enabled: z.boolean(),
  /** `ldaps://host:636`, or `ldap://host:389`, which is encrypted by StartTLS before anything is said. */
  url: z.string().trim().max(500),
  /** `ldap://` without StartTLS: passwords are readable on the way. */
  allowPlain: z.boolean(),
  /** The certificate of the authority that signed the server's, in PEM; null for those that the system knows. */
  ca: z.string().trim().max(50_000).nullable(),
  /** Who searches; empty to search without a name. */
  bindDn: dn,
  baseDn: dn,
  /** RFC 4515, with `{{username}}` where the name goes; what is typed is escaped. */
  userFilter: filter,
  attributes: z.strictObject({
    username: attribute,
    email: attribute,
    displayName: attribute,
    /** What never changes about a person: entryUUID or objectGUID. Accounts are linked by it. */
    id: attribute,
  }),
  groups: z.strictObject({
    /** Empty: the base of the people. */
    baseDn: dn,
    /** RFC 4515, with `{{dn}}` or `{{username}}`; empty: groups are not asked for. */
    filter,
    /** Where the name of a group stands. */
    attribute,
  }),
  /** Names or DNs of groups whose members are administrators here. Empty: roles are kept here. */
  administratorGroups: groupNames,
  /** Names of groups that are kept here under the same name. */
  syncGroups: groupNames,
  /** What becomes of somebody who has no account here yet. */
  signUp: z.enum(['off', 'pending', 'active']),
}

export const LdapSettings = z.strictObject({ ...common, hasPassword: z.boolean() })
export type LdapSettings = z.infer<typeof LdapSettings>

export const LdapDraft = z.strictObject({
  ...common,
  /** Of `bindDn`; empty to remove it. */
  password: z.string().max(1000).optional(),
})
export type LdapDraft = z.infer<typeof LdapDraft>

/** The steps of a sign-in, in their order. */
export const ldapSteps = ['resolve', 'connect', 'tls', 'bind', 'search', 'sign-in', 'groups'] as const

export const LdapTrial = z.strictObject({
  ok: z.boolean(),
  steps: z.array(
    z.strictObject({
      step: z.enum(ldapSteps),
      ok: z.boolean(),
      /** What was found, or why it went no further. */
      detail: z.string(),
      durationMs: z.number().int(),
    }),
  ),
  /** What the directory says of the person; null where none was looked for, or found. */
  entry: z
    .strictObject({
      dn: z.string(),
      attributes: z.array(z.strictObject({ name: z.string(), values: z.array(z.string()) })),
      groups: z.array(z.string()),
    })
    .nullable(),
  /** What a sign-in would make of it. */
  mapping: z
    .strictObject({
      username: z.string(),
      email: z.string().nullable(),
      displayName: z.string().nullable(),
      /** null: it would stay as it is. */
      role: z.enum(['admin', 'user']).nullable(),
      groups: z.array(z.string()),
      outcome: z.enum(['linked', 'new', 'pending', 'sign-up-closed', 'name-taken', 'incomplete']),
    })
    .nullable(),
})
export type LdapTrial = z.infer<typeof LdapTrial>

const ById = z.strictObject({ id: Id })

export const ldap = routes({
  ldap: {
    method: 'get',
    path: '/api/auth/ldap',
    access: 'admin',
    summary: 'Get the directory sign-in settings',
    returns: LdapSettings,
  },
  updateLdap: {
    method: 'put',
    path: '/api/auth/ldap',
    access: 'admin',
    proof: true,
    limit: 'account',
    summary:
      'Update the directory sign-in settings. The password is kept if you leave it out and the server stays the same',
    body: LdapDraft,
    returns: LdapSettings,
    errors: ['directory_setting'],
  },
  testLdap: {
    method: 'post',
    path: '/api/auth/ldap/test',
    access: 'admin',
    limit: 'sign-in',
    noStore: true,
    summary:
      'Test directory settings step by step, and with a name the sign-in too. Nothing is changed; the saved password is only sent to the saved server',
    body: z.strictObject({
      username: z.string().trim().min(1).max(254).optional(),
      password: Password.optional(),
      /** What is tried; without it what is saved. */
      settings: LdapDraft.optional(),
    }),
    returns: LdapTrial,
    errors: ['directory_setting'],
  },
  ldapLink: {
    method: 'get',
    path: '/api/auth/ldap/link',
    access: 'user',
    summary: 'Get whether your account is linked with the directory',
    returns: z.strictObject({ enabled: z.boolean(), linked: z.boolean(), hasPassword: z.boolean() }),
  },
  linkLdap: {
    method: 'post',
    path: '/api/auth/ldap/link',
    access: 'user',
    limit: 'sign-in',
    summary: 'Link your account with the directory, using your password here and your name and password there',
    body: z.strictObject({
      currentPassword: Password,
      username: z.string().trim().min(1).max(254),
      password: Password,
    }),
    returns: Nothing,
    errors: ['wrong_password', 'wrong_credentials', 'identity_linked', 'directory_unreachable', 'directory_setting'],
  },
  unlinkLdap: {
    method: 'delete',
    path: '/api/auth/ldap/link',
    access: 'user',
    proof: true,
    limit: 'account',
    summary: 'Unlink your account from the directory. It needs a password of its own',
    returns: Nothing,
    errors: ['last_way_in'],
  },
  linkLdapAccount: {
    method: 'put',
    path: '/api/auth/ldap/accounts/{id}',
    access: 'admin',
    proof: true,
    names: 'instance',
    limit: 'account',
    summary: 'Link an account with a directory entry',
    params: ById,
    body: z.strictObject({ username: z.string().trim().min(1).max(254) }),
    returns: Nothing,
    errors: [
      'user_not_found',
      'directory_entry_not_found',
      'identity_linked',
      'directory_unreachable',
      'directory_setting',
    ],
  },
  unlinkLdapAccount: {
    method: 'delete',
    path: '/api/auth/ldap/accounts/{id}',
    access: 'admin',
    proof: true,
    names: 'instance',
    summary: 'Unlink an account from the directory',
    params: ById,
    returns: Nothing,
    errors: ['user_not_found'],
  },
})
