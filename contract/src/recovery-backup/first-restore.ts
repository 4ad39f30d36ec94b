/** A restore over the first-run page, while there is no account yet. */
import { z } from 'zod'
import { Nothing } from '../common.ts'
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
  'several',
  'failed',
] as const

export const FirstRestore = z.strictObject({
  /** `unavailable`: there are accounts, or this server does not restore by itself. `restored`: it begins anew with it. */
  state: z.enum(['unavailable', 'waiting', 'running', 'failed', 'restored']),
  step: z.enum(['check', 'load', 'compare']).nullable(),
  /** Of this step, so far. */
  rows: z.number().int().min(0),
  reason: z.enum(firstRestoreReasons).nullable(),
  /** Of a mistyped recovery key, counted from 1. */
  wrongGroups: z.array(z.number().int()),
})
export type FirstRestore = z.infer<typeof FirstRestore>

export const firstRestoreRoutes = routes({
  firstRestore: {
    method: 'get',
    path: '/api/recovery/first-restore',
    access: 'public',
    noStore: true,
    summary: 'How far a restore before the first account is',
    returns: FirstRestore,
  },
  sendBackupObject: {
    method: 'post',
    path: '/api/recovery/first-restore/objects',
    access: 'public',
    limit: 'read',
    summary: 'Send one file of a backup, by its path from the folder of 16 hexadecimal digits on',
    query: z.strictObject({ name: z.string().min(1).max(200) }),
    upload: { maxBytes: maxBackupObjectBytes },
    returns: Nothing,
    errors: ['first_restore_unavailable', 'first_restore_running', 'storage_full', 'too_large'],
  },
  beginFirstRestore: {
    method: 'post',
    path: '/api/recovery/first-restore',
    access: 'public',
    limit: 'connect',
    status: 202,
    summary: 'Check what was sent and restore it; the server begins anew with it',
    body: z.strictObject({ key: z.string().trim().min(1).max(4000) }),
    returns: FirstRestore,
    errors: ['first_restore_unavailable', 'first_restore_running'],
  },
  dropFirstRestore: {
    method: 'delete',
    path: '/api/recovery/first-restore',
    access: 'public',
    summary: 'Forget what was sent',
    returns: Nothing,
    errors: ['first_restore_unavailable', 'first_restore_running'],
  },
})
