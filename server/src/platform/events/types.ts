/** The event log: append-only streams that can be followed from any point, with nothing lost and nothing twice. */
import type { AnyTransaction } from '../db/types.ts'

export interface Entry<E = unknown> {
  readonly seq: number
  readonly event: E
}

/** Names a stream and whose data key seals its events (null: the instance's). */
export interface StreamName {
  readonly id: string
  readonly accountId: string | null
}

/** A stream as somebody follows it who may not hear everything of it. */
export interface FollowedStream extends StreamName {
  /** Whether they may hear of an event; null or left out: of every one. Asked anew, it may answer otherwise. */
  readonly admits?: ((entry: Entry) => boolean) | null
}

/** The one writer of a stream. Followers in this process see an event at once; it is on disk within 200 ms. */
export interface StreamWriter<E = unknown> {
  readonly lastSeq: number
  /** Gives the event's place. Events are shared with followers: never change one afterwards. */
  append(event: E): number
  /** Resolves when all that was appended is committed. Rejects after some failed tries; the events stay queued. */
  flush(): Promise<void>
  /** Commits, and marks the stream as ended: followers read to the end and stop. Rejects like `flush`. */
  close(): Promise<void>
  /**
   * Prepares to end the stream with a last event within a transaction of the caller. Until that is settled nothing is
   * appended, and nothing committed by the log itself. Rejects like `flush`.
   */
  prepareEnd(event: E): Promise<StreamEnd>
  /** Gives the stream up to another writer: what is not committed is dropped, and followers here read what is on disk. */
  discard(): void
  /** Whether another process writes the stream now; then nothing of this writer is committed any more. */
  readonly isTaken: boolean
}

/** The end of a stream within a transaction of its caller: rows and end stand or fall together. */
export interface StreamEnd {
  /** The place of the last event. */
  readonly lastSeq: number
  /** Writes what is not on disk yet, the last event, and that the stream has ended. */
  write(trx: AnyTransaction): Promise<void>
  /** Call it once the transaction is over. Followers see the last event where it is committed; else the stream goes on. */
  settle(isCommitted: boolean): void
}

/** Appends to shared streams of one account within transactions of the caller: rows and events stand or fall together. */
export interface Appender {
  /** Gives the event's place. `close` ends the stream with this event. */
  append<E>(trx: AnyTransaction, streamId: string, event: E, options?: { close?: boolean }): Promise<number>
  /**
   * Puts another event in the place of some of this stream that were appended so, for what must not be read again. Those
   * that were pruned stay gone. Followers that read them already are not told.
   */
  replace<E>(trx: AnyTransaction, streamId: string, seqs: readonly number[], event: E): Promise<void>
  /** Wakes the followers of what was appended. Call it after the transaction has committed. */
  announce(): Promise<void>
}

export interface EventLog {
  /**
   * Opens a stream for writing by this process alone. `after` continues numbering past it; `onTaken` hears when another
   * process turns out to write it.
   */
  open<E>(stream: StreamName, options?: { after?: number; onTaken?: () => void }): StreamWriter<E>
  /** Opens a stream whose writer died: numbering goes on past whatever it may have shown without committing it. */
  resume<E>(stream: StreamName): Promise<StreamWriter<E>>
  /** Appends to a stream that any process may write (account streams). Never mixed with `open` on one stream. */
  append<E>(stream: StreamName, event: E, options?: { close?: boolean }): Promise<number>
  /** Appends one event to many of these streams, a hundred in a transaction; those that have ended are left out. */
  appendToEach<E>(streams: readonly StreamName[], event: E): Promise<void>
  /** Prepares appending within transactions; make it before the transaction begins. */
  appender(accountId: string | null): Promise<Appender>
  /**
   * Backfill, cut-over, live; ends when the stream is closed and read, or removed, or the signal aborts. What is written
   * in other processes, or to a shared stream, is read and opened once for all who follow it here at its end.
   * `reset`, of shared streams only: given once, with the place that it goes on from, where `after` is gone: what came
   * next was pruned, or it is beyond what is there. Whoever follows then reads anew what the stream is about.
   */
  follow<E>(
    stream: StreamName,
    after: number,
    signal: AbortSignal,
    options?: { readonly reset?: E },
  ): AsyncIterable<Entry<E>>
  /** All that is on disk after `after`. */
  read<E>(stream: StreamName, after: number): Promise<Entry<E>[]>
  /** The last committed sequence, 0 when there is none. */
  lastSeq(streamId: string): Promise<number>
  /** The last sequences of shared streams that were committed before a time, in milliseconds; 0 where there is none. */
  lastSeqsAt(streamIds: readonly string[], time: number): Promise<ReadonlyMap<string, number>>
  /** Lets a shared stream that was closed go on, within a transaction; one that is not there begins anew. */
  reopen(streamId: string, trx: AnyTransaction): Promise<void>
  remove(streamIds: readonly string[], trx?: AnyTransaction): Promise<void>
  /** Removes every stream of an account, within the transaction that removes the account if one is given. */
  removeAccount(accountId: string, trx?: AnyTransaction): Promise<void>
  /** Drops streams that were closed before a time, and events before it of streams that stay open (all but the last). */
  prune(before: number): Promise<void>
  /** Commits what is queued and stops. Rejects when something could not be committed. */
  stop(): Promise<void>
}
