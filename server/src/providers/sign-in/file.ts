/** The sign-in file on disk: read as it is, written back whole or not at all, by one process at a time. */
import { randomUUID } from 'node:crypto'
import { open, readdir, readFile, realpath, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { asObject, type Json } from '../wires/json.ts'

const largestFile = 1024 * 1024
/** A refresh takes 30 s at most, so that an older lock was left by a process that died. */
const lockMs = 40_000
const lockLookMs = 50
const draftMs = 60_000

/** null where there is no such file, or nothing that can be read in it. */
export async function readSignInFile(path: string): Promise<Json | null> {
  try {
    if ((await stat(path)).size > largestFile) return null
    return asObject(JSON.parse(await readFile(path, 'utf8')))
  } catch (error) {
    if (error instanceof SyntaxError || isFileError(error)) return null
    throw error
  }
}

/**
 * Puts another content in the file's place, readable by its owner alone. Whoever reads meanwhile, or after a crash in
 * the middle, finds the old file or the new one. Gives false when the place cannot be written.
 */
export async function writeSignInFile(path: string, content: Json): Promise<boolean> {
  try {
    // A link stays a link: what it leads to is replaced.
    const target = await realpath(path)
    await removeOldDrafts(target)
    const draft = `${target}.${randomUUID()}.draft`
    try {
      const file = await open(draft, 'wx', 0o600)
      try {
        await file.writeFile(`${JSON.stringify(content, null, 2)}\n`)
        await file.sync()
      } finally {
        await file.close()
      }
      await rename(draft, target)
    } catch (error) {
      await rm(draft, { force: true })
      throw error
    }
    return true
  } catch (error) {
    if (isFileError(error)) return false
    throw error
  }
}

/** Runs `work` while no other process of ours does the same; without a lock where none can be made. */
export async function withFileLock<T>(path: string, now: () => number, work: () => Promise<T>): Promise<T> {
  const lock = `${path}.lock`
  const held = await take(lock, now)
  try {
    return await work()
  } finally {
    if (held) await rm(lock, { force: true })
  }
}

async function take(lock: string, now: () => number): Promise<boolean> {
  const until = performance.now() + lockMs
  while (performance.now() < until) {
    try {
      await (await open(lock, 'wx', 0o600)).close()
      return true
    } catch (error) {
      if (!isFileError(error)) throw error
      if (error.code !== 'EEXIST') return false
    }
    const made = await stat(lock).then(
      ({ mtimeMs }) => mtimeMs,
      () => null,
    )
    if (made !== null && now() - made > lockMs) await rm(lock, { force: true })
    else await new Promise((go) => setTimeout(go, lockLookMs))
  }
  return false
}

/** A process that was killed in the middle leaves its draft, with tokens in it. */
async function removeOldDrafts(target: string): Promise<void> {
  const folder = dirname(target)
  const drafts = (await readdir(folder)).filter(
    (name) => name.startsWith(`${basename(target)}.`) && name.endsWith('.draft'),
  )
  for (const name of drafts) {
    const path = join(folder, name)
    const { mtimeMs } = await stat(path)
    if (Date.now() - mtimeMs > draftMs) await rm(path, { force: true })
  }
}

const isFileError = (error: unknown): error is NodeJS.ErrnoException & { code: string } =>
  error instanceof Error && typeof (error as NodeJS.ErrnoException).code === 'string'
