/**
 * What the control groups of Linux (version 2, and 1) leave this process of the machine: of a container, or of a service.
 * A limit of null is none, or one that cannot be read; a group above may be tighter than the own one: it counts then, with
 * all that is in it.
 */
import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'

export interface Usage {
  readonly value: number | null
  readonly limit: number | null
}

export interface ControlGroup {
  /** Bytes. */
  readonly memory: Usage
  /** Processes and threads. */
  readonly pids: Usage
  /** Cores. What is in use of them is not kept there as a figure of now. */
  readonly cpuLimit: number | null
}

export interface ControlGroupPlaces {
  /** Says which groups the process is in. */
  readonly membership: string
  /** Where the groups are mounted. */
  readonly mount: string
}

const usualPlaces: ControlGroupPlaces = { membership: '/proc/self/cgroup', mount: '/sys/fs/cgroup' }

export const readControlGroup = async ({ membership, mount } = usualPlaces): Promise<ControlGroup> => {
  // Lines: number, controllers, path. The group of version 2 has neither number nor controllers.
  const lines = (await readText(membership)).split('\n').map((line) => line.split(':'))
  const pathOf = (controller: string) => lines.find(([, names]) => names?.split(',').includes(controller))?.[2]
  const unified = lines.find(([number, names]) => number === '0' && names === '')?.[2]
  if (pathOf('memory') === undefined && unified !== undefined) {
    const folders = foldersOf(mount, unified)
    return {
      memory: await readUsage(folders, 'memory.current', 'memory.max'),
      pids: await readUsage(folders, 'pids.current', 'pids.max'),
      cpuLimit: await tightest(folders, async (folder) => {
        const [quota, period] = (await readText(join(folder, 'cpu.max'))).trim().split(' ')
        return share(quota, period)
      }),
    }
  }
  const folders = (controller: string) => foldersOf(join(mount, controller), pathOf(controller) ?? '/')
  return {
    memory: await readUsage(folders('memory'), 'memory.usage_in_bytes', 'memory.limit_in_bytes'),
    pids: await readUsage(folders('pids'), 'pids.current', 'pids.max'),
    cpuLimit: await tightest(folders('cpu'), async (folder) =>
      share(await readText(join(folder, 'cpu.cfs_quota_us')), await readText(join(folder, 'cpu.cfs_period_us'))),
    ),
  }
}

/** The folder of a group, then those of the groups above it. In a container the own one may be mounted as the root. */
const foldersOf = (mount: string, path: string): string[] => {
  const folders = []
  for (let group = path; group !== '/' && group !== '.'; group = dirname(group)) folders.push(join(mount, group))
  return [...folders, mount]
}

/** Of the group whose limit is the tightest; of the own one where none has any. */
const readUsage = async (folders: readonly string[], value: string, limit: string): Promise<Usage> => {
  const usages = await Promise.all(
    folders.map(async (folder) => ({
      value: await readNumber(join(folder, value)),
      limit: await readNumber(join(folder, limit)),
    })),
  )
  const limited = usages.filter((usage) => usage.limit !== null)
  const [tightest] = limited.toSorted((a, b) => (a.limit ?? 0) - (b.limit ?? 0))
  return tightest ?? usages.find((usage) => usage.value !== null) ?? { value: null, limit: null }
}

const tightest = async (
  folders: readonly string[],
  read: (folder: string) => Promise<number | null>,
): Promise<number | null> => {
  const limits = (await Promise.all(folders.map(read))).filter((limit) => limit !== null)
  return limits.length === 0 ? null : Math.min(...limits)
}

/** What version 1 says where there is no limit. */
const unlimited = 2 ** 60

/** null for `max`, and for what is no number. */
const numberOf = (text: string | undefined): number | null => {
  const number = /^\d+$/.test(text?.trim() ?? '') ? Number(text) : null
  return number === null || number >= unlimited ? null : number
}
const share = (quota: string | undefined, period: string | undefined): number | null => {
  const [most, of] = [numberOf(quota), numberOf(period)]
  return most === null || !of ? null : Math.round((most / of) * 100) / 100
}
const readNumber = async (path: string): Promise<number | null> => numberOf(await readText(path))

/** Where there are no such groups there is no such file. */
const readText = (path: string): Promise<string> => readFile(path, 'utf8').catch(() => '')
