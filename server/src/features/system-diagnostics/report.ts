/** What the machine and the process are like now. A group that cannot be read leaves the others as they are. */
import { parse } from 'node:path'
import type { SystemReport } from '@atrium/contract/system-diagnostics'
import type { Clock } from '../../platform/clock.ts'
import type { Log } from '../../platform/log/log.ts'
import { isContainer, readContainerTraces } from '../../platform/machine/containerized.ts'
import { createFilesystemReader } from '../../platform/machine/filesystems.ts'
import { readHost, readMemory, readProcess } from '../../platform/machine/host.ts'
import { readNetwork } from '../../platform/machine/network.ts'
import type { ContainerEngineEndpoint } from './container-engine/endpoints.ts'
import { createContainerEngineReader } from './container-engine/read-container-engine.ts'

export interface ReportDeps {
  readonly clock: Clock
  readonly log: Log
  readonly version: string
  /** Absolute. */
  readonly dataDir: string
  /** Where the container engine is asked, in order. */
  readonly containerEngineEndpoints: readonly ContainerEngineEndpoint[]
}

const containerEngineLimits = { timeoutMs: 4000, maxBytes: 5 * 1024 * 1024 }

/** Gives a function that looks anew at each call. */
export const createReport = ({ clock, log, version, dataDir, containerEngineEndpoints }: ReportDeps) => {
  /** What `read` gives; null where it throws, which is a line of the log. */
  const attempt = async <T>(group: string, read: () => T | Promise<T>): Promise<T | null> => {
    try {
      return await read()
    } catch (error) {
      log.warn('A group of the system report cannot be read', { group, error })
      return null
    }
  }

  const readFilesystems = createFilesystemReader([
    { label: 'root' as const, path: parse(dataDir).root },
    { label: 'data' as const, path: dataDir },
  ])
  const readContainerEngine = createContainerEngineReader(containerEngineEndpoints, containerEngineLimits)
  const readGroups = () =>
    Promise.all([
      attempt('host', async () => ({ ...readHost(), containerized: isContainer(await readContainerTraces()) })),
      attempt('runtime', readProcess),
      attempt('memory', readMemory),
      attempt('filesystems', readFilesystems),
      attempt('network', readNetwork),
      attempt('docker', readContainerEngine),
    ])

  return async (): Promise<SystemReport> => {
    const [host, runtime, memory, filesystems, interfaces, docker] = await readGroups()
    const now = clock.now()
    return {
      generatedAt: new Date(now).toISOString(),
      host: host && { ...host, bootedAt: new Date(now - host.uptimeMs).toISOString() },
      runtime: runtime && { ...runtime, appVersion: version },
      memory,
      filesystems: filesystems ?? [],
      network: { interfaces: interfaces ?? [] },
      docker: docker ?? { available: false, socketMounted: false, reason: 'bad_answer' },
    }
  }
}
