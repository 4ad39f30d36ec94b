/** All that belongs to an account, taken along or taken away: exports, and deleting an account with what it has. */
import { area } from '../area.ts'
import { accountDataDescription } from './area.ts'
import { z } from 'zod'
import { Proof } from '../accounts/proof.ts'
import { Id, Nothing, Time } from '../common.ts'
import { type CountName, countNames, ResourceType, storedKinds } from '../resources.ts'
import { bytes, routes } from '../route.ts'

/** How many things of each kind an account has. */
const countsOfKinds = Object.fromEntries(countNames.map((name) => [name, z.number().int()])) as Record<
  CountName,
  z.ZodInt
>

/** What goes when an account goes. */
export const RemovalCounts = z.strictObject({
  ...countsOfKinds,
  /** Things that others reach, and how many accounts lose them. */
  shared: z.number().int(),
  losingAccess: z.number().int(),
  files: z.number().int(),
  bytes: z.number().int(),
  jobs: z.number().int(),
  sessions: z.number().int(),
  tokens: z.number().int(),
  groups: z.number().int(),
  budgets: z.number().int(),
})
export type RemovalCounts = z.infer<typeof RemovalCounts>

/** One archive of an account: a zip with JSON, Markdown and the original files. */
export const AccountExport = z.strictObject({
  id: Id,
  state: z.enum(['running', 'ready', 'failed']),
  /** Of the archive, as soon as it is ready. */
  sizeBytes: z.number().int().nullable(),
  /** Whether an administrator asked for it. Only its owner can open it, whoever did. */
  byAdministrator: z.boolean(),
  createdAt: Time,
  /** When it is removed by itself. */
  expiresAt: Time,
})
export type AccountExport = z.infer<typeof AccountExport>

/** What others lose. Names are for the owner alone: administrators see counts. */
export const LostThings = z.strictObject({
  kind: ResourceType,
  count: z.number().int(),
  items: z.array(z.strictObject({ id: Id, name: z.string() })),
})
export type LostThings = z.infer<typeof LostThings>

export const Removal = z.strictObject({
  counts: RemovalCounts,
  lost: z.array(LostThings),
  /** How many of its things are offered to somebody, or on their way. */
  openTransfers: z.number().int(),
  /** When the account is going to be deleted, where that is set. */
  removalAt: Time.nullable(),
  /** The last one, as far as it is kept. */
  export: AccountExport.nullable(),
})
export type Removal = z.infer<typeof Removal>

/** What an account keeps in files, and how much it may. */
export const Storage = z.strictObject({
  usedBytes: z.number().int(),
  /** null: as much as there is room for. */
  quotaBytes: z.number().int().nullable(),
  kinds: z.array(
    z.strictObject({
      kind: z.enum(storedKinds),
      count: z.number().int(),
      bytes: z.number().int(),
      /** Of these, what waits in the trash. */
      trashedBytes: z.number().int(),
    }),
  ),
  /** The largest, of all kinds. */
  largest: z.array(
    z.strictObject({
      kind: z.enum(storedKinds),
      id: Id,
      name: z.string(),
      bytes: z.number().int(),
      /** The chat that it is in. */
      chatId: Id.nullable(),
      trashed: z.boolean(),
    }),
  ),
})
export type Storage = z.infer<typeof Storage>

const ById = z.strictObject({ id: Id })

export const accountDataRoutes = routes({
  ownRemoval: {
    method: 'get',
    path: '/api/users/me/removal',
    access: 'user',
    summary: 'Get what would be deleted with your account',
    returns: Removal,
  },
  removeOwn: {
    method: 'delete',
    path: '/api/users/me',
    access: 'user',
    limit: 'sign-in',
    status: 202,
    summary: 'Delete your account and everything in it, at once and permanently',
    body: Proof.extend({ despiteTransfers: z.boolean().default(false) }),
    returns: Nothing,
    errors: ['wrong_password', 'wrong_code', 'proof_needed', 'last_administrator', 'transfers_open'],
  },
  ownStorage: {
    method: 'get',
    path: '/api/users/me/storage',
    access: 'user',
    summary: 'Get the storage that your files use, by kind, with the largest files',
    returns: Storage,
  },
  accountStorage: {
    method: 'get',
    path: '/api/users/storage',
    access: 'admin',
    summary: 'List the storage that accounts use, the 200 largest first',
    returns: z.strictObject({
      items: z.array(z.strictObject({ id: Id, name: z.string(), bytes: z.number().int() })),
      nextCursor: z.null(),
    }),
  },
  ownExports: {
    method: 'get',
    path: '/api/users/me/exports',
    access: 'user',
    summary: 'List exports of your account, newest first',
    returns: z.strictObject({ items: z.array(AccountExport), nextCursor: z.null() }),
  },
  exportOwn: {
    method: 'post',
    path: '/api/users/me/export',
    access: 'user',
    limit: 'account',
    status: 202,
    summary: 'Export everything in your account as one archive',
    returns: AccountExport,
    errors: ['export_running'],
  },
  ownExport: {
    method: 'get',
    path: '/api/users/me/exports/{id}/content',
    access: 'user',
    names: 'own',
    noStore: true,
    summary: 'Download an export of your account',
    params: ById,
    returns: bytes,
    errors: ['export_not_found'],
  },
  removeExport: {
    method: 'delete',
    path: '/api/users/me/exports/{id}',
    access: 'user',
    names: 'own',
    summary: 'Delete an export of your account',
    params: ById,
    returns: Nothing,
    errors: ['export_not_found'],
  },
  removal: {
    method: 'get',
    path: '/api/users/{id}/removal',
    access: 'admin',
    names: 'instance',
    summary: 'Get what would be deleted with an account, as counts without contents',
    params: ById,
    returns: Removal,
    errors: ['user_not_found'],
  },
  schedule: {
    method: 'put',
    path: '/api/users/{id}/removal',
    access: 'admin',
    proof: true,
    names: 'instance',
    summary: 'Schedule the deletion of an account. Until then its owner can sign in and download an export',
    params: ById,
    body: z.strictObject({ inDays: z.number().int().min(1).max(90) }),
    returns: Removal,
    errors: ['user_not_found', 'own_account', 'last_administrator'],
  },
  callOff: {
    method: 'delete',
    path: '/api/users/{id}/removal',
    access: 'admin',
    names: 'instance',
    summary: 'Cancel the scheduled deletion of an account',
    params: ById,
    returns: Nothing,
    errors: ['user_not_found'],
  },
  export: {
    method: 'post',
    path: '/api/users/{id}/export',
    access: 'admin',
    names: 'instance',
    status: 202,
    summary: 'Create an export of an account. Only its owner can open it, and finds it in the settings',
    params: ById,
    returns: AccountExport,
    errors: ['user_not_found', 'export_running'],
  },
  remove: {
    method: 'delete',
    path: '/api/users/{id}',
    access: 'admin',
    proof: true,
    names: 'instance',
    status: 202,
    summary:
      'Delete an account and everything in it, permanently. Sessions and API tokens are revoked before this returns',
    params: ById,
    query: z.strictObject({ despiteTransfers: z.enum(['true', 'false']).default('false') }),
    returns: Nothing,
    errors: ['user_not_found', 'own_account', 'last_administrator', 'transfers_open'],
  },
})

export const accountDataArea = area(accountDataDescription, {
  routes: accountDataRoutes,
  shapes: { AccountExport, LostThings, Removal, RemovalCounts },
})
