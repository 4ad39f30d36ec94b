/**
 * The file in which the operator names programs that are tool servers. It is read once, when the process starts: no route,
 * import or setting adds, changes or shows what stands in it.
 */
import { readFileSync } from 'node:fs'
import { isAbsolute } from 'node:path'
import { z } from 'zod'

/** Ids of servers that are programs begin so. */
const idPrefix = 'stdio-'

const AbsolutePath = z.string().refine(isAbsolute, 'write the whole path')

const Entry = z.object({
  command: z.string().min(1),
  args: z.array(z.string()).default([]),
  /** All that the program gets of an environment. */
  env: z.record(z.string(), z.string()).default({}),
  /** All accounts use one process of it. */
  shared: z.boolean().default(false),
  /** Within bubblewrap: what it may read and write beside its own folder and what `command` and `args` name. */
  readable: z.array(AbsolutePath).default([]),
  writable: z.array(AbsolutePath).default([]),
  /** Within bubblewrap: whether it has the network of this machine. */
  network: z.boolean().default(true),
})
export type StdioEntry = z.infer<typeof Entry>

const File = z.object({
  mcpServers: z.record(z.string().regex(/^[A-Za-z0-9_-]{1,40}$/, 'use letters, digits, _ and - in names'), Entry),
})

/** By the id of the server. Throws a sentence where the file cannot be read. */
export const readStdioFile = (path: string): ReadonlyMap<string, StdioEntry & { readonly name: string }> => {
  const text = readText(path)
  const { success, data, error } = File.safeParse(text)
  if (!success) throw new Error(`TOOLS_STDIO_FILE: ${path} isn’t in the form of mcpServers. ${z.prettifyError(error)}`)
  return new Map(
    Object.entries(data.mcpServers).map(([name, entry]) => [`${idPrefix}${name}`, Object.assign({ name }, entry)]),
  )
}

const readText = (path: string): unknown => {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch {
    throw new Error(`TOOLS_STDIO_FILE: ${path} can’t be read as JSON.`)
  }
}

export const isLocal = ({ id }: { readonly id: string }): boolean => id.startsWith(idPrefix)

/** What stands for an address: it leads nowhere, and names the program as the file does. */
export const localAddress = (name: string): string => `stdio://${name.toLowerCase()}/`
