/** What a provider wants back with the next turn, kept within bounds: the oldest goes first. */
import type { Part } from '../../providers/types.ts'
import type { Kept } from './types.ts'

export const maxKeptItems = 64
export const maxKeptBytes = 90_000

export interface Keeping {
  take(part: Part & { type: 'replay' }): void
  /** null when there is nothing to keep. */
  kept(): Kept | null
}

export const createKeeping = (): Keeping => {
  let wire = ''
  let entries: { readonly item: unknown; readonly bytes: number }[] = []
  let total = 0
  return {
    take(part) {
      if (part.wire !== wire) {
        wire = part.wire
        entries = []
        total = 0
      }
      const bytes = Buffer.byteLength(JSON.stringify(part.item) ?? '')
      entries.push({ item: part.item, bytes })
      total += bytes
      while (entries.length > maxKeptItems || total > maxKeptBytes) total -= entries.shift()?.bytes ?? 0
    },
    kept: () => (entries.length === 0 ? null : { wire, items: entries.map((entry) => entry.item) }),
  }
}
