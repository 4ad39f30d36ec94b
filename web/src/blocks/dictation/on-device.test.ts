import { afterEach, expect, test } from 'vitest'
import { canRecognise, startRecogniser } from './on-device.ts'

/** The part of the Web Speech API that browsers have; what is heard is said by the tests. */
class Recogniser {
  static readonly asked: unknown[] = []
  static last: Recogniser | null = null
  static answer = 'available'
  static available(wanted: unknown): Promise<string> {
    Recogniser.asked.push(wanted)
    return Promise.resolve(Recogniser.answer)
  }
  lang = ''
  continuous = false
  processLocally = false
  starts = 0
  onresult: ((event: unknown) => void) | null = null
  onerror: ((event: unknown) => void) | null = null
  onend: (() => void) | null = null
  constructor() {
    Recogniser.last = this
  }
  start() {
    this.starts += 1
  }
  stop() {
    this.onend?.()
  }
  abort() {
    this.onend?.()
  }
  hear(transcript: string, isFinal: boolean) {
    this.onresult?.({ resultIndex: 0, results: [Object.assign([{ transcript }], { isFinal })] })
  }
}

const put = (found: unknown) => Object.assign(globalThis, { SpeechRecognition: found })
const begin = () => {
  put(Recogniser)
  const heard: unknown[] = []
  const dictation = startRecogniser('en', {
    onText: (text) => heard.push(text),
    onLevel: () => undefined,
    onLost: () => undefined,
    onFailure: (error) => heard.push(error),
  })
  const { last } = Recogniser
  if (!last) throw new Error('nothing was begun')
  return { heard, dictation, last }
}
afterEach(() => put(undefined))

test('a recogniser is offered only where it runs on the device and knows the language', async () => {
  expect(await canRecognise('en')).toBe(false)
  put(class {})
  expect(await canRecognise('en')).toBe(false)
  put(Recogniser)
  expect(await canRecognise('ar')).toBe(true)
  expect(Recogniser.asked).toEqual([{ langs: ['ar'], processLocally: true }])
  for (const answer of ['downloadable', 'unavailable']) {
    Recogniser.answer = answer
    expect(await canRecognise('en')).toBe(false)
  }
  put({ available: () => Promise.reject(new TypeError('no such language')) })
  expect(await canRecognise('en')).toBe(false)
})

test('what is final is taken, a silence ends nothing, and the last words still come', async () => {
  const { heard, dictation, last } = begin()
  expect([last.lang, last.processLocally, last.continuous]).toEqual(['en', true, true])
  last.hear('One', false)
  last.hear(' One two. ', true)
  last.onend?.()
  expect(last.starts).toBe(2)
  await dictation.stop()
  expect(heard).toEqual(['One two.'])
  expect(last.starts).toBe(2)
})

test('what was thrown away is not heard, and a microphone that is blocked is told of once', () => {
  const thrown = begin()
  thrown.dictation.discard()
  thrown.last.hear('Late', true)
  expect(thrown.heard).toEqual([])
  const blocked = begin()
  blocked.last.onerror?.({ error: 'no-speech' })
  blocked.last.onerror?.({ error: 'not-allowed' })
  blocked.last.onerror?.({ error: 'not-allowed' })
  blocked.last.onend?.()
  expect(blocked.heard.map((error) => (error as Error).name)).toEqual(['NotAllowedError'])
  expect(blocked.last.starts).toBe(1)
})
