/** How much of a stream is read from disk at once. */
import type { BatchRow } from './tables.ts'

/** Sealed bytes that are held while they are read, about. */
const pageBytes = 64 * 1024
/** Before it is known how large the batches of a stream are. */
export const firstBatches = 4

/** The number of batches of the next page: whoever does not read holds its page for as long, so pages are of bytes. */
export const nextPage = (rows: readonly BatchRow[], limit: number, most: number): number => {
  const bytes = rows.reduce((sum, { payload }) => sum + payload.byteLength, 1)
  return Math.max(1, Math.min(most, Math.floor((limit * pageBytes) / bytes)))
}
