/**
 * Whether bubblewrap works here: it gives a program a network and a file tree of its own, without being root. Docker's
 * default profile forbids it, as do some systems; nothing needs it.
 */
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'

export type Bubblewrap =
  | { readonly works: true; readonly version: string }
  | { readonly works: false; readonly reason: BubblewrapReason }

/** A closed list, for words in every language. */
export type BubblewrapReason = 'not_installed' | 'not_linux' | 'not_permitted' | 'failed'

const probeMs = 5000
const searchPath = '/usr/local/bin:/usr/bin:/bin'

/** Arguments of `bwrap` before a program: it has no network, sees the system's programs read-only, and ends with us. */
export const isolatingArguments = [
  '--unshare-all',
  '--die-with-parent',
  '--new-session',
  '--ro-bind',
  '/usr',
  '/usr',
  ...['bin', 'lib', 'lib64', 'sbin'].flatMap((name) => ['--symlink', `usr/${name}`, `/${name}`]),
  '--proc',
  '/proc',
  '--dev',
  '/dev',
  '--tmpfs',
  '/tmp',
] as const

/** Where it is, found as the probe finds it; the environment of what runs in it names other places. */
export const bubblewrapProgram = (): string =>
  searchPath
    .split(':')
    .map((folder) => `${folder}/bwrap`)
    .find((path) => existsSync(path)) ?? 'bwrap'

let known: Promise<Bubblewrap> | null = null

/** The same for all of this process, as it was when somebody first asked. */
export const readBubblewrap = (): Promise<Bubblewrap> => (known ??= probeBubblewrap())

/** Tries it with a program that does nothing. Never throws. */
export const probeBubblewrap = async (program = 'bwrap'): Promise<Bubblewrap> => {
  if (process.platform !== 'linux') return { works: false, reason: 'not_linux' }
  const version = await ask(program, ['--version'])
  if (version.code === 'ENOENT') return { works: false, reason: 'not_installed' }
  const tried = await ask(program, [...isolatingArguments, '/usr/bin/true'])
  if (tried.code === null) return { works: true, version: version.text.replace(/^bubblewrap\s+/, '').trim() }
  const forbidden = /permission|not permitted|namespace|denied/i.test(tried.text)
  return { works: false, reason: forbidden ? 'not_permitted' : 'failed' }
}

const ask = (program: string, args: readonly string[]): Promise<{ code: string | number | null; text: string }> =>
  new Promise((resolve) => {
    execFile(program, [...args], { timeout: probeMs, env: { PATH: searchPath } }, (error, stdout, stderr) => {
      resolve({ code: error ? (error.code ?? 'killed') : null, text: error ? stderr : stdout })
    })
  })
