/** Reads the calendar at an address. It writes nothing. */
import { mostImportBytes, mostImportEvents, type SubscriptionFailure } from '@atrium/contract/calendar'
import { readCalendarFile } from '../../../platform/formats/index.ts'
import { isRefusal } from '../../../platform/http/refusal.ts'
import { fetchPage } from '../../../platform/outbound/fetch-page.ts'
import { OutboundFailure } from '../../../platform/outbound/types.ts'
import type { CalendarContext } from '../context.ts'
import { groupByUid } from '../ics/import.ts'
import { type TakenEvent, takeEntries } from '../ics/take.ts'

export type ReadOutcome =
  | { readonly failure: SubscriptionFailure }
  | {
      /** Keyed, of its bytes. */
      readonly digest: string
      /** What it calls itself; null where it does not. */
      readonly name: string | null
      /** Its events; null: its bytes are those that are known. */
      readonly events: readonly TakenEvent[] | null
    }

const timeoutMs = 20_000

/** Calendar programs write `webcal:` before what is said over HTTPS. */
export const toHttpAddress = (url: string): string => url.replace(/^webcals?:/i, 'https:')

/** `known`: the digest of what was read before. Rejects only when `signal` aborts. */
export const readAddress = async (
  context: Pick<CalendarContext, 'clock' | 'outbound' | 'vault'>,
  url: string,
  known: string | null,
  signal: AbortSignal,
): Promise<ReadOutcome> => {
  const bytes = await fetchBytes(context, url, signal)
  if ('failure' in bytes) return bytes
  const digest = context.vault.blindIndex('calendar-subscription', bytes.text)
  const name = nameIn(bytes.text)
  if (digest === known) return { digest, name, events: null }
  const file = await readCalendarFile(bytes.bytes, mostImportEvents, { signal })
  if ('failure' in file) return { failure: file.failure === 'too_complex' ? 'too_many_events' : 'not_a_calendar' }
  const events: TakenEvent[] = []
  let looked = 0
  for (const [uid, entries] of groupByUid(context, file.entries)) {
    events.push(...takeEntries(uid, entries).events)
    looked += 1
    // Others get their turn meanwhile.
    if (looked % 200 === 0) await new Promise(setImmediate)
  }
  return { digest, name, events }
}

const fetchBytes = async (
  { outbound }: Pick<CalendarContext, 'outbound'>,
  url: string,
  signal: AbortSignal,
): Promise<{ readonly bytes: Uint8Array; readonly text: string } | { readonly failure: SubscriptionFailure }> => {
  try {
    const page = await fetchPage(outbound, url, {
      accept: 'text/calendar, */*;q=0.1',
      maxBytes: mostImportBytes,
      timeoutMs,
      signal,
    })
    if (page.status === 404 || page.status === 410) return { failure: 'not_found' }
    if (page.status === 401 || page.status === 403) return { failure: 'refused' }
    if (page.status !== 200) return { failure: 'unreachable' }
    const text = page.bytes.toString('utf8')
    return /^\uFEFF?\s*BEGIN:VCALENDAR/i.test(text) ? { bytes: page.bytes, text } : { failure: 'not_a_calendar' }
  } catch (error) {
    if (signal.aborted) throw error
    if (isRefusal(error) && error.code === 'url_not_allowed') return { failure: 'not_allowed' }
    if (error instanceof OutboundFailure) return { failure: error.kind === 'too-large' ? 'too_large' : 'unreachable' }
    throw error
  }
}

/** Of the head alone: events may have lines of the same name. */
const nameIn = (text: string): string | null => {
  const head = text.slice(0, 10_000).split(/^BEGIN:V(?!CALENDAR)/im)[0] ?? ''
  const line = /^(?:X-WR-CALNAME|NAME)(?:;[^:\r\n]*)?:(.*)$/im.exec(head.replace(/\r?\n[ \t]/g, ''))
  return line?.[1]?.replace(/\\([\\;,])/g, '$1').trim() || null
}
