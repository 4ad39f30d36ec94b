/** What readers of frames of JSON have in common. */
import type { Part, WireReader } from '../types.ts'
import { type Json, parseFrame } from './json.ts'

/**
 * A reader that gives `frame` each frame as an object, and asks `end` for what is left when the stream ends. Words that
 * are no JSON are passed over, and once `isDone` nothing is read any more.
 */
export const createReader = (wire: {
  readonly isDone: () => boolean
  readonly frame: (frame: Json) => Part[]
  readonly end: () => Part[]
}): WireReader => ({
  isDone: wire.isDone,
  frame(data) {
    if (wire.isDone()) return []
    const frame = parseFrame(data)
    return frame ? wire.frame(frame) : []
  },
  end: () => (wire.isDone() ? [] : wire.end()),
})
