/** Files in memory, for programs that have no file system: a bounded number, of bounded size, below known folders. */
import { type SandboxFile, sandboxFolders } from './types.ts'

export interface FileTree {
  read(path: string): Uint8Array | null
  /** What is wrong, in words; null: done. */
  write(path: string, bytes: Uint8Array): string | null
  remove(path: string): string | null
  makeFolder(path: string): string | null
  /** Names of what is directly in a folder; null: it is none. */
  names(path: string): string[] | null
  /** Bytes of a file, -1 for a folder; null: there is neither. */
  size(path: string): number | null
  list(): SandboxFile[]
}

/** Of all files together: what a program may have been given, and as much again. */
export const mostTreeBytes = 160 * 1024 * 1024
export const mostTreeFiles = 20_000

export const createFileTree = (given: readonly SandboxFile[]): FileTree => {
  const files = new Map(given.map(({ path, bytes }) => [resolvePath(path), bytes]))
  const folders = new Set<string>(['/', ...sandboxFolders])
  let held = given.reduce((sum, { bytes }) => sum + bytes.byteLength, 0)
  const addAbove = (path: string): void => {
    for (let above = parentOf(path); !folders.has(above); above = parentOf(above)) folders.add(above)
  }
  for (const path of files.keys()) addAbove(path)
  const refuse = (path: string): string | null => {
    if (path === '/files' || path.startsWith('/files/')) return `EROFS: /files can only be read: ${path}`
    return sandboxFolders.some((folder) => path.startsWith(`${folder}/`))
      ? null
      : `EACCES: only /out, /keep and /tmp can be written: ${path}`
  }

  return {
    read: (path) => files.get(resolvePath(path)) ?? null,
    write(path, bytes) {
      const to = resolvePath(path)
      const refusal = refuse(to)
      if (refusal) return refusal
      if (!folders.has(parentOf(to))) return `ENOENT: no such folder: ${parentOf(to)}`
      if (folders.has(to)) return `EISDIR: it is a folder: ${to}`
      const before = files.get(to)
      const next = held + bytes.byteLength - (before?.byteLength ?? 0)
      if (next > mostTreeBytes || (!before && files.size >= mostTreeFiles)) return 'ENOSPC: no space left'
      held = next
      files.set(to, bytes)
      return null
    },
    remove(path) {
      const at = resolvePath(path)
      const refusal = refuse(at)
      if (refusal) return refusal
      const bytes = files.get(at)
      if (bytes) {
        held -= bytes.byteLength
        files.delete(at)
        return null
      }
      if (!folders.has(at)) return `ENOENT: no such file: ${at}`
      if ([...files.keys(), ...folders].some((other) => other.startsWith(`${at}/`)))
        return `ENOTEMPTY: not empty: ${at}`
      folders.delete(at)
      return null
    },
    makeFolder(path) {
      const at = resolvePath(path)
      if (folders.has(at)) return null
      if (files.has(at)) return `EEXIST: it is a file: ${at}`
      const refusal = refuse(at)
      if (refusal) return refusal
      if (folders.size >= mostTreeFiles || at.split('/').length > 50) return 'ENOSPC: no space left'
      addAbove(at)
      folders.add(at)
      return null
    },
    names(path) {
      const at = resolvePath(path)
      if (!folders.has(at)) return null
      const start = at === '/' ? '/' : `${at}/`
      const below = [...files.keys(), ...folders].filter((other) => other.startsWith(start) && other !== at)
      return [...new Set(below.map((other) => other.slice(start.length).split('/')[0] ?? ''))].toSorted()
    },
    size(path) {
      const at = resolvePath(path)
      return files.get(at)?.byteLength ?? (folders.has(at) ? -1 : null)
    },
    list: () => [...files].map(([path, bytes]) => ({ path, bytes })),
  }
}

const parentOf = (path: string): string => path.slice(0, Math.max(1, path.lastIndexOf('/')))

/** An absolute path without `.` and `..`; what is relative is below `/out`. */
const resolvePath = (path: string): string => {
  const parts: string[] = []
  for (const part of (path.startsWith('/') ? path : `/out/${path}`).split('/'))
    if (part === '..') parts.pop()
    else if (part !== '' && part !== '.') parts.push(part)
  return `/${parts.join('/')}`
}
