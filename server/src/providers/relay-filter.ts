/** Cuts a relayed stream into whole events, and parses the few that matter. Holds one unfinished event at most. */
import { maxFrameLength } from './framing.ts'
import { type Part, ProviderFailure, type Wire } from './types.ts'

export interface FilterResult {
  /** What may pass, as it came; null when there is nothing. */
  readonly bytes: Uint8Array | null
  /** What was read out of the events that were looked into: usage and the end, for the meter. */
  readonly parts: readonly Part[]
  /** What went wrong behind `bytes`. */
  readonly failure: unknown
}

export interface RelayFilter {
  push(chunk: Uint8Array): FilterResult
  /** The stream ended; a failure when it ended before its end. */
  end(): FilterResult
  /** The end was said: whatever follows is not passed. */
  isDone(): boolean
}

/** `whole`: the provider did not stream, though it was asked to; only its error is of use then. */
export function createRelayFilter(
  wire: Wire,
  { hideUsage, whole }: { hideUsage: boolean; whole: boolean },
): RelayFilter {
  const reader = wire.reader()
  const marks = marksOf[wire.id] ?? []
  /** What came of an event that is not whole, in the pieces that it came in. */
  let rest: Buffer[] = []
  let restBytes = 0
  /** The last bytes of `rest`: an event may end within them and the next piece. */
  let tail: Buffer = emptyBuffer

  /** Whether an event passes; its parts are put to the others. Throws ProviderFailure. */
  const look = (event: Buffer, parts: Part[]): boolean => {
    const at = event.indexOf('data:')
    // Comments and bare event names pass: they keep connections open.
    if (at < 0) return true
    const data = trimmed(event, at + 5)
    if (data.length === 0) return true
    const isObject = data[0] === brace
    if (!isObject && !data.equals(end)) return false
    const matters = !isObject || data[data.length - 1] !== closing || marks.some((mark) => isMarked(data, mark))
    if (!matters) return true
    const found = reader.frame(data.toString())
    for (const part of found) parts.push(part)
    return !(hideUsage && found.some((part) => part.type === 'usage') && /"choices":\s*\[\]/.test(data.toString()))
  }

  const filterChunk = (buffer: Buffer): FilterResult => {
    const parts: Part[] = []
    const passed: Buffer[] = []
    let from = 0
    let at = 0
    let failure: unknown
    const boundary = boundaries(buffer)
    try {
      for (let next = boundary(at); next >= 0 && !reader.isDone(); next = boundary(at)) {
        const passes = look(buffer.subarray(at, next), parts)
        if (!passes) {
          if (at > from) passed.push(buffer.subarray(from, at))
          from = next
        }
        at = next
      }
    } catch (error) {
      failure = error
    }
    if (at > from) passed.push(buffer.subarray(from, at))
    rest = at < buffer.length ? [buffer.subarray(at)] : []
    restBytes = buffer.length - at
    tail = buffer.subarray(at).subarray(-2)
    if (failure === undefined && restBytes > maxFrameLength) failure = tooLong()
    return {
      bytes: passed.length === 0 ? null : passed.length === 1 ? passed[0]! : Buffer.concat(passed),
      parts,
      failure,
    }
  }

  return {
    isDone: reader.isDone,
    push(chunk) {
      const fresh = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength)
      rest.push(fresh)
      restBytes += fresh.length
      // Nothing is joined before an event may be whole, so that crumbs cost no more than their bytes.
      const seam = tail.length > 0 ? Buffer.concat([tail, fresh]) : fresh
      tail = seam.subarray(-2)
      if (boundaries(seam)(0) >= 0) return filterChunk(rest.length === 1 ? fresh : Buffer.concat(rest, restBytes))
      return restBytes > maxFrameLength ? { ...nothing, failure: tooLong() } : nothing
    },
    end() {
      const last = rest.length === 0 ? null : Buffer.concat(rest, restBytes)
      rest = []
      restBytes = 0
      if (whole) return { bytes: null, parts: [], failure: notStreamed(wire, last) }
      const sifted = last === null ? nothing : filterChunk(Buffer.concat([last, Buffer.from('\n\n')]))
      if (sifted.failure !== undefined || reader.isDone()) return sifted
      try {
        return { ...sifted, parts: [...sifted.parts, ...reader.end()] }
      } catch (failure) {
        return { ...sifted, failure }
      }
    },
  }
}

const tooLong = () =>
  new ProviderFailure('too_large', 'The provider sent a single piece larger than any sound answer has.')

const emptyBuffer = Buffer.alloc(0)
const nothing: FilterResult = { bytes: null, parts: [], failure: undefined }
const brace = 0x7b
const closing = 0x7d
const end = Buffer.from('[DONE]')

/**
 * What stands in events that matter. Within a JSON string these would be escaped, so text is seldom taken for one of
 * them, and where it is, it is read and nothing found. The value behind a colon, if named, must begin so.
 */
const marksOf: Readonly<Record<string, readonly Mark[]>> = {
  'chat-completions': [
    { word: Buffer.from('"usage"'), value: '{' },
    { word: Buffer.from('"error"'), value: '{"' },
    { word: Buffer.from('"finish_reason"'), value: '"' },
  ],
  responses: [
    { word: Buffer.from('"response.completed"') },
    { word: Buffer.from('"response.incomplete"') },
    { word: Buffer.from('"response.failed"') },
    { word: Buffer.from('"error"'), value: '{"' },
    { word: Buffer.from('"type":"error"') },
  ],
  anthropic: [
    { word: Buffer.from('"message_start"') },
    { word: Buffer.from('"message_delta"') },
    { word: Buffer.from('"message_stop"') },
    { word: Buffer.from('"error"') },
  ],
}

interface Mark {
  readonly word: Buffer
  /** One of these characters begins the value. */
  readonly value?: string
}

function isMarked(data: Buffer, { word, value }: Mark): boolean {
  for (let at = data.indexOf(word); at >= 0; at = data.indexOf(word, at + word.length)) {
    if (value === undefined) return true
    let behind = at + word.length
    while (behind < data.length && (data[behind] === 0x20 || data[behind] === 0x3a)) behind += 1
    if (value.includes(String.fromCharCode(data[behind] ?? 0))) return true
  }
  return false
}

/**
 * Gives the place behind the next empty line that ends an event; -1 when there is none yet. To be asked from the front to
 * the back: of each kind of line end, what was found is not looked for again.
 */
function boundaries(buffer: Buffer): (from: number) => number {
  const finder = (ending: string) => {
    let found = -2
    return (from: number): number => {
      if (found !== -1 && found < from) found = buffer.indexOf(ending, from)
      return found
    }
  }
  const plainFrom = finder('\n\n')
  const returnedFrom = finder('\n\r\n')
  return (from) => {
    const plain = plainFrom(from)
    const returned = returnedFrom(from)
    if (returned >= 0 && (plain < 0 || returned < plain)) return returned + 3
    return plain < 0 ? -1 : plain + 2
  }
}

function trimmed(event: Buffer, from: number): Buffer {
  let start = from
  let stop = event.length
  while (start < stop && isSpace(event[start])) start += 1
  while (stop > start && isSpace(event[stop - 1])) stop -= 1
  return event.subarray(start, stop)
}

const isSpace = (byte: number | undefined): boolean => byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09

function notStreamed(wire: Wire, body: Buffer | null): unknown {
  try {
    wire.reader().frame(body?.toString() ?? '')
  } catch (failure) {
    return failure
  }
  return new ProviderFailure('malformed', 'The provider did not stream its answer, though it was asked to.')
}
