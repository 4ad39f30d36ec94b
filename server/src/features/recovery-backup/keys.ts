/** The keys of the backups of this instance, sealed in its database, and what is known of the recovery key. */
import { createHash, randomInt } from 'node:crypto'
import type { RecoveryKey } from '@atrium/contract/recovery-backup'
import { z } from 'zod'
import {
  BackupFailure,
  type BackupKeys,
  makeBackupKeys,
  openBackupKeys,
  readBackupKeys,
  replaceRecoveryKey,
  type OperatorWishes,
  storeBackupKeys,
  withFormerKeys,
  withOperatorWishes,
  writeBackupKeys,
} from '../../platform/backups/index.ts'
import { type Destination, DestinationFailure } from '../../platform/backups/destinations/destination.ts'
import { fail } from '../../platform/http/refusal.ts'
import type { Platform } from '../../platform/platform.ts'
import { fingerprintOf } from '../../platform/vault/instance-key.ts'

const Document = z.object({
  /** As `writeBackupKeys` gives them; null before the first backup. */
  keys: z.string().nullable().default(null),
  /** Of the recovery key that was shown last; null: nobody has seen one. Times in milliseconds. */
  shown: z
    .strictObject({
      madeAt: z.number(),
      confirmedAt: z.number().nullable(),
      /** The group that is asked for, from 0, and a digest by which it is known. */
      group: z.number().int(),
      digest: z.string(),
    })
    .nullable()
    .default(null),
  /** For which instance key and for whom all destinations have the keys. */
  storedFor: z.string().nullable().default(null),
})
type Document = z.infer<typeof Document>

/** The page asks for a group of the kit after so long. */
export const askAfterMs = 7 * 24 * 3600_000

export interface KeysDeps extends Pick<Platform, 'clock' | 'saved'> {
  readonly instanceKey: Buffer
  readonly wishes: OperatorWishes
  /** Those before it. */
  readonly formerKeys: () => Promise<readonly Buffer[]>
  readonly openAll: () => Promise<readonly { readonly destination: Destination }[]>
}

export const createKeys = ({ clock, saved, instanceKey, wishes, formerKeys, openAll }: KeysDeps) => {
  const document = saved.document('backup-keys', Document)

  /** Keys that lie at a destination already, as `npm run backup` makes them. */
  const adopt = async (): Promise<BackupKeys | null> => {
    for (const { destination } of await openAll())
      try {
        return (await openBackupKeys(destination, { instanceKey, former: await formerKeys() })).keys
      } catch (error) {
        if (!(error instanceof BackupFailure) && !(error instanceof DestinationFailure)) throw error
      }
    return null
  }

  const keys = async (): Promise<BackupKeys | null> => {
    const { keys: text } = await document.read()
    return text === null ? null : await complete(readBackupKeys(text))
  }
  const complete = async (known: BackupKeys) => withOperatorWishes(withFormerKeys(known, await formerKeys()), wishes)

  const storedFor = [fingerprintOf(instanceKey), wishes.BACKUP_ESCROW, ...(wishes.BACKUP_RECIPIENTS ?? [])]
    .join(' ')
    .trim()
  const isStale = async (): Promise<boolean> => {
    const before = await document.read()
    return before.keys !== null && before.storedFor !== storedFor
  }

  /** Whether all destinations have them. */
  const storeEverywhere = async (known: BackupKeys): Promise<boolean> => {
    let all = true
    for (const { destination } of await openAll())
      await storeBackupKeys(destination, known, instanceKey).catch((error: unknown) => {
        if (!(error instanceof DestinationFailure)) throw error
        all = false
      })
    return all
  }

  const toRecoveryKey = ({ keys: text, shown }: Document): RecoveryKey => {
    const known = text === null ? null : withOperatorWishes(readBackupKeys(text), wishes)
    const opens = {
      escrow: known?.escrow ?? wishes.BACKUP_ESCROW ?? true,
      recipients: [...(known?.recipients.slice(1) ?? wishes.BACKUP_RECIPIENTS ?? [])],
    }
    const none = { madeAt: null, confirmedAt: null, askGroup: null, ...opens }
    if (text === null) return { state: 'none', ...none }
    if (shown === null) return { state: 'unseen', ...none }
    const { madeAt, confirmedAt, group } = shown
    return {
      state: confirmedAt === null ? 'unconfirmed' : 'confirmed',
      madeAt: new Date(madeAt).toISOString(),
      confirmedAt: confirmedAt === null ? null : new Date(confirmedAt).toISOString(),
      ...opens,
      askGroup: confirmedAt === null && clock.now() - madeAt >= askAfterMs ? group + 1 : null,
    }
  }

  return {
    keys,
    status: async (): Promise<RecoveryKey> => toRecoveryKey(await document.read()),
    /** The keys for the next backup; new ones where there are none. */
    async require(): Promise<BackupKeys> {
      const known = (await keys()) ?? (await adopt()) ?? (await makeBackupKeys()).keys
      const { keys: text } = await document.change((before) => ({
        ...before,
        keys: before.keys ?? writeBackupKeys(known),
      }))
      return await complete(text === null ? known : readBackupKeys(text))
    },
    /** Seals those that lie at the destinations for the instance key of today, once after it was replaced. */
    async refresh(): Promise<void> {
      const known = (await isStale()) ? await keys() : null
      if (known !== null && (await storeEverywhere(known)))
        await document.change((before) => ({ ...before, storedFor }))
    },
    isStale,
    /** Another recovery key, shown once; those that lie at the destinations open with it from now on. */
    async makeRecoveryKey(): Promise<RecoveryKey & { recoveryKey: string }> {
      const { keys: next, recoveryKey } = await replaceRecoveryKey(await this.require())
      const groups = recoveryKey.split('-')
      const group = randomInt(groups.length)
      const digest = digestOf(next.set, groups[group] ?? '')
      const shown = { madeAt: clock.now(), confirmedAt: null, group, digest }
      const after = await document.change((before) => ({ ...before, keys: writeBackupKeys(next), shown }))
      // A place that is away gets them with the next backup; the key must be shown all the same.
      await storeEverywhere(withOperatorWishes(next, wishes))
      return { ...toRecoveryKey(after), recoveryKey }
    },
    async confirm(written: string): Promise<RecoveryKey> {
      const after = await document.change((before) => {
        if (before.keys === null || before.shown === null) throw fail('recovery_key_missing')
        const { set } = readBackupKeys(before.keys)
        if (digestOf(set, written) !== before.shown.digest) throw fail('recovery_key_wrong')
        return { ...before, shown: { ...before.shown, confirmedAt: clock.now() } }
      })
      return toRecoveryKey(after)
    },
  }
}
export type Keys = ReturnType<typeof createKeys>

/** People write the letters that look like digits, and small ones. */
const digestOf = (set: string, group: string): string => {
  const plain = group.toUpperCase().replace(/[\s-]/g, '').replaceAll('O', '0').replace(/[IL]/g, '1')
  return createHash('sha256').update(`${set} ${plain}`).digest('hex')
}
