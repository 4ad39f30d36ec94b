/** Sound that is handed on while it comes. */
import type { Speech } from '../../../providers/operations/index.ts'
import { refusalOf } from './refusals.ts'

/**
 * The sound, whose failures are refusals; calls `left` when it has ended, failed or was left. An iterator rather than a
 * generator: one that is left before it began ends as well.
 */
export const soundWithEnd = (sound: Speech['body'], left: () => void): Speech['body'] => ({
  async next() {
    try {
      const piece = await sound.next()
      if (piece.done) left()
      return piece
    } catch (error) {
      left()
      throw refusalOf(error)
    }
  },
  async return() {
    left()
    await sound.return?.()
    return { value: undefined, done: true }
  },
  [Symbol.asyncIterator]() {
    return this
  },
})
