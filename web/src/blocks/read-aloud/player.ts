/**
 * Reads sentences one after the other: the next one is made while one is heard. It goes on while one moves about, and
 * media keys work. Loaded with the first thing that is read.
 */
import { preferencesQuery } from '../../api/account.ts'
import { wordsOf } from '../../api/errors.ts'
import { queryClient } from '../../api/query.ts'
import { encodeWav } from '../../lib/wav.ts'
import { toast } from '../../ui/toaster.tsx'
import { deviceVoiceFor } from './device-voice.ts'
import { clearMark, markSentence } from './mark.ts'
import type { Sentence } from './sentences.ts'
import { soundOf } from './sound.ts'
import { reading } from './state.ts'
import { type Choice, chooseVoice, deviceVoices, speechModelsQuery } from './voices.ts'
import { translate } from 'virtual:words/read-aloud'

interface Session {
  readonly id: string
  readonly title: string
  readonly sentences: readonly Sentence[]
  readonly choice: Choice
  readonly stop: AbortController
  at: number
  speed: number
  /** Whether it is the device that speaks just now. */
  byDevice: boolean
}

let session: Session | null = null
// One element for everything: phones let only the one play that began with a touch.
const audio = new Audio()
audio.preload = 'auto'

/** Begins to read; what was read before ends. Call it in the gesture that asks for it. */
export async function read(id: string, title: string, sentences: readonly Sentence[]): Promise<void> {
  stopReading()
  if (sentences.length === 0) return void toast(translate('read-aloud:nothing'))
  unlock()
  const stopping = new AbortController()
  const starting = { id, title, at: 0, count: sentences.length, text: '', state: 'loading', speed: 1 } as const
  reading.setState({ now: starting })
  try {
    const [{ readAloud }, models, device] = await Promise.all([
      queryClient.ensureQueryData(preferencesQuery),
      // One may have been connected a moment ago.
      queryClient.fetchQuery(speechModelsQuery),
      deviceVoices(),
    ])
    if (reading.getState().now !== starting) return
    const choice = chooseVoice(readAloud, models, device.length > 0)
    if (!choice) {
      reading.setState({ now: null })
      return void toast(translate('read-aloud:noVoice'), { tone: 'danger' })
    }
    session = { id, title, sentences, choice, stop: stopping, at: 0, speed: readAloud.speed, byDevice: false }
    bindMediaKeys(title)
    await play(session)
  } catch (error) {
    fail(error, stopping)
  }
}

export function stopReading(): void {
  session?.stop.abort()
  session = null
  audio.pause()
  if ('speechSynthesis' in globalThis) speechSynthesis.cancel()
  clearMark()
  reading.setState({ now: null })
  if ('mediaSession' in navigator) navigator.mediaSession.playbackState = 'none'
}

export function pauseOrGoOn(): void {
  const { now } = reading.getState()
  if (!session || !now || now.state === 'loading') return
  const pausing = now.state === 'playing'
  if (session.byDevice) {
    if (pausing) speechSynthesis.pause()
    else speechSynthesis.resume()
  } else if (pausing) audio.pause()
  else void audio.play()
  show(session, pausing ? 'paused' : 'playing')
}

/** Goes on with another sentence, so many further on or back. */
export function goBy(by: number): void {
  if (!session) return
  const to = session.at + by
  if (to >= session.sentences.length) return stopReading()
  session.at = Math.max(0, to)
  audio.pause()
  if (session.byDevice) speechSynthesis.cancel()
  const current = session
  play(current).catch((error: unknown) => fail(error, current.stop))
}

export function setSpeed(speed: number): void {
  if (!session) return
  session.speed = speed
  audio.playbackRate = speed
  const { now } = reading.getState()
  if (now) reading.setState({ now: { ...now, speed } })
}

async function play(current: Session): Promise<void> {
  const sentence = current.sentences[current.at]
  if (!sentence) return stopReading()
  const at = current.at
  show(current, 'loading')
  markSentence(sentence.range)
  const { choice } = current
  const voice = await deviceVoiceFor(sentence.text, choice)
  if (session !== current || current.at !== at) return
  current.byDevice = choice.kind === 'device' || voice !== null
  if (choice.kind === 'device' || voice) return speak(current, sentence.text, voice)
  const sound = await soundOf(sentence.text, choice, current.stop.signal)
  // Somebody went elsewhere while it was made.
  if (session !== current || current.at !== at) return
  const next = current.sentences[at + 1]
  if (next) void soundOf(next.text, choice, current.stop.signal).catch(() => undefined)
  const url = URL.createObjectURL(sound)
  const free = () => URL.revokeObjectURL(url)
  audio.onended = () => {
    free()
    if (session === current && current.at === at) goBy(1)
  }
  audio.onerror = () => {
    free()
    if (session === current && current.at === at) fail(new Error(translate('read-aloud:unplayable')), current.stop)
  }
  audio.src = url
  audio.playbackRate = current.speed
  await audio.play()
  show(current, 'playing')
}

function speak(current: Session, text: string, voice: SpeechSynthesisVoice | null): void {
  const at = current.at
  const spoken = new SpeechSynthesisUtterance(text)
  spoken.voice = voice
  spoken.lang = voice?.lang ?? document.documentElement.lang
  spoken.rate = current.speed
  spoken.onend = () => session === current && current.at === at && goBy(1)
  spoken.onerror = ({ error }) => {
    if (error !== 'canceled' && error !== 'interrupted' && session === current)
      fail(new Error(translate('read-aloud:unplayable')), current.stop)
  }
  speechSynthesis.speak(spoken)
  show(current, 'playing')
}

function show({ id, title, at, sentences, speed }: Session, state: 'loading' | 'playing' | 'paused'): void {
  reading.setState({ now: { id, title, at, count: sentences.length, text: sentences[at]?.text ?? '', state, speed } })
  if ('mediaSession' in navigator) navigator.mediaSession.playbackState = state === 'paused' ? 'paused' : 'playing'
}

function fail(error: unknown, { signal }: AbortController): void {
  if (signal.aborted) return
  stopReading()
  toast(`${translate('read-aloud:failed')} ${wordsOf(error)}`, { tone: 'danger' })
}

function bindMediaKeys(title: string): void {
  if (!('mediaSession' in navigator)) return
  navigator.mediaSession.metadata = new MediaMetadata({ title })
  for (const [action, handler] of [
    ['play', pauseOrGoOn],
    ['pause', pauseOrGoOn],
    ['stop', stopReading],
    ['nexttrack', () => goBy(1)],
    ['previoustrack', () => goBy(-1)],
  ] as const)
    navigator.mediaSession.setActionHandler(action, handler)
}

/** A moment of silence in the gesture itself: what comes later may then play on phones, too. */
function unlock(): void {
  const url = URL.createObjectURL(new Blob([encodeWav(new Float32Array(8), 8000)], { type: 'audio/wav' }))
  audio.onended = null
  audio.onerror = null
  audio.src = url
  // It is replaced before long, and nobody hears it: whether it could play does not matter.
  audio.play().catch(() => undefined)
  setTimeout(() => URL.revokeObjectURL(url), 1000)
}
