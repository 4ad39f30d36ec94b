/** Cuts the bytes of a streamed answer into frames. Holds at most one unfinished frame, and that is limited. */
import { createParser } from 'eventsource-parser'
import { awsEvents } from './aws-events.ts'
import { ProviderFailure, type Wire } from './types.ts'

export interface Framing {
  /** The frames that are whole now. Bytes that are no UTF-8 become U+FFFD. Throws `too_large`. */
  push(chunk: Uint8Array): string[]
  /** The last frame, where the stream ended without its line end. */
  end(): string[]
}

/** No sound provider sends a frame near this; an endless line stops here. */
export const maxFrameLength = 4 * 1024 * 1024
/** Where a frame holds a picture, whole and in base64. */
export const maxPictureFrameLength = 24 * 1024 * 1024

export function createFraming(kind: Wire['framing'], maxLength = maxFrameLength): Framing {
  switch (kind) {
    case 'sse':
      return serverSentEvents(maxLength)
    case 'ndjson':
      return lines(maxLength)
    case 'aws-event-stream':
      return awsEvents(maxLength)
  }
}

function serverSentEvents(maxLength: number): Framing {
  const decoder = new TextDecoder()
  let frames: string[] = []
  const parser = createParser({
    maxBufferSize: maxLength,
    onEvent: ({ data }) => {
      if (data !== '') frames.push(data)
    },
    onError: (error) => {
      if (error.type === 'max-buffer-size-exceeded') throw tooLong()
    },
  })
  const feed = (text: string): string[] => {
    parser.feed(text)
    const whole = frames
    frames = []
    return whole
  }
  return {
    push: (chunk) => feed(decoder.decode(chunk, { stream: true })),
    end: () => feed(`${decoder.decode()}\n\n`),
  }
}

function lines(maxLength: number): Framing {
  const decoder = new TextDecoder()
  let rest: string[] = []
  let restLength = 0
  const take = (text: string): string[] => {
    const whole = text.split('\n')
    const last = whole.pop() ?? ''
    if (whole.length > 0) {
      whole[0] = rest.join('') + whole[0]
      rest = []
      restLength = 0
    }
    if (last !== '') rest.push(last)
    restLength += last.length
    if (restLength > maxLength) throw tooLong()
    return whole.filter((line) => line.trim() !== '')
  }
  return {
    push: (chunk) => take(decoder.decode(chunk, { stream: true })),
    end: () => take(`${decoder.decode()}\n`),
  }
}

const tooLong = (): ProviderFailure =>
  new ProviderFailure('too_large', 'The provider sent a single piece larger than any sound answer has.')
