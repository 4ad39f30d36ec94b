/** A restore over the first-run page, while there is no account yet. */
import { z } from 'zod'
import { Id, Nothing, Time } from '../common.ts'
import { routes } from '../route.ts'

/** Objects of backups are smaller, those of one value of a gigabyte left out. */
export const maxBackupObjectBytes = 64 * 1024 * 1024

const firstRestoreReasons = [
  'damaged',
  'full',
  'key',
  'key_elsewhere',
  'missing',
  'mistyped',
  'newer',
  'not_allowed',
  'several',
  'failed',
] as const

const failure = {
  reason: z.enum(firstRestoreReasons).nullable(),
  /** Of a mistyped recovery key, counted from 1. */
  wrongGroups: z.array(z.number().int()),
}

/** Backups that were sent, newest first; with a `reason`, why they cannot be told. */
export const SentBackups = z.strictObject({
  items: z.array(z.strictObject({ id: Id, createdAt: Time })),
  ...failure,
})
export type SentBackups = z.infer<typeof SentBackups>

export const FirstRestore = z.strictObject({
  /** `unavailable`: there are accounts, or this server does not restore by itself. `restored`: it begins anew with it. */
  state: z.enum(['unavailable', 'waiting', 'running', 'failed', 'restored']),
  step: z.enum(['check', 'load', 'compare']).nullable(),
  /** Of this step, so far. */
  rows: z.number().int().min(0),
  ...failure,
})
export type FirstRestore = z.infer<typeof FirstRestore>

const Key = z.string().trim().min(1).max(4000)

export const firstRestoreRoutes = routes({
  firstRestore: {
    method: 'get',
    path: '/api/recovery/first-restore',
    access: 'public',
    noStore: true,
    summary: 'Get the progress of a restore before the first account exists',
    returns: FirstRestore,
  },
  sendBackupObject: {
    method: 'post',
    path: '/api/recovery/first-restore/objects',
    access: 'public',
    limit: 'read',
    summary: 'Upload one file of a backup, by its path starting at the folder with 16 hexadecimal digits',
    query: z.strictObject({ name: z.string().min(1).max(200) }),
    upload: { maxBytes: maxBackupObjectBytes },
    returns: Nothing,
    errors: ['first_restore_unavailable', 'first_restore_running', 'storage_full', 'too_large'],
  },
  listSentBackups: {
    method: 'post',
    path: '/api/recovery/first-restore/backups',
    access: 'public',
    limit: 'connect',
    noStore: true,
    summary: 'List the uploaded backups that a key opens',
    body: z.strictObject({ key: Key }),
    returns: SentBackups,
    errors: ['first_restore_unavailable', 'first_restore_running'],
  },
  beginFirstRestore: {
    method: 'post',
    path: '/api/recovery/first-restore',
    access: 'public',
    limit: 'connect',
    status: 202,
    summary: 'Check the uploaded backup and restore it. The server restarts with it',
    /** `backupId`: one of those that were sent; without it the newest. */
    body: z.strictObject({ key: Key, backupId: Id.optional() }),
    returns: FirstRestore,
    errors: ['first_restore_unavailable', 'first_restore_running'],
  },
  dropFirstRestore: {
    method: 'delete',
    path: '/api/recovery/first-restore',
    access: 'public',
    summary: 'Delete the uploaded backup files',
    returns: Nothing,
    errors: ['first_restore_unavailable', 'first_restore_running'],
  },
})
