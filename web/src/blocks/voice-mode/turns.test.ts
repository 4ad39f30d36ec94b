import { describe, expect, test } from 'vitest'
import { sampleRate } from '../microphone/samples.ts'
import { createTurnDetector } from './turns.ts'

const block = sampleRate / 20
/** A tone of so many seconds; `level` is its amplitude. */
const sound = (level: number, seconds: number): Float32Array[] =>
  Array.from({ length: Math.round(seconds * 20) }, () =>
    Float32Array.from({ length: block }, (_, at) => level * Math.sin(at / 4)),
  )
const [silent, spoken] = [0.001, 0.3]

/** When turns began and ended, in seconds since the start, and how long what was heard of each is. */
const hear = (blocks: readonly Float32Array[], overSound = false) => {
  const detector = createTurnDetector()
  return blocks.flatMap((samples, at) => {
    const event = detector.feed(samples, overSound)
    const seconds = (at + 1) / 20
    if (!event) return []
    return event.kind === 'began'
      ? [`began at ${seconds}`]
      : [`ended at ${seconds} with ${Math.round((event.samples.length / sampleRate) * 10) / 10}`]
  })
}

describe('a turn', () => {
  test('ends after a second and a half of quiet, and has little of the silence around it', () => {
    expect(hear([...sound(silent, 3), ...sound(spoken, 2), ...sound(silent, 2)])).toEqual([
      'began at 3.2',
      'ended at 6.5 with 2.9',
    ])
  })

  test('goes on over a pause for thought', () => {
    const turn = [...sound(spoken, 1), ...sound(silent, 1.2), ...sound(spoken, 1), ...sound(silent, 1.5)]
    expect(hear([...sound(silent, 1), ...turn])).toEqual(['began at 1.2', 'ended at 5.7 with 4.1'])
  })

  test('does not begin by a click, nor by several that lie apart', () => {
    const click = [...sound(spoken, 0.1), ...sound(silent, 0.6)]
    expect(hear([...sound(silent, 1), ...click, ...click, ...click])).toEqual([])
  })

  test('is told from a fan that goes on, and heard over it', () => {
    const fan = 0.05
    // That it goes on is known after a moment.
    const heard = hear([...sound(fan, 10), ...sound(spoken, 1), ...sound(fan, 20)])
    expect(heard.filter((event) => !/at [0-3]\b/.test(event))).toEqual(['began at 10.2', 'ended at 12.5 with 1.9'])
  })

  test('takes more to begin over sound that is played: an echo is nobody who speaks', () => {
    expect(hear([...sound(silent, 1), ...sound(0.05, 0.3), ...sound(silent, 1)])).toContain('began at 1.2')
    expect(hear([...sound(silent, 1), ...sound(spoken, 0.3), ...sound(silent, 1)], true)).toEqual([])
    expect(hear([...sound(silent, 1), ...sound(spoken, 0.5)], true)).toEqual(['began at 1.35'])
  })

  test('that does not end is cut before transcription refuses it', () => {
    expect(hear([...sound(silent, 1), ...sound(spoken, 245)])).toEqual([
      'began at 1.2',
      'ended at 240.45 with 240',
      'began at 240.65',
    ])
  })
})

describe('a turn under a button', () => {
  test('has what was said while it was held, pauses and all', () => {
    const detector = createTurnDetector()
    for (const samples of sound(spoken, 1)) detector.feed(samples)
    detector.begin()
    for (const samples of [...sound(spoken, 1), ...sound(silent, 3), ...sound(spoken, 1)])
      expect(detector.feed(samples)).toBeNull()
    expect(detector.finish()?.length).toBe(5 * sampleRate)
  })

  test('is none where nothing was said', () => {
    const detector = createTurnDetector()
    detector.begin()
    for (const samples of sound(silent, 2)) detector.feed(samples)
    expect(detector.finish()).toBeNull()
    expect(detector.finish()).toBeNull()
  })
})
