/** File systems that may never answer, such as that of a network drive whose server is gone. */
import type { StatsFs } from 'node:fs'
import { statfs } from 'node:fs/promises'

/** Gives a function that calls `read` for a path, and once at a time for each: who asks meanwhile waits for the same. */
export const createSharedRead = <T>(read: (path: string) => Promise<T>): ((path: string) => Promise<T>) => {
  const running = new Map<string, Promise<T>>()
  return (path) => {
    const joined = running.get(path)
    if (joined) return joined
    const call = read(path).finally(() => running.delete(path))
    running.set(path, call)
    return call
  }
}

export type ReadFileSystem = (path: string) => Promise<StatsFs>

/**
 * What statfs(2) tells of the file system of a path. On a dead mount that never comes back, and holds one of the few
 * threads with which the process reads files, compares passwords and looks names up. What looks at such a path again and
 * again first waits for this, so that all of them together hold that one thread.
 */
export const readFileSystem: ReadFileSystem = createSharedRead((path) => statfs(path))
