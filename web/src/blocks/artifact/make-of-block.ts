/** Blocks of answers become artifacts once, however often somebody wants to see them. */
import { createArtifact } from './changes.ts'
import type { MadeArtifact } from './from-block.ts'

/** Those since the page was loaded. */
const made = new Map<string, Promise<string>>()

/** Gives the id of the artifact of a block; `untitled` is what it is called where it says nothing itself. */
export function makeOfBlock(artifact: MadeArtifact, chatId: string, untitled: string): Promise<string> {
  const key = `${chatId} ${artifact.content.trimEnd()}`
  const known = made.get(key)
  if (known) return known
  const coming = createArtifact({ ...artifact, title: artifact.title ?? untitled, chatId, byModel: true }).then(
    ({ id }) => id,
  )
  made.set(key, coming)
  coming.catch(() => made.delete(key))
  return coming
}
