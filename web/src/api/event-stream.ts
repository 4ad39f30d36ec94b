/** Server-sent events out of bytes as they arrive, cut anywhere. */
import { createParser } from 'eventsource-parser'

export interface StreamEvent {
  /** Its place in the log, or null where the server gave none. */
  id: number | null
  type: string
  data: unknown
}

/** Takes pieces of a stream and gives the events that are complete. Comments and events without data are left out. */
export function createEventParser(): (piece: Uint8Array) => StreamEvent[] {
  const decoder = new TextDecoder()
  let events: StreamEvent[] = []
  const parser = createParser({
    onEvent: ({ id, event, data }) => {
      const place = /^\d+$/.test(id ?? '') ? Number(id) : null
      events.push({ id: place, type: event ?? 'message', data: JSON.parse(data) })
    },
  })
  return (piece) => {
    events = []
    parser.feed(decoder.decode(piece, { stream: true }))
    return events
  }
}
