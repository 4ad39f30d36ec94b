/** The ear of a talk: the microphone while it is on, and the turns that it hears. */
import { encodeWav } from '../../lib/wav.ts'
import { type Microphone, openMicrophone } from '../microphone/open.ts'
import { sampleRate } from '../microphone/samples.ts'
import { createTurnDetector } from './turns.ts'

export interface Hearing {
  /** Opens the microphone, in the place of the one that is open. Throws the `DOMException` of the browser. */
  open(deviceId: string | null): Promise<MediaTrackSettings>
  /** Nothing is heard from now on, and the browser shows so. */
  close(): void
  isOn(): boolean
  /** What the open one is; null while none is. */
  settings(): MediaTrackSettings | null
  /** Begins and ends a turn by hand. */
  begin(): void
  finish(): void
  /** Forgets what was heard since the last turn. */
  drop(): void
}

export interface HearingOptions {
  readonly context: AudioContext
  /** Whether what is heard now may be a turn. */
  canHear(): boolean
  /** Whether something is being played that the microphone may hear. */
  isSounding(): boolean
  onLevel(level: number): void
  onSpeech(): void
  /** A WAV file; null where nothing was said. */
  onTurn(turn: Blob | null): void
  onLost(): void
}

export function createHearing(options: HearingOptions): Hearing {
  const detector = createTurnDetector()
  let microphone: Microphone | null = null
  /** Counts what was opened, so that of two that are on their way the last one stays. */
  let opened = 0
  const give = (samples: Float32Array | null) =>
    options.onTurn(samples && new Blob([encodeWav(samples, sampleRate)], { type: 'audio/wav' }))
  const close = () => {
    opened += 1
    microphone?.close()
    microphone = null
    options.onLevel(0)
  }
  return {
    async open(deviceId) {
      close()
      const mine = opened
      const next = await openMicrophone(options.context, {
        deviceId: deviceId ?? undefined,
        onSamples(samples, level) {
          const hears = options.canHear()
          options.onLevel(hears ? level : 0)
          if (!hears) return detector.reset()
          const event = detector.feed(samples, options.isSounding())
          if (event?.kind === 'began') options.onSpeech()
          if (event?.kind === 'ended') give(event.samples)
        },
        onLost: options.onLost,
      })
      if (mine === opened) microphone = next
      else next.close()
      return next.settings
    },
    close,
    isOn: () => microphone?.isOn() === true,
    settings: () => microphone?.settings ?? null,
    begin: () => detector.begin(),
    finish: () => give(detector.finish()),
    drop: () => detector.reset(),
  }
}
