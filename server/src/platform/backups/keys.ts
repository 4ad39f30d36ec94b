/**
 * The keys of a set of backups. One random key opens all of them. It lies beside them, sealed for the instance, and as an
 * age file (age-encryption.org) for the recovery key and for whoever else the operator names; that file holds the
 * instance key, too, unless it is to be kept out.
 */
import { createHash, createSecretKey, hkdfSync, type KeyObject, randomBytes, webcrypto } from 'node:crypto'
import { z } from 'zod'
import { loadPackage } from '../load-package.ts'
import { BackupFailure } from './failure.ts'
import type { Destination } from './destinations/destination.ts'
import { writeForSure } from './manifest.ts'
import { readRecoveryKey, writeRecoveryKey } from './recovery-key.ts'
import { openObject, sealObject } from './seal.ts'

/** Keep it secret: it opens every backup of its set. */
export interface BackupKeys {
  /** Names the set of backups, and the folder of a destination that it has for itself. 16 hexadecimal digits. */
  readonly set: string
  /** 32 bytes. */
  readonly root: Buffer
  /** Of age; the first one is that of the recovery key. */
  readonly recipients: readonly string[]
  /** Whether the instance key travels with the backups, for the recipients. */
  readonly escrow: boolean
  /** Instance keys of before, 32 bytes each: older backups hold rows that were wrapped for them. */
  readonly former: readonly Buffer[]
}

/** With what backups are opened. */
export type BackupSecret =
  /** `former`: those that it took the place of; what they open counts as its own. */
  | { readonly instanceKey: Buffer; readonly former?: readonly Buffer[] }
  /** As it is written in the kit. */
  | { readonly recoveryKey: string }
  /** Of one of the recipients, `AGE-SECRET-KEY-…`. */
  | { readonly identity: string }

/** Makes keys for the first backup. `recoveryKey` is told once, to the operator, and kept nowhere. */
export const makeBackupKeys = async ({
  recipients = [],
  escrow = true,
}: {
  readonly recipients?: readonly string[]
  readonly escrow?: boolean
} = {}): Promise<{ keys: BackupKeys; recoveryKey: string }> => {
  const secret = randomBytes(32)
  const own = await age().identityToRecipient(await identityOf(secret))
  const keys = {
    set: randomBytes(8).toString('hex'),
    root: randomBytes(32),
    recipients: [own, ...recipients],
    escrow,
    former: [],
  }
  return { keys, recoveryKey: writeRecoveryKey(secret) }
}

/** The same backups with another recovery key, which is told once; the former one opens nothing that is written later. */
export const replaceRecoveryKey = async (keys: BackupKeys): Promise<{ keys: BackupKeys; recoveryKey: string }> => {
  const secret = randomBytes(32)
  const own = await age().identityToRecipient(await identityOf(secret))
  return { keys: { ...keys, recipients: [own, ...keys.recipients.slice(1)] }, recoveryKey: writeRecoveryKey(secret) }
}

/** Whether a recovery key is the one of these backups. Throws BackupFailure `mistyped`. */
export const isRecoveryKeyOf = async (keys: BackupKeys, recoveryKey: string): Promise<boolean> =>
  (await age().identityToRecipient(await identityOf(readRecoveryKey(recoveryKey)))) === keys.recipients[0]

/** Throws BackupFailure `refused` for what age does not know as a recipient. */
export const checkRecipient = (recipient: string): void => {
  try {
    ;new (age().Encrypter)().addRecipient(recipient)
  } catch (error) {
    throw new BackupFailure('refused', `${recipient.slice(0, 80)} is no recipient of age.`, { cause: error })
  }
}

/** For keeping keys where only the instance can open them. */
export const writeBackupKeys = ({ set, root, recipients, escrow, former }: BackupKeys): string =>
  JSON.stringify({
    set,
    root: root.toString('base64'),
    recipients,
    escrow,
    former: former.map((key) => key.toString('base64')),
  })

