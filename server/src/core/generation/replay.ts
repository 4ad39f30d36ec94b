/** Collects replay data of a provider within bounds: the oldest is dropped first. */
import type { Part } from '../../providers/types.ts'
import type { ReplayData } from './types.ts'

export const maxReplayItems = 64
export const maxReplayBytes = 90_000

export interface ReplayCollector {
  add(part: Part & { type: 'replay' }): void
  /** null when there is nothing to keep. */
  replay(): ReplayData | null
}

export const collectReplay = (): ReplayCollector => {
  let wire = ''
  let entries: { readonly item: unknown; readonly bytes: number }[] = []
  let total = 0
  return {
    add(part) {
      if (part.wire !== wire) {
        wire = part.wire
        entries = []
        total = 0
      }
      const bytes = Buffer.byteLength(JSON.stringify(part.item) ?? '')
      entries.push({ item: part.item, bytes })
      total += bytes
      while (entries.length > maxReplayItems || total > maxReplayBytes) total -= entries.shift()?.bytes ?? 0
    },
    replay: () => (entries.length === 0 ? null : { wire, items: entries.map((entry) => entry.item) }),
  }
}
