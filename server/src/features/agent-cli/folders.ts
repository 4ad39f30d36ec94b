/** What lies in the folder of all agents: for each chat with one its own, with the session to go on in, and who runs. */
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type KnownSession, readSession } from './words.ts'

/** The accounts that have folders. */
export const listAccounts = async (root: string): Promise<string[]> => {
  try {
    return await readdir(root)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}

/** Where the agents are noted that run. */
export const runningFolder = (root: string): string => join(root, 'running')

/** Where the session of a chat is kept between turns. */
export const knownFile = (root: string, key: string): string => join(root, key, 'session.json')

export const readKnown = async (root: string, key: string): Promise<KnownSession | null> => {
  try {
    return readSession(JSON.parse(await readFile(knownFile(root, key), 'utf8')))
  } catch {
    // There was no turn yet, or its file is of no use: a new session is begun.
    return null
  }
}
