/** A place of backups, as it is named on the command line or by the environment. */
import { resolve } from 'node:path'
import {
  addressOf,
  environmentPlaces,
  openPlace as openDestination,
  readPlaceValues,
} from '../../platform/backups/destinations/environment.ts'
import type { Destination } from '../../platform/backups/destinations/destination.ts'
import { openFolder } from '../../platform/backups/destinations/folder.ts'
import { BackupFailure } from '../../platform/backups/index.ts'
import { createLog } from '../../platform/log/log.ts'
import { hostAndPort } from '../../platform/outbound/destination.ts'
import { createOutbound } from '../../platform/outbound/outbound.ts'
import type { Config } from '../config.ts'

/**
 * `given`: a folder; `folder:`, `s3:` or `webdav:` for what the environment names so; without it, what the environment
 * names alone. `option` is what it was given with, for the words. Throws BackupFailure `refused`.
 */
export const openPlace = (config: Config, given: string | undefined, option: string): Destination => {
  const word = /^(folder|s3|webdav):$/.exec(given ?? '')?.[1]
  if (given && word === undefined) return openFolder(resolve(given))
  const all = environmentPlaces(readPlaceValues(config.readVariable))
  const places = word === undefined ? all : all.filter(({ place }) => place.kind === word)
  const [one, another] = places
  if (!one)
    throw new BackupFailure(
      'refused',
      `Say where the backups are kept: ${option} <folder>, or set BACKUP_FOLDER, BACKUP_S3_BUCKET or BACKUP_WEBDAV_URL.`,
    )
  if (another)
    throw new BackupFailure(
      'refused',
      `The environment names several places. Choose one: ${places.map(({ place }) => `${option} ${place.kind}:`).join(', ')}.`,
    )
  const address = addressOf(one.place)
  // What the operator names may be in a private network.
  const allowed = new Set(address === null ? [] : [hostAndPort(address)])
  const outbound = createOutbound({ allowed: () => allowed, log: createLog({ level: 'silent' }) })
  return openDestination(one, { outbound, now: Date.now })
}
