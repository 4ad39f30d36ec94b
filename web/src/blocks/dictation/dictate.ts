/** Speech as text, phrase by phrase: by a model of the server, or on the device. */
import type { Preferences } from '@atrium/contract/settings'
import { canRecognise, startRecogniser } from './on-device.ts'
import { startRecording } from './record.ts'
import { chooseModel, transcribe } from './transcribe.ts'
import { tryAgain } from './try-again.ts'

export interface Dictation {
  /** Ends it, and comes back when the last words stand. */
  stop(): Promise<void>
  /** Ends it, and what was said last is thrown away. */
  discard(): void
}

export interface DictationEvents {
  onText(text: string): void
  /** How loud it is just now, from 0 to 1; never told of the device's own recogniser. */
  onLevel(level: number): void
  /** A phrase could not be turned into text; the others go on. */
  onFailure(error: unknown): void
  /** The microphone was unplugged, or the system took it away. */
  onLost(): void
}

/** null: nothing here turns speech into text. Throws the `DOMException` of the browser where there is no microphone. */
export async function startDictation(
  { language, onDevice }: Preferences['dictation'],
  events: DictationEvents,
): Promise<Dictation | null> {
  if (onDevice && (await canRecognise(language))) return startRecogniser(language, events)
  const model = await chooseModel()
  if (!model) return (await canRecognise(language)) ? startRecogniser(language, events) : null
  const left = new AbortController()
  let turn: Promise<unknown> = Promise.resolve()
  const recording = await startRecording({
    onLevel: events.onLevel,
    onLost: events.onLost,
    onPhrase(phrase) {
      // One after the other, so that what was said first stands first.
      turn = turn
        .then(() => tryAgain(() => transcribe(model, phrase, left.signal, language), left.signal))
        .then((text) => {
          if (text && !left.signal.aborted) events.onText(text)
        })
        .catch((error: unknown) => {
          if (!left.signal.aborted) events.onFailure(error)
        })
    },
  })
  return {
    async stop() {
      recording.stop()
      await turn
    },
    discard() {
      left.abort()
      recording.discard()
    },
  }
}
