/** What a model is told of artifacts that were changed since it last saw them, by what it was told of its calls. */
import type { EarlierCall } from '../../platform/areas/tool.ts'
import { nameLine } from '../../platform/areas/tool-text.ts'
import type { ArtifactsContext } from './context.ts'

interface Seen {
  /** As the model knows it: it may have been renamed since by whoever it is shared with. */
  readonly title: string
  readonly version: number
}

const writers: ReadonlySet<string> = new Set(['create_artifact', 'update_artifact'])
const reader = 'read_artifact'
const mostLookedUp = 50
const mostTold = 5

/** One statement where the calls are about artifacts, and none where they are not. null: nothing changed. */
export const describeChanges = async (
  { artifacts }: Pick<ArtifactsContext, 'artifacts'>,
  calls: readonly EarlierCall[],
  accountId: string,
): Promise<string | null> => {
  const seen = new Map([...seenIn(calls)].slice(-mostLookedUp))
  if (seen.size === 0) return null
  const standing = await artifacts.versionsOf(accountId, [...seen.keys()])
  const changed = [...seen].flatMap(([id, { title, version }]) => {
    const now = standing.get(id) ?? 0
    return now > version ? [`“${nameLine(title, 80)}” (id ${id}, now version ${now})`] : []
  })
  if (changed.length === 0) return null
  const told = changed.slice(-mostTold).join('; ')
  return `[Changed since you last saw it: ${told}. Call ${reader} before you change or describe it.]`
}

/** The last version of each that the model saw, by id. */
const seenIn = (calls: readonly EarlierCall[]): Map<string, Seen> => {
  const seen = new Map<string, Seen>()
  for (const { name, arguments: args, text } of calls) {
    const found = name === reader ? readIn(args, text) : writers.has(name) ? writtenIn(text) : null
    if (!found || found.version < (seen.get(found.id)?.version ?? 0)) continue
    // The last one that it saw stands last.
    seen.delete(found.id)
    seen.set(found.id, { title: found.title, version: found.version })
  }
  return seen
}

type Found = Seen & { readonly id: string }

/** As `toldOf` in `tools.ts` words it. */
const writtenIn = (text: string): Found | null => {
  const [, title, id, version] =
    /^(?:Created|Changed) “(.*)”\. Its id is (\S{1,200}), its version (\d+)\. /m.exec(text) ?? []
  return title === undefined || id === undefined ? null : { id, title, version: Number(version) }
}

/** As `read_artifact` words it. */
const readIn = (args: string, text: string): Found | null => {
  const [, title, version] = /^“(.*)”, [a-z]+, version (\d+), written by /m.exec(text) ?? []
  const id = idIn(args)
  return title === undefined || id === null ? null : { id, title, version: Number(version) }
}

const idIn = (args: string): string | null => {
  try {
    const { id } = JSON.parse(args) as { readonly id?: unknown }
    return typeof id === 'string' ? id : null
  } catch {
    // A model wrote it; nothing was read by a call that was no JSON.
    return null
  }
}
