/** The data folder: how full its disk is, what kind of file system it is, and how long it takes until bytes are safe. */
import { randomUUID } from 'node:crypto'
import { open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { createBoundedRead } from '../../../platform/machine/bounded-read.ts'
import { readFileSystem } from '../../../platform/machine/file-system.ts'
import { type DiskSample, daysUntilFull, readDiskHistory } from '../../../platform/machine/disk-history.ts'
import {
  type CheckOutcome,
  type DiagnosticCheck,
  reportFailure,
  reportPass,
  reportWarning,
} from '../../../platform/diagnostics/checks.ts'

export const folderChecks = (folder: string, look = readFileSystem): DiagnosticCheck[] => {
  const readStats = createBoundedRead(() => look(folder), statsMs)
  // On a dead mount each try would hold one more thread of the process, until none is left.
  const readFlush = createBoundedRead(async () => {
    await look(folder)
    return await measureFlush(folder)
  }, flushMs)
  const timeFlush = async () =>
    (await readFlush()) ??
    reportFailure(`${folder} can’t be written to, or doesn’t respond within ${flushMs / 1000} seconds.`)
  const stats = async () => {
    const found = await readStats()
    if (!found) throw new Error(`${folder} didn’t respond.`)
    return found
  }
  return [
    { id: 'disk', watched: true, ofProcess: true, run: async () => judgeDisk(folder, await stats()) },
    {
      id: 'disk-forecast',
      watched: true,
      ofProcess: true,
      async run() {
        // Looks at the file only where its folder answers.
        const figures = await stats()
        return judgeForecast(await readDiskHistory(folder), figures)
      },
    },
    { id: 'file-system', run: async () => judgeFileSystem(folder, (await stats()).type) },
    { id: 'flush', run: timeFlush },
  ]
}

const statsMs = 3000
/** For nine small writes. */
const flushMs = 10_000

interface DiskFigures {
  readonly bsize: number
  readonly blocks: number
  readonly bavail: number
  readonly files: number
  readonly ffree: number
}

/** `figures` as statfs(2) gives them. */
export const judgeDisk = (folder: string, figures: DiskFigures) => {
  const { bsize, blocks, bavail, files, ffree } = figures
  const free = bavail * bsize
  const share = blocks === 0 ? 1 : bavail / blocks
  const message = `${toGigabytes(free)} GB of ${toGigabytes(blocks * bsize)} GB are free on the disk of ${folder}.`
  if (free < 256e6 || share < 0.02) return reportFailure(`${message} Free up space now: writes fail when it is full.`)
  // File systems that make inodes as they need them tell of none.
  if (files > 0 && ffree / files < 0.02)
    return reportFailure(`${message} But it is running out of inodes: only ${ffree} more files fit.`)
  if (free < 2e9 || share < 0.1) return reportWarning(`${message} Free up space soon.`)
  return reportPass(message)
}

/** null where the disk does not get fuller, or too little is known yet. */
export const judgeForecast = (
  samples: readonly DiskSample[],
  { bavail, bsize }: Pick<DiskFigures, 'bavail' | 'bsize'>,
): CheckOutcome | null => {
  const days = daysUntilFull(samples, bavail * bsize)
  if (days === null) return null
  const message = `At the current pace, the disk will be full in ${Math.floor(days)} days.`
  if (days < 3) return reportFailure(`${message} Free up space now.`)
  if (days < 14) return reportWarning(`${message} Free up space.`)
  return reportPass(days > 365 ? 'At the current pace, the disk won’t be full within a year.' : message)
}

/** Numbers of statfs(2) of file systems behind a network, which lock and flush otherwise than a disk. */
const networkTypes = new Map([
  [0x6969, 'NFS'],
  [0xff534d42, 'CIFS'],
  [0xfe534d42, 'SMB'],
  [0x517b, 'SMB'],
  [0x01021997, '9p'],
  [0x00c36400, 'Ceph'],
  [0x65735546, 'FUSE'],
  [0x5346414f, 'AFS'],
])
/** In memory: gone after a restart. */
const volatileTypes = new Map([
  [0x01021994, 'tmpfs'],
  [0x858458f6, 'ramfs'],
])

/** `type`: the number of statfs(2). */
export const judgeFileSystem = (folder: string, type: number) => {
  const number = type >>> 0
  const network = networkTypes.get(number)
  if (network) {
    return reportWarning(
      `${folder} is on ${network}, a network or layered file system. SQLite can lose data there. Use a local disk, or PostgreSQL.`,
    )
  }
  const volatile = volatileTypes.get(number)
  if (volatile)
    return reportFailure(`${folder} is on ${volatile}, in memory. Everything is lost when the machine restarts.`)
  return reportPass(`${folder} is on a local file system.`)
}

/** The median of several small writes, each forced to the disk. */
const measureFlush = async (folder: string) => {
  const path = join(folder, `.probe-${randomUUID()}`)
  const file = await open(path, 'wx', 0o600)
  try {
    const times: number[] = []
    for (let turn = 0; turn < 9; turn++) {
      const began = performance.now()
      await file.write(Buffer.alloc(4096, turn), 0, 4096, turn * 4096)
      await file.datasync()
      times.push(performance.now() - began)
    }
    const median = times.toSorted((a, b) => a - b)[4] ?? 0
    const message = `A small write to the disk of ${folder} takes ${median.toFixed(1)} ms.`
    return median > 100 ? reportWarning(`${message} That is slow, and every change waits for it.`) : reportPass(message)
  } finally {
    await file.close()
    await rm(path, { force: true })
  }
}

const toGigabytes = (bytes: number): string => (bytes / 1e9).toFixed(bytes < 10e9 ? 1 : 0)
