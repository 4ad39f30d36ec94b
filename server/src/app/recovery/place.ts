/** A place of backups, as it is named on the command line. */
import { resolve } from 'node:path'
import type { Destination } from '../../platform/backups/destinations/destination.ts'
import { openFolder } from '../../platform/backups/destinations/folder.ts'
import { BackupFailure } from '../../platform/backups/index.ts'

/** `option` is what it was given with, for the words. */
export const openPlace = (path: string | undefined, option: string): Destination => {
  if (path === undefined || path === '')
    throw new BackupFailure('refused', `Say where the backups are kept: ${option} <folder>.`)
  return openFolder(resolve(path))
}
