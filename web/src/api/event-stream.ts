/** Server-sent events out of bytes as they arrive, cut anywhere. */

export interface StreamEvent {
  /** Its place in the log, or null where the server gave none. */
  id: number | null
  type: string
  data: unknown
}

/** Takes pieces of a stream and gives the events that are complete. Comments and events without data are left out. */
export function createEventParser(): (piece: Uint8Array) => StreamEvent[] {
  const decoder = new TextDecoder()
  let rest = ''
  return (piece) => {
    rest += decoder.decode(piece, { stream: true })
    // A carriage return at the end may be the first half of a line end.
    const whole = rest.endsWith('\r') ? rest.slice(0, -1) : rest
    const frames = whole.replace(/\r\n?/g, '\n').split('\n\n')
    const open = frames.pop() ?? ''
    rest = rest.endsWith('\r') ? `${open}\r` : open
    return frames.flatMap(readFrame)
  }
}

function readFrame(frame: string): StreamEvent[] {
  let id: number | null = null
  let type = 'message'
  const data: string[] = []
  for (const line of frame.split('\n')) {
    const colon = line.indexOf(':')
    if (colon === 0) continue
    const name = colon < 0 ? line : line.slice(0, colon)
    const value = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '')
    if (name === 'data') data.push(value)
    else if (name === 'event') type = value
    else if (name === 'id' && /^\d+$/.test(value)) id = Number(value)
  }
  if (data.length === 0) return []
  return [{ id, type, data: JSON.parse(data.join('\n')) }]
}
