/** What goes over a WebSocket: one JSON text for each frame, as fast as the other end takes it, and a ping now and then. */
import { WebSocket } from 'ws'
import type { Frame } from './area.ts'

/**
 * Sends frames until they end or the socket closes. A client that answers no ping within `heartbeatMs`, or leaves what
 * was sent to it lying for `stallMs`, is cut off; it comes again with `after`.
 */
export const sendFrames = async (
  line: WebSocket,
  frames: AsyncIterable<Frame<unknown>>,
  { heartbeatMs, stallMs }: { readonly heartbeatMs: number; readonly stallMs: number },
): Promise<void> => {
  const stopBeating = beat(line, heartbeatMs)
  try {
    for await (const frame of frames) {
      if (line.readyState !== WebSocket.OPEN) return
      await send(line, bytesOf(frame), stallMs)
    }
    line.close(1000)
  } finally {
    stopBeating()
  }
}

/** By their frame: one that goes to many sockets is written once. */
const written = new WeakMap<Frame<unknown>, Buffer>()

const bytesOf = (frame: Frame<unknown>): Buffer => {
  const made = written.get(frame)
  if (made) return made
  const { type, data } = frame.event as { type: string; data: unknown }
  const bytes = Buffer.from(JSON.stringify({ seq: frame.seq, type, data }))
  written.set(frame, bytes)
  return bytes
}

/** Resolves when the text was handed to the network: nothing is read from the source before. */
const send = (line: WebSocket, text: Buffer, stallMs: number): Promise<void> =>
  new Promise((sent) => {
    const stalled = setTimeout(() => line.terminate(), stallMs)
    // A socket that closed meanwhile is told by its close.
    line.send(text, { binary: false }, () => {
      clearTimeout(stalled)
      sent()
    })
  })

const beat = (line: WebSocket, heartbeatMs: number): (() => void) => {
  let answered = true
  line.on('pong', () => (answered = true))
  const timer = setInterval(() => {
    if (!answered) return line.terminate()
    answered = false
    line.ping()
  }, heartbeatMs)
  timer.unref()
  const stop = (): void => clearInterval(timer)
  line.once('close', stop)
  return stop
}
