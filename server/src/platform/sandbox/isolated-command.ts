/**
 * A command within bubblewrap: it sees the system's programs and what it is given, nothing else, has processes of its own,
 * and ends with us. Only where the probe says that bubblewrap works.
 */
import { existsSync, realpathSync, statSync } from 'node:fs'
import { homedir } from 'node:os'
import { basename, dirname, isAbsolute, sep } from 'node:path'

export interface IsolatedCommand {
  readonly command: string
  readonly args: readonly string[]
  /** Its own folder, which it begins in and may write to. */
  readonly folder: string
  /** Absolute paths beside it that it may read, and write. */
  readonly readable?: readonly string[]
  readonly writable?: readonly string[]
  readonly network: boolean
}

/** Of the system's settings, what names, certificates and times are looked up with. */
const systemFiles = [
  'alternatives',
  'ca-certificates',
  'crypto-policies',
  'group',
  'hosts',
  'ld.so.cache',
  'ld.so.conf',
  'ld.so.conf.d',
  'localtime',
  'nsswitch.conf',
  'passwd',
  'pki',
  'resolv.conf',
  'ssl',
].map((name) => `/etc/${name}`)

/** The arguments of `bwrap`. */
export const isolateCommand = ({
  command,
  args,
  folder,
  readable = [],
  writable = [],
  network,
}: IsolatedCommand): string[] => [
  '--unshare-all',
  ...(network ? ['--share-net'] : []),
  '--die-with-parent',
  '--new-session',
  ...['--ro-bind', '/usr', '/usr'],
  ...['bin', 'lib', 'lib32', 'lib64', 'sbin'].flatMap(systemFolder),
  ...systemFiles.flatMap((path) => ['--ro-bind-try', path, path]),
  ...['--proc', '/proc', '--dev', '/dev', '--tmpfs', '/tmp'],
  ...namedPaths(command, args).flatMap((path) => ['--ro-bind-try', path, path]),
  ...readable.flatMap((path) => ['--ro-bind', path, path]),
  ...writable.flatMap((path) => ['--bind', path, path]),
  ...['--bind', folder, folder, '--chdir', folder],
  '--',
  command,
  ...args,
]

/** A link into `/usr`, or a folder of its own, as the system has it. */
const systemFolder = (name: string): string[] => {
  const path = `/${name}`
  if (!existsSync(path)) return []
  return realpathSync(path) === path ? ['--ro-bind', path, path] : ['--symlink', `usr/${name}`, path]
}

/** What the command and its arguments name by absolute paths, with what belongs to it. */
const namedPaths = (command: string, args: readonly string[]): string[] => {
  const named = [command, ...args].filter((path) => isAbsolute(path) && existsSync(path))
  const real = named.flatMap((path) => [...new Set([path, realpathSync(path)])])
  return [...new Set(real.map(programFolder))].filter(
    (path) => path !== sep && !/^\/(?:usr|proc|dev)(?:\/|$)/.test(path),
  )
}

/** A package stands with those beside it, a program in `bin` with its libraries, and a file with its folder. */
const programFolder = (path: string): string => {
  const modules = path.indexOf(`${sep}node_modules${sep}`)
  if (modules > 0) return path.slice(0, modules + `${sep}node_modules`.length)
  if (statSync(path).isDirectory()) return path
  const folder = dirname(path)
  // Homes hold more than programs.
  if (folder === homedir()) return path
  const prefix = dirname(folder)
  return basename(folder) === 'bin' && prefix !== sep && prefix !== homedir() ? prefix : folder
}
