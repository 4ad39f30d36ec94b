/** Where a command is installed. */
import { constants } from 'node:fs'
import { access, stat } from 'node:fs/promises'
import { delimiter, isAbsolute, join } from 'node:path'

/** The path of a command, looked up in the folders of `path` (in the form of PATH); null where it is not installed. */
export const findCommand = async (command: string, path: string): Promise<string | null> => {
  const candidates = isAbsolute(command)
    ? [command]
    : path
        .split(delimiter)
        .filter(isAbsolute)
        .map((folder) => join(folder, command))
  for (const candidate of candidates) if (await isExecutable(candidate)) return candidate
  return null
}

const isExecutable = async (path: string): Promise<boolean> => {
  try {
    await access(path, constants.X_OK)
    return (await stat(path)).isFile()
  } catch {
    // What cannot be looked at cannot be run either.
    return false
  }
}