export const readBackupKeys = (text: string): BackupKeys => {
  const { root, former, ...rest } = KeysText.parse(JSON.parse(text))
  return { ...rest, root: Buffer.from(root, 'base64'), former: former.map((key) => Buffer.from(key, 'base64')) }
}

/** The same backups, which rows are in that these instance keys wrapped, too. */
export const withFormerKeys = (keys: BackupKeys, former: readonly Buffer[]): BackupKeys => {
  const added = former.filter((key, at) => ![...keys.former, ...former.slice(0, at)].some((one) => one.equals(key)))
  return added.length === 0 ? keys : { ...keys, former: [...keys.former, ...added] }
}

/**
 * Puts the keys, sealed for the instance key of today, where the backups are; leaves them alone where they lie so already.
 * Former instance keys that only the place knows stay there.
 */
export const storeBackupKeys = async (
  destination: Destination,
  wanted: BackupKeys,
  instanceKey: Buffer,
  signal?: AbortSignal,
): Promise<void> => {
  const name = keysName(wanted.set)
  const known = await destination.read(name, signal)
  const present = known ? openForInstance(known, wanted.set, instanceKey) : null
  const before = wanted.former.map((key) => known && openForInstance(known, wanted.set, key)).find((one) => one)
  const kept = [present, before].flatMap((one) => (one ? readBackupKeys(one.text).former : []))
  const all = withFormerKeys(withFormerKeys({ ...wanted, former: [] }, kept), wanted.former)
  const keys = { ...all, former: all.former.filter((key) => !key.equals(instanceKey)) }
  const text = writeBackupKeys(keys)
  if (present?.whole && present.text === text) return
  const encrypter = new (age().Encrypter)()
  for (const recipient of keys.recipients) encrypter.addRecipient(recipient)
  // Without the instance key its predecessors do not travel either.
  const escrowed = keys.escrow
    ? { keys: text, instanceKey: instanceKey.toString('base64') }
    : { keys: writeBackupKeys({ ...keys, former: [] }), instanceKey: null }
  const envelope = base64(await encrypter.encrypt(JSON.stringify(escrowed)))
  // The digest shows whether somebody put another envelope there, which the kit would not open.
  const own = JSON.stringify({ keys: text, envelope: digestOf(envelope) })
  const file = {
    format: 'atrium-backup-keys',
    version: 1,
    instance: base64(sealObject(instanceWrap(instanceKey), name, Buffer.from(own))),
    recipients: envelope,
  }
  await writeForSure(destination, name, Buffer.from(JSON.stringify(file)), signal)
}

/**
 * Opens the keys of a destination with one of the secrets; `instanceKey` is null where it does not travel with the
 * backups. `set` chooses where the same secret opens several. Throws BackupFailure `key`, `missing`, `mistyped`.
 */
export const openBackupKeys = async (
  destination: Destination,
  secret: BackupSecret,
  set?: string,
): Promise<{ keys: BackupKeys; instanceKey: Buffer | null }> => {
  const found: { keys: BackupKeys; instanceKey: Buffer | null }[] = []
  let sets = 0
  for await (const { name } of destination.list(set === undefined ? '' : `${set}/`)) {
    const match = /^([0-9a-f]{16})\/keys$/.exec(name)
    if (!match?.[1]) continue
    sets += 1
    const bytes = await destination.read(name)
    const opened = bytes && (await openKeysFile(bytes, match[1], secret))
    if (opened) found.push(opened)
  }
  const [first, second] = found
  if (first && second)
    throw new BackupFailure(
      'refused',
      `This key opens backups of several instances. Choose one with --set: ${found.map(({ keys }) => keys.set).join(', ')}.`,
    )
  if (first) return first
  throw sets === 0
    ? new BackupFailure('missing', 'There are no backups at this destination.')
    : new BackupFailure('key', 'This key doesn’t open the backups at this destination. They belong to another key.')
}

