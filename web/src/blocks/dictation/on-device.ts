/**
 * The browser's own recogniser, offered only where it runs on the device: nothing that a person says goes to the maker of
 * a browser (Web Speech API, `processLocally`).
 */
import type { Dictation, DictationEvents } from './dictate.ts'

interface Recogniser {
  lang: string
  continuous: boolean
  processLocally: boolean
  onresult: ((event: { resultIndex: number; results: ArrayLike<Result> }) => void) | null
  onerror: ((event: { error: string }) => void) | null
  onend: (() => void) | null
  start(): void
  stop(): void
  abort(): void
}
interface Result extends ArrayLike<{ transcript: string }> {
  readonly isFinal: boolean
}
interface RecogniserClass {
  new (): Recogniser
  available?: (wanted: { langs: string[]; processLocally: true }) => Promise<string>
}

const recogniserClass = (): RecogniserClass | undefined =>
  (globalThis as { SpeechRecognition?: RecogniserClass }).SpeechRecognition

const languageOr = (language: string | null): string => language ?? document.documentElement.lang

/** Whether the device itself understands the language; null: that of the page. */
export async function canRecognise(language: string | null): Promise<boolean> {
  const found = recogniserClass()
  // Where Chromium has no window, or is a part of another program, it ends the page that asks.
  if (!found?.available || navigator.webdriver || /Headless|Electron/.test(navigator.userAgent)) return false
  try {
    return (await found.available({ langs: [languageOr(language)], processLocally: true })) === 'available'
  } catch {
    // A browser that knows the question, and not this language.
    return false
  }
}

export function startRecogniser(language: string | null, { onText, onFailure }: DictationEvents): Dictation {
  const Found = recogniserClass()
  if (!Found) throw new Error('This browser recognises no speech.')
  const recogniser = new Found()
  recogniser.lang = languageOr(language)
  recogniser.continuous = true
  recogniser.processLocally = true
  let isOver = false
  let hasEnded: () => void = () => undefined
  const ended = new Promise<void>((resolve) => (hasEnded = resolve))
  recogniser.onresult = ({ resultIndex, results }) => {
    for (let at = resultIndex; at < results.length; at++) {
      const text = results[at]?.isFinal ? results[at]?.[0]?.transcript.trim() : ''
      if (text) onText(text)
    }
  }
  recogniser.onerror = ({ error }) => {
    if (error === 'no-speech' || error === 'aborted' || isOver) return
    isOver = true
    onFailure(error === 'not-allowed' ? new DOMException('', 'NotAllowedError') : new Error(error))
  }
  // It ends by itself after some silence.
  recogniser.onend = () => (isOver ? hasEnded() : recogniser.start())
  recogniser.start()
  return {
    stop() {
      isOver = true
      recogniser.stop()
      return ended
    },
    discard() {
      isOver = true
      recogniser.onresult = null
      recogniser.abort()
    },
  }
}
