/** What came of the backups at each destination. */
import { z } from 'zod'
import type { Platform } from '../../platform/platform.ts'

/** Times in integer milliseconds; null for never. */
const PlaceState = z.object({
  /** From when on there is none, though they are to be made; null where there is one, or none is to be made. */
  missingSince: z.number().nullable().default(null),
  firstMadeAt: z.number().nullable().default(null),
  lastMadeAt: z.number().nullable().default(null),
  lastTriedAt: z.number().nullable().default(null),
  /** Why the last one was not made; null while all is well. */
  lastFailure: z.string().nullable().default(null),
  lastBytes: z.number().default(0),
  /** When the last one was made that sent everything. */
  wholeAt: z.number().nullable().default(null),
})
export type PlaceState = z.infer<typeof PlaceState>

/** Of all destinations together, as a version before kept it. */
const SharedState = PlaceState.pick({ lastMadeAt: true, lastTriedAt: true, lastFailure: true, lastBytes: true })

const Document = z.object({
  places: z.record(z.string(), PlaceState).default({}),
  /** From when on there is no destination, though backups are to be made. */
  withoutSince: z.number().nullable().default(null),
  ...SharedState.shape,
})
type Document = z.infer<typeof Document>

const nothing = PlaceState.parse({})
const nothingShared = SharedState.parse({})

/** The state of a destination: one that is not told apart yet has what was kept of all together. */
const stateOf = ({ places, lastMadeAt, lastTriedAt, lastFailure, lastBytes }: Document, id: string): PlaceState =>
  places[id] ?? { ...nothing, firstMadeAt: lastMadeAt, lastMadeAt, lastTriedAt, lastFailure, lastBytes }

export const createBackupState = ({ saved, clock }: Pick<Platform, 'clock' | 'saved'>) => {
  const document = saved.document('backup-state', Document)

  const seen = (document: Document, ids: readonly string[], isOn: boolean): Document => {
    const { places, withoutSince } = document
    const next = { ...places }
    for (const id of ids) {
      const before = stateOf(document, id)
      const isMissing = isOn && before.lastMadeAt === null
      next[id] = { ...before, missingSince: isMissing ? (before.missingSince ?? clock.now()) : null }
    }
    return {
      places: next,
      withoutSince: isOn && ids.length === 0 ? (withoutSince ?? clock.now()) : null,
      // It is none of those that are added later.
      ...nothingShared,
    }
  }

  return {
    /** Gives the state of a destination by its id; of one that nobody saw yet, that nothing was made there. */
    async read(): Promise<(destinationId: string) => PlaceState> {
      const known = await document.read()
      return (id) => stateOf(known, id)
    },
    withoutSince: async () => (await document.read()).withoutSince,
    /**
     * Remembers from when on there is no backup, though there should be: who has none is told of it as well. `ids`: the
     * destinations that there are; `isOn`: whether backups are made by themselves.
     */
    async see(ids: readonly string[], isOn: boolean): Promise<void> {
      const before = await document.read()
      if (JSON.stringify(seen(before, ids, isOn)) === JSON.stringify(before)) return
      await document.change((known) => seen(known, ids, isOn))
    },
    async note(id: string, change: (before: PlaceState) => Partial<PlaceState>): Promise<void> {
      await document.change((all) => {
        const before = stateOf(all, id)
        return { ...all, places: { ...all.places, [id]: { ...before, ...change(before) } } }
      })
    },
    async forget(id: string): Promise<void> {
      await document.change(({ places: { [id]: _, ...places }, ...rest }) => ({ ...rest, places }))
    },
  }
}
export type BackupState = ReturnType<typeof createBackupState>
