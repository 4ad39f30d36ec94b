/** The keys of the backups of this instance, sealed in its database, and what is known of the recovery key. */
import { createHash, randomInt } from 'node:crypto'
import type { RecoveryKey } from '@atrium/contract/recovery-backup'
import { z } from 'zod'
import {
  type BackupKeys,
  isKnownFailure,
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
import type { Destination } from '../../platform/backups/destinations/destination.ts'
import { fail } from '../../platform/http/refusal.ts'
import { inTime } from './in-time.ts'
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
  /** Which keys each destination has, by its id, as `signOf` says. */
  stored: z.record(z.string(), z.string()).default({}),
})
type Document = z.infer<typeof Document>

/** The page asks for a group of the kit after so long. */
export const askAfterMs = 7 * 24 * 3600_000

export interface KeysDeps extends Pick<Platform, 'clock' | 'saved'> {
  readonly instanceKey: Buffer
  readonly wishes: OperatorWishes
  /** Those before it. */
  readonly formerKeys: () => Promise<readonly Buffer[]>
  readonly openAll: () => Promise<readonly Place[]>
  /** How long a destination may take while somebody waits for a recovery key (default 10 seconds). */
  readonly storeMs?: number | undefined
}

interface Place {
  readonly id: string
  readonly name: string
  readonly destination: Destination
}

/** Nobody waits for it but the schedule. */
const refreshMs = 60_000
/** To find keys that lie there; with those that are stored it is less than a proxy waits for an answer. */
const adoptMs = 30_000

export const createKeys = (deps: KeysDeps) => {
  const { clock, saved, instanceKey, wishes, formerKeys, openAll, storeMs = 10_000 } = deps
  const document = saved.document('backup-keys', Document)

  /** Keys that lie at a destination already, as `npm run backup` makes them. */
  const adopt = async (): Promise<BackupKeys | null> => {
    const secret = { instanceKey, former: await formerKeys() }
    const found = await Promise.all(
      (await openAll()).map(({ destination }) =>
        inTime(adoptMs, undefined, () => openBackupKeys(destination, secret)).catch(passExpected),
      ),
    )
    return found.find((one) => one !== null)?.keys ?? null
  }

  const keys = async (): Promise<BackupKeys | null> => {
    const { keys: text } = await document.read()
    return text === null ? null : await complete(readBackupKeys(text))
  }
  const complete = async (known: BackupKeys) => withOperatorWishes(withFormerKeys(known, await formerKeys()), wishes)

  /** Tells keys as they lie at a destination apart: for which instance key and for whom they are. */
  const signOf = ({ set, escrow, recipients }: BackupKeys): string =>
    createHash('sha256')
      .update([fingerprintOf(instanceKey), set, escrow, ...recipients].join(' '))
      .digest('hex')

  /** The destinations that do not have the keys of today. */
  const placesWithout = async ({ keys: text, stored }: Document): Promise<readonly Place[]> => {
    if (text === null) return []
    const sign = signOf(withOperatorWishes(readBackupKeys(text), wishes))
    return (await openAll()).filter(({ id }) => stored[id] !== sign)
  }

  const noteStored = async (ids: readonly string[], known: BackupKeys): Promise<Document> => {
    const sign = signOf(known)
    return await document.change((before) => ({
      ...before,
      stored: { ...before.stored, ...Object.fromEntries(ids.map((id) => [id, sign])) },
    }))
  }

  /** Side by side, and each for so long: one that is away or does not keep what it is given holds up none of the others. */
  const store = async (known: BackupKeys, places: readonly Place[], waitMs: number): Promise<void> => {
    const ids = await Promise.all(
      places.map(({ id, destination }) =>
        inTime(waitMs, undefined, (signal) => storeBackupKeys(destination, known, instanceKey, signal))
          .then(() => id)
          .catch(passExpected),
      ),
    )
    const ended = ids.filter((id) => id !== null)
    if (ended.length > 0) await noteStored(ended, known)
  }

  const toRecoveryKey = async (known: Document): Promise<RecoveryKey> => {
    const { keys: text, shown } = known
    const missingAt = shown === null ? [] : (await placesWithout(known)).map(({ name }) => name)
    const own = text === null ? null : withOperatorWishes(readBackupKeys(text), wishes)
    const opens = {
      missingAt,
      escrow: own?.escrow ?? wishes.BACKUP_ESCROW ?? true,
      recipients: [...(own?.recipients.slice(1) ?? wishes.BACKUP_RECIPIENTS ?? [])],
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
    status: async (): Promise<RecoveryKey> => await toRecoveryKey(await document.read()),
    /** The keys for the next backup; new ones where there are none. */
    async require(): Promise<BackupKeys> {
      const known = (await keys()) ?? (await adopt()) ?? (await makeBackupKeys()).keys
      const { keys: text } = await document.change((before) => ({
        ...before,
        keys: before.keys ?? writeBackupKeys(known),
      }))
      return await complete(text === null ? known : readBackupKeys(text))
    },
    /** Puts them where they are not yet: after the instance key or the recovery key was replaced, and at a new destination. */
    async refresh(): Promise<void> {
      const known = await keys()
      const places = await placesWithout(await document.read())
      if (known !== null && places.length > 0) await store(known, places, refreshMs)
    },
    isStale: async (): Promise<boolean> => (await placesWithout(await document.read())).length > 0,
    /** Says that a destination has these: whoever stored older ones meanwhile is found out by it. */
    async noteStored(id: string, known: BackupKeys): Promise<void> {
      const { stored } = await document.read()
      if (stored[id] !== signOf(known)) await noteStored([id], known)
    },
    /** For a destination that is gone, or is another place from now on. */
    async forget(id: string): Promise<void> {
      await document.change(({ stored: { [id]: _, ...stored }, ...rest }) => ({ ...rest, stored }))
    },
    /** Another recovery key, shown once; those that lie at the destinations open with it from now on. */
    async makeRecoveryKey(): Promise<RecoveryKey & { recoveryKey: string }> {
      const { keys: next, recoveryKey } = await replaceRecoveryKey(await this.require())
      const groups = recoveryKey.split('-')
      const group = randomInt(groups.length)
      const digest = digestOf(next.set, groups[group] ?? '')
      const shown = { madeAt: clock.now(), confirmedAt: null, group, digest }
      await document.change((before) => ({ ...before, keys: writeBackupKeys(next), shown }))
      // A place that is away gets them later, and is named until then; the key must be shown all the same.
      await store(withOperatorWishes(next, wishes), await openAll(), storeMs)
      return { ...(await toRecoveryKey(await document.read())), recoveryKey }
    },
    async confirm(written: string): Promise<RecoveryKey> {
      const after = await document.change((before) => {
        if (before.keys === null || before.shown === null) throw fail('recovery_key_missing')
        const { set } = readBackupKeys(before.keys)
        if (digestOf(set, written) !== before.shown.digest) throw fail('recovery_key_wrong')
        return { ...before, shown: { ...before.shown, confirmedAt: clock.now() } }
      })
      return await toRecoveryKey(after)
    },
  }
}
export type Keys = ReturnType<typeof createKeys>

/** What a destination may do; anything else is a fault. */
const passExpected = (error: unknown): null => {
  if (isKnownFailure(error)) return null
  throw error
}

/** People write the letters that look like digits, and small ones. */
const digestOf = (set: string, group: string): string => {
  const plain = group.toUpperCase().replace(/[\s-]/g, '').replaceAll('O', '0').replace(/[IL]/g, '1')
  return createHash('sha256').update(`${set} ${plain}`).digest('hex')
}
