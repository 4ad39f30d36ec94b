/** Events as they stand on disk: batches of consecutive events, each a sealed JSON array. */
import type { Keyring } from '../vault/types.ts'
import type { BatchRow } from './tables.ts'
import type { Entry } from './types.ts'

const place = 'event_batches.payload'
/** About as much text as one row should hold; a single larger event still makes one row. */
const rowLength = 128 * 1024

/** Seals entries whose numbers follow each other. `createdAt` in milliseconds. */
export const sealBatches = (
  keyring: Keyring,
  streamId: string,
  entries: readonly Entry[],
  createdAt: number,
): BatchRow[] => {
  const rows: BatchRow[] = []
  let texts: string[] = []
  let length = 0
  const cut = (lastSeq: number): void => {
    const first = lastSeq - texts.length + 1
    const payload = keyring.seal(place, rowId(streamId, first), `[${texts.join(',')}]`)
    rows.push({ stream_id: streamId, first_seq: first, last_seq: lastSeq, payload, created_at: createdAt })
    texts = []
    length = 0
  }
  for (const { seq, event } of entries) {
    const text = JSON.stringify(event)
    if (length > 0 && length + text.length > rowLength) cut(seq - 1)
    texts.push(text)
    length += text.length
  }
  if (texts.length > 0) cut(entries.at(-1)?.seq ?? 0)
  return rows
}

/** Opens a batch. Leaves out what is not after `after`. */
export const openBatch = (keyring: Keyring, row: BatchRow, after: number): Entry[] => {
  const events = JSON.parse(keyring.open(place, rowId(row.stream_id, row.first_seq), row.payload)) as unknown[]
  const entries: Entry[] = []
  events.forEach((event, index) => {
    const seq = row.first_seq + index
    if (seq > after) entries.push({ seq, event })
  })
  return entries
}

const rowId = (streamId: string, firstSeq: number): string => `${streamId}:${firstSeq}`
