/**
 * What a model is told of artifacts that were changed since it last saw them: by what it was told of its calls, and, of
 * those that came of blocks of its answers, by who wrote what stands.
 */
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

/** null: nothing changed. */
export const describeChanges = async (
  { artifacts }: Pick<ArtifactsContext, 'artifacts'>,
  calls: readonly EarlierCall[],
  { accountId, chatId }: { readonly accountId: string; readonly chatId: string | null },
): Promise<string | null> => {
  const seen = new Map([...seenIn(calls)].slice(-mostLookedUp))
  const standing = seen.size === 0 ? new Map() : await artifacts.versionsOf(accountId, [...seen.keys()])
  const changed = [...seen].flatMap(([id, { title, version }]) => {
    const now = standing.get(id) ?? 0
    return now > version ? [lineOf({ id, title, version: now })] : []
  })
  const edited = chatId === null ? [] : await artifacts.editedInChat(accountId, chatId, mostLookedUp)
  const ofBlocks = edited.filter(({ id }) => !seen.has(id)).map(lineOf)
  const lines = [
    changed.length > 0 && `[Changed since you last saw it: ${toldOf(changed)}]`,
    ofBlocks.length > 0 && `[Made in this chat, and edited by the user since: ${toldOf(ofBlocks)}]`,
  ]
  return lines.filter((line) => line !== false).join('\n') || null
}

const lineOf = ({ id, title, version }: Found): string => `“${nameLine(title, 80)}” (id ${id}, now version ${version})`
const toldOf = (lines: readonly string[]): string =>
  `${lines.slice(-mostTold).join('; ')}. Call ${reader} before you change or describe it.`

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
