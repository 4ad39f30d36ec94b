/** What a program left in its folders: which files are new, and whether there are too many. */
import type { FolderProblem, SandboxFile } from './types.ts'
import type { Program, ProgramResult } from './wire.ts'

type LeftFiles = Pick<ProgramResult, 'out' | 'kept' | 'removed' | 'problems'>

/** Compares what is there now with what was given. A folder with a problem is left as it was. */
export const sortLeftFiles = (left: readonly SandboxFile[], { files, limits }: Program): LeftFiles => {
  const inFolder = (all: readonly SandboxFile[], folder: string) =>
    all.filter(({ path }) => path.startsWith(`${folder}/`)).toSorted((a, b) => (a.path < b.path ? -1 : 1))
  const out = inFolder(left, '/out')
  const keep = inFolder(left, '/keep')
  const outProblem = problemOf(out, limits.outFiles, limits.outBytes)
  const keepProblem = problemOf(keep, limits.keepFiles, limits.keepBytes)
  const given = new Map(inFolder(files, '/keep').map(({ path, bytes }) => [path, bytes]))
  const there = new Set(keep.map(({ path }) => path))
  return {
    out: outProblem ? [] : out,
    kept: keepProblem ? [] : keep.filter(({ path, bytes }) => !isSame(given.get(path), bytes)),
    removed: keepProblem ? [] : [...given.keys()].filter((path) => !there.has(path)),
    problems: [
      ...(outProblem ? [{ folder: '/out', problem: outProblem } as const] : []),
      ...(keepProblem ? [{ folder: '/keep', problem: keepProblem } as const] : []),
    ],
  }
}

const problemOf = (
  files: readonly SandboxFile[],
  mostFiles: number,
  mostBytes: number,
): FolderProblem['problem'] | null => {
  if (files.length > mostFiles) return 'too_many'
  if (files.reduce((sum, { bytes }) => sum + bytes.byteLength, 0) > mostBytes) return 'too_large'
  return files.every(({ path }) => isGoodPath(path)) ? null : 'bad_name'
}

/** At most eight folders deep, and nothing in a name that misleads a reader or a file system. */
export const isGoodPath = (path: string): boolean =>
  path.length <= 300 && /^\/(files|keep|out)\//.test(path) && isGoodName(path.split('/').slice(2))

const isGoodName = (parts: readonly string[]): boolean =>
  parts.length <= 8 &&
  parts.every((part) => part !== '' && part !== '.' && part !== '..' && !part.includes('\\') && !misleading.test(part))

// Control and formatting characters (also those that turn the direction of writing), halves of surrogate pairs.
const misleading = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u

const isSame = (before: Uint8Array | undefined, now: Uint8Array): boolean =>
  before !== undefined && Buffer.compare(before, now) === 0
