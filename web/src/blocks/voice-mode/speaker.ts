/** Says sentences one after the other through the sound of a talk: the next one is made while one is heard. */
import { deviceVoiceFor } from '../read-aloud/device-voice.ts'
import { soundOf } from '../read-aloud/sound.ts'
import type { Choice } from '../read-aloud/voices.ts'
import { retryOffline } from '../../api/retry-offline.ts'

export interface Speaker {
  /** Adds sentences of an answer; `isWhole`: no more of it come. */
  say(sentences: readonly string[], isWhole: boolean): void
  /** Is silent until `release`, which says the sentence from its beginning. */
  hold(): void
  release(): void
  /** Forgets what is left to say. */
  drop(): void
}

export interface SpeakerOptions {
  readonly context: AudioContext
  /** null: nothing can speak, and sentences are only told. */
  readonly choice: Choice | null
  readonly speed: number
  readonly signal: AbortSignal
  onSentence(text: string, isSpoken: boolean): void
  /** A voice of the device speaks, which no echo cancellation knows of. */
  onDeviceVoice(): void
  onPause(): void
  onOver(): void
  onTrouble(error: unknown): void
  onWaiting(on: boolean): void
}

export function createSpeaker(options: SpeakerOptions): Speaker {
  const { context, choice, speed, signal } = options
  let queue: string[] = []
  let at = 0
  let isWhole = false
  let isHeld = false
  /** Ends what is being said or made just now; null while nothing is. */
  let current: AbortController | null = null
  let told = -1
  let isSounding = false

  const pause = () => {
    if (isSounding) options.onPause()
    isSounding = false
  }

  const say = async (text: string, stop: AbortSignal): Promise<void> => {
    const voice = choice && (await deviceVoiceFor(text, choice))
    if (stop.aborted) return
    const tell = () => {
      isSounding = true
      if (told < at) options.onSentence(text, choice !== null)
      told = at
    }
    if (!choice) return tell()
    if (choice.kind === 'device' || voice) {
      options.onDeviceVoice()
      return speakOnDevice(text, { voice, speed, stop, onStart: tell })
    }
    const make = (words: string) => retryOffline(() => soundOf(words, choice, signal, speed), stop, options.onWaiting)
    // A sound that is long in coming, as without a network, is a pause: somebody may speak in it.
    const late = setTimeout(pause, 300)
    const made = await make(text).finally(() => clearTimeout(late))
    const sound = await context.decodeAudioData(await made.arrayBuffer())
    if (stop.aborted) return
    const next = queue[at + 1]
    if (next) void soundOf(next, choice, signal, speed).catch(() => undefined)
    tell()
    await play(context, sound, stop)
  }

  const goOn = (): void => {
    if (current || isHeld) return
    const text = queue[at]
    if (text === undefined) return isWhole ? finish() : pause()
    const stop = new AbortController()
    current = stop
    say(text, stop.signal).then(
      () => {
        if (current !== stop) return
        current = null
        at += 1
        goOn()
      },
      (error: unknown) => {
        if (current !== stop) return
        current = null
        if (!signal.aborted) options.onTrouble(error)
      },
    )
  }
  const finish = () => {
    reset()
    options.onOver()
  }
  const end = () => {
    current?.abort()
    current = null
  }
  const reset = () => {
    end()
    queue = []
    at = 0
    told = -1
    isWhole = isHeld = isSounding = false
  }
  return {
    say(sentences, whole) {
      queue.push(...sentences)
      isWhole = whole
      goOn()
    },
    hold() {
      isHeld = true
      end()
    },
    release() {
      isHeld = false
      goOn()
    },
    drop: reset,
  }
}

/** Resolves when it was heard to its end, or stopped. */
function play(context: AudioContext, sound: AudioBuffer, stop: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const source = context.createBufferSource()
    source.buffer = sound
    source.connect(context.destination)
    source.onended = () => resolve()
    stop.addEventListener('abort', () => source.stop(), { once: true })
    source.start()
  })
}

function speakOnDevice(
  text: string,
  {
    voice,
    speed,
    stop,
    onStart,
  }: { voice: SpeechSynthesisVoice | null; speed: number; stop: AbortSignal; onStart: () => void },
): Promise<void> {
  return new Promise((resolve, reject) => {
    const spoken = new SpeechSynthesisUtterance(text)
    spoken.voice = voice
    spoken.lang = voice?.lang ?? document.documentElement.lang
    spoken.rate = speed
    spoken.onstart = onStart
    spoken.onend = () => resolve()
    spoken.onerror = ({ error }) =>
      error === 'canceled' || error === 'interrupted' ? resolve() : reject(new Error(error))
    stop.addEventListener('abort', () => speechSynthesis.cancel(), { once: true })
    speechSynthesis.speak(spoken)
  })
}
