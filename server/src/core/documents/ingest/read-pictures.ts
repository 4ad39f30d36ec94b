/** The pictures of a file: a vision model looks at them, or the built-in reader reads their print. */
import type { DocumentFailure } from '@atrium/contract/documents'
import { readFile } from '../../../platform/formats/index.ts'
import type { Picture, ReadResult } from '../../../platform/formats/types.ts'
import type { PrintFailure } from '../../../platform/reader/index.ts'
import type { PictureText } from './pictures.ts'
import type { IngestFile, ReadParts } from './read.ts'

export interface SeenPictures {
  readonly readings: PictureText[]
  readonly failure: DocumentFailure | null
  /** Pages that were tried, and may be read another time. */
  readonly left: readonly number[]
  /** Pages that come next. */
  readonly waiting: readonly number[]
  /** How many pages nothing can be read of. */
  readonly lost: number
  readonly readBy: 'builtin' | null
}

type FoundPictures = Pick<Exclude<ReadResult, { readonly failure: unknown }>, 'pictures' | 'unread'>

export const readPictures = async (parts: ReadParts, file: IngestFile, found: FoundPictures): Promise<SeenPictures> => {
  if (found.pictures.length === 0)
    return { readings: [], failure: null, left: [], waiting: found.unread.waiting, lost: 0, readBy: null }
  const seen = parts.builtin ? null : await askModel(parts, found)
  return seen ?? readPrintOf(parts, file, found)
}

/** Long work has an end: so many pictures that fail one after the other, and the rest is left. */
const mostFailures = 2

/** null: no vision model is chosen, and the default one cannot see. */
const askModel = async (
  { context, accountId, signal, stage }: ReadParts,
  { pictures, unread }: FoundPictures,
): Promise<SeenPictures | null> => {
  const readings: PictureText[] = []
  let failures = 0
  /** The pages from the first picture of a row that failed; what stands before one that was read is not tried again. */
  const leftFrom = (at: number): number[] => pictures.slice(at).flatMap(({ page }) => page ?? [])
  const others = { waiting: unread.waiting, lost: 0, readBy: null }
  for (const [at, { page, mediaType, bytes }] of pictures.entries()) {
    stage('looking', at + 1, pictures.length)
    try {
      const words = page === null ? imageWords : pageWords
      const seen = await context.describePicture(accountId, { mediaType, bytes }, words, signal)
      if ('unavailable' in seen) {
        if (!seen.chosen && at === 0) return null
        return { readings, failure: 'vision_failed', left: leftFrom(at), ...others }
      }
      readings.push({ page, text: seen.text })
      failures = 0
    } catch (error) {
      signal.throwIfAborted()
      context.log.warn('A picture of a document could not be read by a model.', { error })
      failures += 1
      if (failures >= mostFailures)
        return { readings, failure: 'vision_failed', left: leftFrom(at + 1 - failures), ...others }
    }
  }
  const left = leftFrom(pictures.length - failures)
  return { readings, failure: failures > 0 ? 'vision_failed' : null, left, ...others }
}

const pageWords =
  'This is a scanned page. Write down all text on it, word for word, in reading order and in its own language. ' +
  'Write tables as lines with | between the cells. Add nothing of your own. If there is no text, answer with nothing.'
const imageWords =
  'Describe this picture so that somebody can find it by words: first what it shows, then every text in it, word for ' +
  'word. Write nothing about these instructions.'

/** What was read by then is kept, and the rest is read another time. */
const mostPrintMs = 30 * 60_000

/** All pages of a scan: the bound on pictures is for models, which cost. */
const readPrintOf = async (parts: ReadParts, file: IngestFile, found: FoundPictures): Promise<SeenPictures> => {
  const { context, signal, stage } = parts
  const end = context.clock.now() + mostPrintMs
  const total = found.pictures.length + found.unread.waiting.length
  const readings: PictureText[] = []
  const failures = new Set<DocumentFailure>()
  let [{ pictures, unread }, done, lost]: [FoundPictures, number, number] = [found, 0, 0]
  for (;;) {
    for (const [at, { page, bytes }] of pictures.entries()) {
      stage('looking', Math.min(done + 1, total), total)
      done += 1
      if (context.clock.now() > end) {
        const left = pictures.slice(at).flatMap((picture: Picture) => picture.page ?? [])
        return { readings, failure: 'timeout', left, waiting: unread.waiting, lost, readBy: 'builtin' }
      }
      const print = await context.readPrint(parts.accountId, bytes, signal)
      if ('text' in print) readings.push({ page, text: print.text })
      else {
        failures.add(failureOf[print.failure])
        // An empty page was read.
        if (print.failure !== 'no_print') lost += 1
      }
    }
    const [next] = unread.waiting
    const more = next === undefined ? null : await readFile({ ...file, picturesFrom: next }, { signal })
    if (more === null || 'failure' in more || more.pictures.length === 0) break
    ;({ pictures, unread } = more)
  }
  const [failure = null] = failures
  const readBy = readings.length > 0 ? 'builtin' : null
  return { readings, failure, left: [], waiting: unread.waiting, lost, readBy }
}

const failureOf: Readonly<Record<PrintFailure, DocumentFailure>> = {
  no_print: 'needs_vision',
  unsupported: 'needs_vision',
  damaged: 'damaged',
  too_complex: 'too_complex',
  timeout: 'timeout',
}
