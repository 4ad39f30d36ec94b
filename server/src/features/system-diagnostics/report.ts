/** What the machine and the process are like now. A group that cannot be read leaves the others as they are. */
import type { SystemReport } from '@atrium/contract/system-diagnostics'
import type { Clock } from '../../platform/clock.ts'
import type { Log } from '../../platform/log/log.ts'
import { isContainer, readContainerTraces } from '../../platform/machine/containerized.ts'
import { readHost, readMemory, readProcess } from '../../platform/machine/host.ts'

export interface ReportDeps {
  readonly clock: Clock
  readonly log: Log
  readonly version: string
}

/** Gives a function that looks anew at each call. */
export const createReport = ({ clock, log, version }: ReportDeps) => {
  /** What `read` gives; null where it throws, which is a line of the log. */
  const attempt = <T>(group: string, read: () => T): T | null => {
    try {
      return read()
    } catch (error) {
      log.warn('A group of the system report cannot be read', { group, error })
      return null
    }
  }

  return async (): Promise<SystemReport> => {
    const now = clock.now()
    const containerized = isContainer(await readContainerTraces())
    const host = attempt('host', readHost)
    const runtime = attempt('runtime', readProcess)
    return {
      generatedAt: new Date(now).toISOString(),
      host: host && { ...host, bootedAt: new Date(now - host.uptimeMs).toISOString(), containerized },
      runtime: runtime && { ...runtime, appVersion: version },
      memory: attempt('memory', readMemory),
    }
  }
}
