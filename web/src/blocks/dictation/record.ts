/** The microphone of this device, as phrases. What is recorded is kept nowhere. */
import workletUrl from './recorder.worklet.ts?worker&url'
import { encodeWav } from '../../lib/wav.ts'
import { createPhraseCutter, measureLoudness, resampleBlock, sampleRate } from './phrases.ts'

export interface Recording {
  /** Ends it; what was said last still comes. */
  stop(): void
  /** Ends it, and what was said last is thrown away. */
  discard(): void
}

export interface RecordOptions {
  /** A WAV file for each phrase. */
  onPhrase(phrase: Blob): void
  /** How loud it is just now, from 0 to 1. */
  onLevel(level: number): void
}

/** Throws the `DOMException` of the browser: `NotAllowedError`, `NotFoundError`, `NotReadableError`. */
export async function startRecording({ onPhrase, onLevel }: RecordOptions): Promise<Recording> {
  const stream = await navigator.mediaDevices.getUserMedia({
    audio: { channelCount: 1, echoCancellation: true, noiseSuppression: true, autoGainControl: true },
  })
  const context = new AudioContext()
  const close = () => {
    for (const track of stream.getTracks()) track.stop()
    void context.close()
  }
  try {
    await context.audioWorklet.addModule(workletUrl)
  } catch (error) {
    close()
    throw error
  }
  const cutter = createPhraseCutter()
  const source = context.createMediaStreamSource(stream)
  const recorder = new AudioWorkletNode(context, 'recorder', { numberOfOutputs: 0 })
  let carry: number[] = []
  const give = (phrase: Float32Array | null) => {
    if (phrase) onPhrase(new Blob([encodeWav(phrase, sampleRate)], { type: 'audio/wav' }))
  }
  recorder.port.onmessage = ({ data }: MessageEvent<Float32Array>) => {
    onLevel(measureLoudness(data))
    const block = resampleBlock(data, context.sampleRate, carry)
    carry = block.carry
    give(cutter.feed(block.samples))
  }
  source.connect(recorder)
  let isOver = false
  /** Whether it was on until now. */
  const end = (): boolean => {
    if (isOver) return false
    isOver = true
    recorder.port.onmessage = null
    source.disconnect()
    close()
    return true
  }
  return {
    stop() {
      if (end()) give(cutter.flush())
    },
    discard: () => void end(),
  }
}