/** What objects are sealed with, and what the names of chunks are made with. */
export const deriveBackupKeys = ({ root }: BackupKeys): { objects: KeyObject; names: KeyObject } => ({
  objects: derive(root, 'atrium/backup/objects'),
  names: derive(root, 'atrium/backup/names'),
})

export const keysName = (set: string): string => `${set}/keys`

const KeysText = z.strictObject({
  set: z.string().regex(/^[0-9a-f]{16}$/),
  root: z.base64().length(44),
  recipients: z.array(z.string()).min(1),
  escrow: z.boolean(),
  former: z.array(z.base64().length(44)).default([]),
})
const KeysFile = z.object({
  format: z.literal('atrium-backup-keys'),
  version: z.literal(1),
  instance: z.base64(),
  recipients: z.base64(),
})
const OwnText = z.object({ keys: z.string(), envelope: z.string() })
const Escrowed = z.object({ keys: z.string(), instanceKey: z.base64().length(44).nullable() })

const openKeysFile = async (
  bytes: Uint8Array,
  set: string,
  secret: BackupSecret,
): Promise<{ keys: BackupKeys; instanceKey: Buffer | null } | null> => {
  if ('instanceKey' in secret) {
    const { instanceKey, former = [] } = secret
    for (const key of [instanceKey, ...former]) {
      const own = openForInstance(bytes, set, key)
      if (own) return { keys: withFormerKeys(readBackupKeys(own.text), former), instanceKey }
    }
    return null
  }
  const file = parseKeysFile(bytes)
  if (!file) return null
  const decrypter = new (age().Decrypter)()
  decrypter.addIdentity('identity' in secret ? secret.identity : await identityOf(readRecoveryKey(secret.recoveryKey)))
  try {
    const text = await decrypter.decrypt(Buffer.from(file.recipients, 'base64'), 'text')
    const { keys, instanceKey } = Escrowed.parse(JSON.parse(text))
    const opened = readBackupKeys(keys)
    if (opened.set !== set) return null
    return { keys: opened, instanceKey: instanceKey === null ? null : Buffer.from(instanceKey, 'base64') }
  } catch {
    // Of another instance, or damaged: the same for whoever has but this key.
    return null
  }
}

/** `whole`: the envelope for the recipients is the one that was written with it. */
const openForInstance = (
  bytes: Uint8Array,
  set: string,
  instanceKey: Buffer,
): { text: string; whole: boolean } | null => {
  const file = parseKeysFile(bytes)
  if (!file) return null
  try {
    const own = openObject(instanceWrap(instanceKey), keysName(set), Buffer.from(file.instance, 'base64')).toString()
    const { keys, envelope } = OwnText.parse(JSON.parse(own))
    return readBackupKeys(keys).set === set ? { text: keys, whole: envelope === digestOf(file.recipients) } : null
  } catch (error) {
    if (error instanceof BackupFailure) return null
    throw error
  }
}

const parseKeysFile = (bytes: Uint8Array): z.infer<typeof KeysFile> | null => {
  try {
    return KeysFile.parse(JSON.parse(Buffer.from(bytes).toString('utf8')))
  } catch {
    // What cannot be read opens nothing.
    return null
  }
}

const digestOf = (text: string): string => createHash('sha256').update(text).digest('hex')

const derive = (root: Buffer, purpose: string): KeyObject =>
  createSecretKey(Buffer.from(hkdfSync('sha256', root, 'atrium', purpose, 32)))

const instanceWrap = (instanceKey: Buffer): KeyObject => derive(instanceKey, 'atrium/backup')

/** The 32 bytes of an X25519 key in the form in which they are imported (RFC 8410). */
const identityOf = (secret: Buffer): Promise<webcrypto.CryptoKey> =>
  webcrypto.subtle.importKey(
    'pkcs8',
    Buffer.concat([Buffer.from('302e020100300506032b656e04220420', 'hex'), secret]),
    { name: 'X25519' },
    false,
    ['deriveBits'],
  )

const age = () => loadPackage('age-encryption')

const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64')
