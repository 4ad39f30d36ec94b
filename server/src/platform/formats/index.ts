/**
 * Reading files: what a file is, and what stands in it. Reading runs in a process of its own with a limit
 * on time and memory, so that a hostile file fails alone.
 */
import { WorkFailure } from '../work/failure.ts'
import { runInProcess } from '../work/process.ts'
import type { CalendarFile } from './calendar/types.ts'
import type { Article } from './text/html/article.ts'
import type { ReadFailure, ReadRequest, ReadResult } from './types.ts'

export type { CalendarEntry, CalendarFile, CalendarMoment, EntryFault } from './calendar/types.ts'
export type { Article } from './text/html/article.ts'
export type * from './types.ts'

export interface ReadLimits {
  readonly signal?: AbortSignal
  /** Default by size: 10 s of work, and 5 s more for each MB; four times as long on a machine that is busy otherwise. */
  readonly timeoutMs?: number
  /** Of the whole process. Default 512. */
  readonly memoryMb?: number
}

/** Reads a file. A bad file is an answer; WorkFailure `aborted` is thrown when `signal` calls it off. */
export const readFile = async (request: ReadRequest, limits: ReadLimits = {}): Promise<ReadResult> =>
  request.bytes.length === 0 ? { failure: 'empty' } : apart('read', request, request.bytes.length, limits)

/** Reads the article of a web page, or the whole page where none can be told from the rest. As readFile otherwise. */
export const readHtmlPage = (
  html: string,
  limits: ReadLimits = {},
): Promise<Article | { readonly failure: ReadFailure }> => apart('readPage', html, html.length, limits)

/**
 * Reads the events of a file of iCalendar, at most so many: more fail with `too_complex`, and what is no whole calendar
 * with `damaged`. As readFile otherwise.
 */
export const readCalendarFile = (
  bytes: Uint8Array,
  most: number,
  limits: ReadLimits = {},
): Promise<CalendarFile | { readonly failure: ReadFailure }> =>
  apart('readCalendar', { bytes, most }, bytes.length, limits)

const apart = async <I, O>(
  task: string,
  input: I,
  size: number,
  limits: ReadLimits,
): Promise<O | { readonly failure: ReadFailure }> => {
  const workMs = 10_000 + Math.ceil((size / 1e6) * 5_000)
  try {
    return await runInProcess<I, O>(new URL('./read.ts', import.meta.url), task, input, {
      signal: limits.signal,
      timeoutMs: limits.timeoutMs ?? workMs * 4,
      processorMs: workMs,
      memoryMb: limits.memoryMb ?? 512,
    })
  } catch (error) {
    const failure = error instanceof WorkFailure ? failures[error.kind] : undefined
    if (!failure) throw error
    return { failure }
  }
}

/** A process that ends without an answer was ended by the file; `failed` and `aborted` are not the file's fault. */
const failures: Partial<Record<WorkFailure['kind'], ReadFailure>> = {
  timeout: 'timeout',
  memory: 'too_complex',
  crashed: 'damaged',
}
