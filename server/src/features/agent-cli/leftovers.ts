/**
 * Programs that a server left behind because it was killed: each is noted in a file while it runs, and the next start ends
 * those whose server is gone. Where the system tells nothing of processes (no `/proc`) nothing is noted.
 */
import { mkdir, readdir, readFile, readlink, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { kill, pid as ownPid } from 'node:process'
import { z } from 'zod'

const Note = z.object({
  /** Of the program, which leads its group, and when it was started, in ticks of the system. */
  pid: z.number().int().positive(),
  startedAt: z.string(),
  server: z.object({ pid: z.number().int().positive(), startedAt: z.string() }),
  /** Where these ids mean something: a machine since it was started, and a space of processes on it. */
  place: z.string(),
})
type Note = z.infer<typeof Note>

/** Notes of other places are of no use to anybody after so long. */
const staleMs = 7 * 24 * 60 * 60_000

/** Notes a program that runs. */
export const noteRunning = async (folder: string, pid: number): Promise<void> => {
  const [place, startedAt, serverStartedAt] = await Promise.all([placeHere(), startOf(pid), startOf(ownPid)])
  if (place === null || startedAt === null || serverStartedAt === null) return
  const note: Note = { pid, startedAt, server: { pid: ownPid, startedAt: serverStartedAt }, place }
  await mkdir(folder, { recursive: true, mode: 0o700 })
  await writeFile(fileOf(folder, pid), JSON.stringify(note), { mode: 0o600 })
}

/** It is gone. */
export const forgetRunning = (folder: string, pid: number): Promise<void> => rm(fileOf(folder, pid), { force: true })

/** Ends the groups of programs whose server is gone. `now`: integer milliseconds. */
export const endLeftovers = async (folder: string, now: number): Promise<void> => {
  const place = await placeHere()
  for (const name of await listNotes(folder)) {
    const file = join(folder, name)
    const note = await readNote(file)
    if (note !== null && note.place !== place) {
      if (now - (await stat(file)).mtimeMs > staleMs) await rm(file, { force: true })
      continue
    }
    if (note !== null) {
      if ((await startOf(note.server.pid)) === note.server.startedAt) continue
      const startedAt = await startOf(note.pid)
      // With another start it is somebody else's by now. Without one its leader is gone, and the group may not be.
      if (startedAt === null || startedAt === note.startedAt) killGroup(note.pid)
    }
    await rm(file, { force: true })
  }
}

const fileOf = (folder: string, pid: number): string => join(folder, `${pid}.json`)

const listNotes = async (folder: string): Promise<string[]> => {
  try {
    return await readdir(folder)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}

/** null: it cannot be read, as it was cut off while it was written. */
const readNote = async (file: string): Promise<Note | null> => {
  try {
    return Note.parse(JSON.parse(await readFile(file, 'utf8')))
  } catch {
    // Of a program of which nothing is known nothing can be ended.
    return null
  }
}

/** When a process was started; null where there is none, or the system does not tell. */
const startOf = async (pid: number): Promise<string | null> => {
  try {
    // The name stands in brackets and may hold anything; what follows are figures, of which this is the 22nd in all.
    const text = await readFile(`/proc/${pid}/stat`, 'utf8')
    return text.slice(text.lastIndexOf(')') + 2).split(' ')[19] ?? null
  } catch {
    // There is no such process, or no such file system.
    return null
  }
}

const placeHere = async (): Promise<string | null> => {
  try {
    const boot = await readFile('/proc/sys/kernel/random/boot_id', 'utf8')
    return `${boot.trim()} ${await readlink('/proc/self/ns/pid')}`
  } catch {
    // Another system than Linux.
    return null
  }
}

const killGroup = (pid: number): void => {
  try {
    kill(-pid, 'SIGKILL')
  } catch (error) {
    // The whole group is gone, or is not ours any more.
    const { code } = error as NodeJS.ErrnoException
    if (code !== 'ESRCH' && code !== 'EPERM') throw error
  }
}
