/** `npm run rotate-key`: another instance key in the place of the present one. */
import { parseArgs } from 'node:util'
import type { Destination } from '../../platform/backups/destinations/destination.ts'
import { isKnownFailure, openBackupKeys, storeBackupKeys } from '../../platform/backups/index.ts'
import { fingerprintOf } from '../../platform/vault/instance-key.ts'
import type { Config } from '../config.ts'
import { type DataKeyResult, type DataKeyStep, replaceDataKeys } from './data-keys.ts'
import { everySecond } from './every-second.ts'
import { openPlace } from './place.ts'
import { type Rotation, rotateInstanceKey, RotationFailure } from './rotate.ts'
import { readSecretFile, secretOf } from './secret.ts'

export const rotateHelp = `npm run rotate-key -- [--key <file>] [--backups <place>]… [--json]
                      --data-keys [--json]
  --key   a file with the new key, 64 hexadecimal digits; - for standard input; without it one is made
  --backups  where backups are kept that this instance does not make by itself; may be given several times
  --data-keys  replace the data keys of all accounts instead: all they have is sealed anew; the server must be stopped
  --json  the result as JSON
  Where ENCRYPTION_KEY gives the key: give the new one as ENCRYPTION_KEY, the present one as ENCRYPTION_KEY_PREVIOUS.
  With SQLite the server must be stopped; with PostgreSQL it goes on. Interrupted, run it again.`

/** `write` takes what goes to standard output. Throws RotationFailure and VaultFailure. */
export const runRotation = async (
  args: readonly string[],
  config: Config,
  write: (text: string) => void,
  tell: (text: string) => void = () => undefined,
): Promise<void> => {
  const { values } = parseArgs({
    args: [...args],
    options: {
      key: { type: 'string' },
      backups: { type: 'string', multiple: true, default: [] },
      'data-keys': { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
    },
  })
  if (values['data-keys']) {
    if (values.key !== undefined || values.backups.length > 0)
      throw new RotationFailure(
        'Data keys are random, and backups keep those of their day: leave out --key and --backups.',
        true,
      )
    const result = await replaceDataKeys({ config, now: Date.now, onProgress: everySecond(progressReporter(tell)) })
    write(values.json ? JSON.stringify(result, null, 2) : describeDataKeys(result))
    return
  }
  const places = values.backups.map((place) => ({ place, destination: openPlace(config, place, '--backups') }))
  const newKey = values.key === undefined ? undefined : await readKey(values.key)
  const rotation = await rotateInstanceKey({ config, newKey, now: Date.now })
  const { rewrapped, unreadable, foreignSnapshots } = rotation
  const problems: string[] = []
  for (const { place, destination } of places)
    await storeKeysAt(destination, rotation).catch((error: unknown) => {
      if (!isKnownFailure(error)) throw error
      problems.push(`The keys of the backups at ${place} were not sealed anew: ${error.message}`)
    })
  const fingerprints = { from: fingerprintOf(rotation.from), to: fingerprintOf(rotation.to) }
  write(
    values.json
      ? JSON.stringify({ ...fingerprints, rewrapped, unreadable, foreignSnapshots, problems }, null, 2)
      : [...describe(rotation, fingerprints), ...problems].join('\n'),
  )
}

const progressReporter =
  (tell: (text: string) => void) =>
  (step: DataKeyStep, values: number): void =>
    tell({ make: 'Making keys', seal: `Sealing anew: ${values} values`, destroy: 'Destroying the former keys' }[step])

const describeDataKeys = ({ owners, values, unreadable, keptOwners }: DataKeyResult): string => {
  const lines = [
    `${owners} new data ${owners === 1 ? 'key' : 'keys'} of accounts and channels; the former ones are destroyed. ${values} values were sealed anew.`,
  ]
  const broken = Object.entries(unreadable)
  if (broken.length > 0)
    lines.push(
      `These do not open, and stay as they are: ${broken.map(([name, count]) => `${name} (${count})`).join(', ')}.`,
    )
  if (keptOwners > 0) lines.push(`${keptOwners} of the accounts and channels keep their former keys for them.`)
  lines.push('Earlier copies and backups contain the former keys. The next backup sends what was encrypted again.')
  return lines.join('\n')
}

/** The keys of the backups at a place, sealed for the new key. */
const storeKeysAt = async (destination: Destination, { from, to }: Rotation): Promise<void> => {
  const { keys } = await openBackupKeys(destination, { instanceKey: to, former: [from] })
  await storeBackupKeys(destination, keys, to)
}

const readKey = async (path: string): Promise<Buffer> => {
  const secret = secretOf(await readSecretFile(path))
  if (!('instanceKey' in secret)) throw new RotationFailure('A key has 64 hexadecimal digits.', true)
  return secret.instanceKey
}

const describe = (
  { source, unreadable, foreignSnapshots }: Rotation,
  { from, to }: { from: string; to: string },
): string[] => {
  const lines = [`All opens with the new key ${to}; ${from} opens nothing here any more.`]
  if (unreadable > 0)
    lines.push(`${unreadable} data keys could be opened with neither: they were damaged before, and stay as they are.`)
  if (foreignSnapshots.length > 0)
    lines.push(
      `These copies of the database open with neither key, and stay as they are: ${foreignSnapshots.join(', ')}.`,
    )
  lines.push(
    source === 'environment'
      ? 'ENCRYPTION_KEY_PREVIOUS can go: start without it, one process after the other.'
      : 'It is in the file encryption.key. Replace your stored copy of the former key with it.',
  )
  lines.push('Backups that were made so far open with it from the next backup on, and with the recovery key as before.')
  return lines
}
