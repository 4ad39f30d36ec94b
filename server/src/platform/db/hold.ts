/** Keeps every other process out of a database for as long as a command works on it. */
import type { DatabaseHold } from './postgres/hold.ts'

export type { DatabaseHold }

/** Throws DatabaseLockedError where a server uses it. `frozen`: on a server, nobody else writes either. */
export const holdPlace = async (
  place: { readonly url: string } | { readonly file: string },
  { frozen = false }: { readonly frozen?: boolean } = {},
): Promise<DatabaseHold> => {
  if ('url' in place) return await (await import('./postgres/hold.ts')).holdDatabase(place.url, { frozen })
  const held = (await import('./sqlite/rekey.ts')).holdFile(place.file)
  return { requireHeld: async () => undefined, release: async () => held.release() }
}
