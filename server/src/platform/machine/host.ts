/** Facts of the machine and of this process, as they are now. The system may refuse any of them. */
import os from 'node:os'

export interface HostFacts {
  readonly hostname: string
  readonly platform: string
  readonly release: string
  readonly architecture: string
  readonly uptimeMs: number
  readonly logicalCpus: number
  readonly cpuModel: string | null
  readonly loadAverage: [number, number, number]
}

/** Throws what the system says when it does not tell. */
export const readHost = (): HostFacts => {
  const cpus = os.cpus()
  const [one = 0, five = 0, fifteen = 0] = os.loadavg()
  return {
    hostname: os.hostname(),
    platform: os.platform(),
    release: os.release(),
    architecture: os.arch(),
    uptimeMs: Math.round(os.uptime() * 1000),
    logicalCpus: cpus.length,
    cpuModel: cpus[0]?.model.trim() || null,
    loadAverage: [one, five, fifteen],
  }
}

export interface ProcessFacts {
  readonly nodeVersion: string
  readonly processId: number
  readonly processUptimeMs: number
  /** Null when the folder was removed. */
  readonly workingDirectory: string | null
}

export const readProcess = (): ProcessFacts => ({
  nodeVersion: process.versions.node,
  processId: process.pid,
  processUptimeMs: Math.round(process.uptime() * 1000),
  workingDirectory: workingDirectory(),
})

const workingDirectory = (): string | null => {
  try {
    return process.cwd()
  } catch {
    // The folder in which the process was started may be gone.
    return null
  }
}

/** The user whom the process runs as. */
export interface ProcessOwner {
  /** Null where users have no numbers. */
  readonly uid: number | null
  /** The own folder; null where there is none. */
  readonly home: string | null
}

export const readOwner = (): ProcessOwner => {
  const uid = process.getuid?.() ?? null
  try {
    return { uid, home: os.homedir() }
  } catch {
    // A number without an entry among the users, as in containers.
    return { uid, home: null }
  }
}

/** Bytes. The heap is that of the main thread; `processRssBytes` is all that the process holds. */
export interface MemoryFacts {
  readonly totalBytes: number
  readonly freeBytes: number
  readonly usedBytes: number
  readonly usedPercent: number
  readonly processRssBytes: number
  readonly heapUsedBytes: number
  readonly heapTotalBytes: number
  readonly externalBytes: number
}

/** Throws what the system says when it does not tell. */
export const readMemory = (): MemoryFacts => {
  const { rss, heapUsed, heapTotal, external } = process.memoryUsage()
  return {
    ...usageOf(os.totalmem(), os.freemem()),
    processRssBytes: rss,
    heapUsedBytes: heapUsed,
    heapTotalBytes: heapTotal,
    externalBytes: external,
  }
}

/** What is used of a total, with one decimal of a percent. More that is free than there is counts as all. */
export const usageOf = (totalBytes: number, free: number) => {
  const freeBytes = Math.min(free, totalBytes)
  const usedBytes = totalBytes - freeBytes
  const usedPercent = totalBytes === 0 ? 0 : Math.round((usedBytes / totalBytes) * 1000) / 10
  return { totalBytes, freeBytes, usedBytes, usedPercent }
}
