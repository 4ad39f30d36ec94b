/**
 * The binary framing of AWS (application/vnd.amazon.eventstream): a length, headers and a payload in each message, with
 * checksums over both. A frame leaves here as JSON text: `{"kind":"event","name":"…","payload":…}`.
 */
import { loadPackage } from '../platform/load-package.ts'
import type { Framing } from './framing.ts'
import { ProviderFailure } from './types.ts'

/** Length of everything, length of the headers, and a checksum of the two. */
const preludeBytes = 12
/** A message has its prelude and its own checksum at least. */
const smallest = preludeBytes + 4

/** A message with a wrong checksum ends the stream with `malformed`, once what came before it was taken. */
export function awsEvents(maxLength: number): Framing {
  const decoder = new TextDecoder()
  const { EventStreamCodec } = loadPackage('@smithy/eventstream-codec')
  const codec = new EventStreamCodec(
    (bytes) => decoder.decode(typeof bytes === 'string' ? Buffer.from(bytes) : bytes),
    (text) => Buffer.from(text),
  )
  let held: Buffer[] = []
  let heldBytes = 0
  /** Of the message that is being waited for; 0 as long as its prelude is not there. */
  let wanted = 0
  let fault: ProviderFailure | null = null

  const read = (message: Buffer): string => {
    try {
      const { headers, body } = codec.decode(message)
      const header = (name: string): string => {
        const value = headers[name]?.value
        return typeof value === 'string' ? value : ''
      }
      const kind = header(':message-type') || 'event'
      const name = header(':event-type') || header(':exception-type') || header(':error-code')
      const payload = decoder.decode(body)
      return `{"kind":${JSON.stringify(kind)},"name":${JSON.stringify(name)},"payload":${payload.trim() || 'null'}}`
    } catch {
      throw unreadable()
    }
  }

  const cut = (): string[] => {
    const frames: string[] = []
    let bytes = held.length === 1 ? (held[0] as Buffer) : Buffer.concat(held)
    try {
      for (;;) {
        wanted = bytes.length < preludeBytes ? 0 : bytes.readUInt32BE(0)
        if (wanted > maxLength) throw tooLong()
        if (wanted !== 0 && wanted < smallest) throw unreadable()
        if (wanted === 0 || bytes.length < wanted) break
        frames.push(read(bytes.subarray(0, wanted)))
        bytes = bytes.subarray(wanted)
      }
    } catch (error) {
      if (!(error instanceof ProviderFailure)) throw error
      fault = error
      if (frames.length === 0) throw fault
    }
    held = bytes.length > 0 ? [bytes] : []
    heldBytes = bytes.length
    return frames
  }

  return {
    push(chunk) {
      if (fault) throw fault
      held.push(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength))
      heldBytes += chunk.byteLength
      // Nothing is joined before a whole message is there, so that crumbs cost no more than their bytes.
      return heldBytes < (wanted || preludeBytes) ? [] : cut()
    },
    end() {
      if (fault) throw fault
      if (heldBytes > 0) throw new ProviderFailure('malformed', 'The provider broke off in the middle of a piece.')
      return []
    },
  }
}

const unreadable = (): ProviderFailure =>
  new ProviderFailure('malformed', 'The provider sent part of the answer in a form that couldn’t be read.')
const tooLong = (): ProviderFailure =>
  new ProviderFailure('too_large', 'The provider sent a single piece larger than any sound answer has.')
