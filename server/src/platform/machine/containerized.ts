/** Whether this process runs in a container, by the traces that engines leave in it. */
import { access, readFile } from 'node:fs/promises'

/** What a process can see of what it runs in. */
export interface ContainerTraces {
  /** Whether one of the files that engines put into containers is there. */
  readonly hasMarker: boolean
  /** `/proc/1/cgroup`; empty where there is none. */
  readonly cgroup: string
  /** `/proc/self/mountinfo`; empty where there is none. */
  readonly mounts: string
}

const markers = ['/.dockerenv', '/run/.containerenv', '/run/systemd/container']

/** Reads the traces. What cannot be read counts as not there. */
export const readContainerTraces = async (): Promise<ContainerTraces> => {
  const [present, cgroup, mounts] = await Promise.all([
    Promise.all(markers.map(exists)),
    readOrEmpty('/proc/1/cgroup'),
    readOrEmpty('/proc/self/mountinfo'),
  ])
  return { hasMarker: present.includes(true), cgroup, mounts }
}

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  )

/** There is no such file but on Linux, and some containers hide it. */
const readOrEmpty = (path: string): Promise<string> => readFile(path, 'utf8').catch(() => '')

/**
 * Engines that leave no marker are known by the control group of the first process (version 1 of control groups), or
 * by a root in layers together with files of `/etc` that are mounted one by one.
 */
export const isContainer = ({ hasMarker, cgroup, mounts }: ContainerTraces): boolean => {
  if (hasMarker || /docker|kubepods|containerd|libpod|lxc/.test(cgroup)) return true
  const lines = mounts.split('\n')
  // Fields: id, parent, device, root, mount point, options, …, "-", type of the file system, source.
  const isLayered = lines.some((line) => line.split(' ')[4] === '/' && / - (fuse-)?overlay(fs)? /.test(line))
  return isLayered && lines.some((line) => /^\/etc\/(hosts|hostname|resolv\.conf)$/.test(line.split(' ')[4] ?? ''))
}
