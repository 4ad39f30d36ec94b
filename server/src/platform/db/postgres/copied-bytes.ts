/**
 * One large value, as it is: an ordinary answer would be hexadecimal text of twice its size, which the driver gathers in
 * ever larger buffers. COPY sends its bytes, here in slices that fit in the buffers that the driver has anyway.
 */
import pg from 'pg'
import type { BytesPlace } from '../types.ts'

const sliceBytes = 32 * 1024
/** Before the first row: a signature, flags, and the length of what follows them (PostgreSQL, "COPY", binary format). */
const signature = Buffer.from('PGCOPY\n\xff\r\n\0', 'latin1')
const headBytes = signature.length + 8

/** The statement whose rows `createBytesReader` reads: how long all of it is, and a slice of it. */
const copyStatement = ({ table, column, where }: BytesPlace): string => {
  const conditions = Object.entries(where).map(
    ([name, value]) =>
      `${pg.escapeIdentifier(name)} = ${typeof value === 'number' ? String(value) : pg.escapeLiteral(value)}`,
  )
  const value = pg.escapeIdentifier(column)
  return `copy (select octet_length(${value}), substring(${value} from place + 1 for ${sliceBytes})
    from ${pg.escapeIdentifier(table)}, generate_series(0, greatest(octet_length(${value}) - 1, 0), ${sliceBytes}) as place
    where ${conditions.join(' and ')} order by place) to stdout (format binary)`
}

/** Puts one value together: `row` takes what one message holds, which is never a part of a row; null: there was none. */
const createBytesReader = () => {
  let bytes: Uint8Array | null = null
  let filled = 0
  return {
    row(message: Buffer): void {
      const isFirst = message.subarray(0, signature.length).equals(signature)
      const at = isFirst ? headBytes + message.readInt32BE(headBytes - 4) : 0
      // The end has no fields, and nothing is as long as null.
      if (message.length < at + 6 || message.readInt16BE(at) !== 2 || message.readInt32BE(at + 2) < 0) return
      bytes ??= new Uint8Array(message.readInt32BE(at + 6))
      const length = message.readInt32BE(at + 10)
      bytes.set(message.subarray(at + 14, at + 14 + length), filled)
      filled += length
    },
    end(): Uint8Array | null {
      if (bytes && filled !== bytes.byteLength) throw new Error('a value was not sent whole')
      return bytes
    },
  }
}

/** As `pg` asks it of whatever it is given to run. */
interface Copying extends pg.Submittable {
  readonly query_timeout: number | undefined
  callback: (error: Error | null) => void
  handleRowDescription(): void
  handleCopyData(message: { readonly chunk: Buffer }): void
  handleCommandComplete(): void
  handleError(error: Error): void
  handleReadyForQuery(): void
}

/** Reads one value over a connection; null where there is no such row. `timeoutMs`: absent, that of the pool holds. */
export const copyBytes = async (
  client: pg.ClientBase,
  place: BytesPlace,
  timeoutMs: number | undefined,
): Promise<Uint8Array | null> => {
  const reader = createBytesReader()
  const copied = Promise.withResolvers<void>()
  let hasFailed = false
  let unreadable: unknown = null
  const copying: Copying = {
    query_timeout: timeoutMs,
    // The driver puts its own in the place of this one, which hears of its limit as well.
    callback: (error) => (error ? copied.reject(error) : copied.resolve()),
    submit: (connection: pg.Connection) => connection.query(copyStatement(place)),
    handleRowDescription: () => undefined,
    handleCopyData({ chunk }) {
      try {
        reader.row(chunk)
      } catch (error) {
        // Thrown in here, it would end the process. It is told below.
        unreadable ??= error
      }
    },
    handleCommandComplete: () => undefined,
    handleError(error) {
      hasFailed = true
      copying.callback(error)
    },
    handleReadyForQuery() {
      if (!hasFailed) copying.callback(null)
    },
  }
  client.query(copying)
  await copied.promise
  if (unreadable !== null) throw unreadable
  return reader.end()
}
