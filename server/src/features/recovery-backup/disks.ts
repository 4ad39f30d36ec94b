/** On which disk a folder lies. */
import { stat } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { createBoundedRead } from '../../platform/machine/bounded-read.ts'
import { type ReadFileSystem, readFileSystem } from '../../platform/machine/file-system.ts'

const waitMs = 3000

/**
 * Whether a folder, or the nearest one above that is there, lies on the disk of another; null where that cannot be told,
 * as one of them does not answer.
 */
export const isOnDisk = async (path: string, other: string, look = readFileSystem): Promise<boolean | null> => {
  const ask = (folder: string) => createBoundedRead(() => deviceOf(resolve(folder), look), waitMs)()
  const [one, two] = await Promise.all([ask(path), ask(other)])
  return one === null || two === null ? null : one === two
}

const deviceOf = async (path: string, look: ReadFileSystem): Promise<number | null> => {
  try {
    await look(path)
    return (await stat(path)).dev
  } catch {
    // Not there, or not to be looked at: the folder above may be.
    return dirname(path) === path ? null : await deviceOf(dirname(path), look)
  }
}
