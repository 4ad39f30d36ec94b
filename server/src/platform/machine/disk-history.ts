/**
 * How full the disk of a folder was in the last month, kept as a small file in that folder, so that it is there after a
 * restart and in every container that the folder is given to.
 */
import { randomUUID } from 'node:crypto'
import { readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import type { Clock } from '../clock.ts'
import type { Log } from '../log/log.ts'
import { createBoundedRead } from './bounded-read.ts'
import { readFileSystem } from './file-system.ts'

const Sample = z.object({ at: z.number(), usedBytes: z.number() })
export type DiskSample = Readonly<z.infer<typeof Sample>>
const Samples = z.array(Sample)

const hourMs = 3_600_000
const dayMs = 24 * hourMs
const everyMs = 6 * hourMs
const keptMs = 30 * dayMs
/** Below it nothing can be said about days. */
const shortestMs = dayMs
const statsMs = 3000

const fileIn = (folder: string): string => join(folder, 'disk-history.json')

/** The oldest first; empty where there is none that can be read. */
export const readDiskHistory = async (folder: string): Promise<readonly DiskSample[]> => {
  const text = await readFile(fileIn(folder), 'utf8').catch(() => '[]')
  try {
    return Samples.parse(JSON.parse(text))
  } catch {
    // A file that was cut off is begun anew.
    return []
  }
}

/** Those of the last month, with a new one where the last is old enough. Pure. */
export const addSample = (samples: readonly DiskSample[], fresh: DiskSample): readonly DiskSample[] => {
  // A clock that was ahead for a while leaves samples that are not yet.
  const kept = samples.filter(({ at }) => at > fresh.at - keptMs && at <= fresh.at)
  const last = kept.at(-1)
  return last && fresh.at - last.at < everyMs ? kept : [...kept, fresh]
}

/**
 * In how many days so many free bytes are used up, at the pace of the samples; null where they say nothing yet, or it does
 * not get fuller. The pace is the median of those between all pairs (Theil and Sen), so that one large upload is no trend.
 */
export const daysUntilFull = (samples: readonly DiskSample[], freeBytes: number): number | null => {
  const paces = samples.flatMap((later, index) =>
    samples
      .slice(0, index)
      .filter(({ at }) => later.at - at >= shortestMs)
      .map(({ at, usedBytes }) => (later.usedBytes - usedBytes) / ((later.at - at) / dayMs)),
  )
  const pace = paces.toSorted((a, b) => a - b)[Math.floor(paces.length / 2)]
  return pace === undefined || pace <= 0 ? null : freeBytes / pace
}

/** Adds samples while the process runs. */
export const createDiskHistory = ({ folder, clock, log }: { folder: string; clock: Clock; log: Log }) => {
  const readStats = createBoundedRead(() => readFileSystem(folder), statsMs)
  let timer: NodeJS.Timeout | null = null
  const sample = async (): Promise<void> => {
    const draft = `${fileIn(folder)}.${randomUUID()}`
    try {
      const stats = await readStats()
      if (!stats) return
      const before = await readDiskHistory(folder)
      const after = addSample(before, { at: clock.now(), usedBytes: (stats.blocks - stats.bfree) * stats.bsize })
      if (after.length === before.length && after.at(-1)?.at === before.at(-1)?.at) return
      await writeFile(draft, `${JSON.stringify(after)}\n`, { flag: 'wx', mode: 0o600 })
      await rename(draft, fileIn(folder))
    } catch (error) {
      // On a full disk, say: the check of the disk tells of that. The next sample is tried in an hour.
      await rm(draft, { force: true }).catch(() => undefined)
      log.debug('The history of the disk could not be kept', { error })
    }
  }
  return {
    async start(): Promise<void> {
      await sample()
      timer = setInterval(() => void sample(), hourMs).unref()
    },
    stop(): void {
      if (timer) clearInterval(timer)
    },
  }
}
