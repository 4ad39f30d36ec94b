/** Which files a process of the pool may read: the program and its packages, and nothing that belongs to people. */
import { existsSync, realpathSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Folders, as they really lie. */
export const readableFolders = (): readonly string[] => {
  const above: string[] = []
  for (let folder = dirname(fileURLToPath(import.meta.url)); !above.includes(folder); folder = dirname(folder))
    above.push(folder)
  const program = above.find((folder) => existsSync(join(folder, 'package.json'))) ?? above[0] ?? '/'
  const packages = above.map((folder) => join(folder, 'node_modules')).filter((folder) => existsSync(folder))
  // Where the sources run, the contract lies beside the program, and packages lead to it.
  const contract = packages.map((folder) => join(folder, '@atrium', 'contract')).filter((folder) => existsSync(folder))
  return [program, ...packages, ...contract].map((folder) => realpathSync(folder))
}
