/** The key of the SQLite file, for commands: while the instance key is replaced, it may still be that of the one before. */
import { findFileKey } from '../../platform/db/sqlite/rekey.ts'
import type { InstanceKey } from '../../platform/vault/instance-key.ts'
import { sqliteKey } from '../../platform/vault/keys.ts'

/** That of the present key where neither opens the file: whoever opens it then says so. */
export const fileKeyOf = (file: string, { key, previous }: Pick<InstanceKey, 'key' | 'previous'>): Buffer =>
  (previous && findFileKey(file, [sqliteKey(key), sqliteKey(previous)])) ?? sqliteKey(key)
