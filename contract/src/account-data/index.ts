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
    summary: 'What goes when the own account is deleted',
    returns: Removal,
  },
  removeOwn: {
    method: 'delete',
    path: '/api/users/me',
    access: 'user',
    limit: 'sign-in',
    status: 202,
    summary: 'Delete the own account with all it has, at once and for good',
    body: Proof.extend({ despiteTransfers: z.boolean().default(false) }),
    returns: Nothing,
    errors: ['wrong_password', 'wrong_code', 'proof_needed', 'last_administrator', 'transfers_open'],
  },
  ownStorage: {
    method: 'get',
    path: '/api/users/me/storage',
    access: 'user',
    summary: 'What the own account keeps in files: by kind, and the largest',
    returns: Storage,
  },
  accountStorage: {
    method: 'get',
    path: '/api/users/storage',
    access: 'admin',
    summary: 'How much accounts keep in files, the 200 with the most first',
    returns: z.strictObject({
      items: z.array(z.strictObject({ id: Id, name: z.string(), bytes: z.number().int() })),
      nextCursor: z.null(),
    }),
  },
  ownExports: {
    method: 'get',
    path: '/api/users/me/exports',
    access: 'user',
    summary: 'Exports of the own account, newest first',
    returns: z.strictObject({ items: z.array(AccountExport), nextCursor: z.null() }),
  },
  exportOwn: {
    method: 'post',
    path: '/api/users/me/export',
    access: 'user',
    limit: 'account',
    status: 202,
    summary: 'Have one archive made of everything the own account has',
    returns: AccountExport,
    errors: ['export_running'],
  },
  ownExport: {
    method: 'get',
    path: '/api/users/me/exports/{id}/content',
    access: 'user',
    names: 'own',
    noStore: true,
    summary: 'The archive of an own export',
    params: ById,
    returns: bytes,
    errors: ['export_not_found'],
  },
  removeExport: {
    method: 'delete',
    path: '/api/users/me/exports/{id}',
    access: 'user',
    names: 'own',
    summary: 'Delete an own export',
    params: ById,
    returns: Nothing,
    errors: ['export_not_found'],
  },
  removal: {
    method: 'get',
    path: '/api/users/{id}/removal',
    access: 'admin',
    names: 'instance',
    summary: 'What goes when an account is deleted: counts, never contents',
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
    summary: 'Set the day on which an account is deleted. Until then its owner can sign in and take an export along',
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
    summary: 'Keep an account that was going to be deleted',
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
    summary: 'Have an archive made for an account. Its owner finds it in the settings, and alone can open it',
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
    summary: 'Delete an account with all it has, at once and for good. Sign-in and tokens end before this answers',
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
