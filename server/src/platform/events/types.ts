/** The event log: append-only streams that can be followed from any point, with nothing lost and nothing twice. */
export interface Entry<E = unknown> {
  readonly seq: number
  readonly event: E
}

/** Names a stream and whose data key seals its events (null: the instance's). */
export interface StreamName {
  readonly id: string
  readonly accountId: string | null
}

/** The one writer of a stream. Followers in this process see an event at once; it is on disk within 200 ms. */
export interface StreamWriter<E = unknown> {
  readonly lastSeq: number
  append(event: E): number
  /** Resolves when all that was appended is committed. */
  flush(): Promise<void>
  /** Commits, and marks the stream as ended: followers read to the end and stop. */
  close(): Promise<void>
}

export interface EventLog {
  /** Opens a stream for writing by this process alone. `after` continues numbering past it. */
  open<E>(stream: StreamName, options?: { after?: number }): StreamWriter<E>
  /** Appends to a stream that any process may write (account streams). */
  append<E>(stream: StreamName, event: E): Promise<number>
  /** Backfill, cut-over, live; ends when the stream is closed and read, or the signal aborts. */
  follow<E>(stream: StreamName, after: number, signal: AbortSignal): AsyncIterable<Entry<E>>
  /** All that is on disk after `after`. */
  read<E>(stream: StreamName, after: number): Promise<Entry<E>[]>
  /** The last committed sequence, 0 when there is none. */
  lastSeq(streamId: string): Promise<number>
  remove(streamIds: readonly string[]): Promise<void>
}
