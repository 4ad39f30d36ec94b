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
    for await (const { seq, event } of frames) {
      if (line.readyState !== WebSocket.OPEN) return
      const { type, data } = event as { type: string; data: unknown }
      await send(line, JSON.stringify({ seq, type, data }), stallMs)
    }
    line.close(1000)
  } finally {
    stopBeating()
  }
}

/** Resolves when the text was handed to the network: nothing is read from the source before. */
const send = (line: WebSocket, text: string, stallMs: number): Promise<void> =>
  new Promise((sent) => {
    const stalled = setTimeout(() => line.terminate(), stallMs)
    // A socket that closed meanwhile is told by its close.
    line.send(text, () => {
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
