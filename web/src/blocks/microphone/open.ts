/** The microphone of this device, as samples at 16 kHz. What it hears is kept nowhere. */
import workletUrl from './recorder.worklet.ts?worker&url'
import { measureLoudness, resampleBlock } from './samples.ts'

export interface Microphone {
  /** What the browser made of the wishes: which device it is, whether it takes echoes away. */
  readonly settings: MediaTrackSettings
  /** Whether it still hears: false once it was closed, unplugged or taken away. */
  isOn(): boolean
  close(): void
}

export interface MicrophoneOptions {
  /** One of the devices; without it, the usual one. */
  readonly deviceId?: string | undefined
  /** A twentieth of a second or so at a time, with how loud it was, from 0 to 1. */
  onSamples(samples: Float32Array, level: number): void
  /** It was unplugged, or the system took it away. */
  onLost?(): void
}

/** Throws the `DOMException` of the browser: `NotAllowedError`, `NotFoundError`, `NotReadableError`. */
export async function openMicrophone(
  context: AudioContext,
  { deviceId, onSamples, onLost }: MicrophoneOptions,
): Promise<Microphone> {
  const wishes: MediaTrackConstraints = {
    channelCount: 1,
    echoCancellation: true,
    noiseSuppression: true,
    autoGainControl: true,
  }
  if (deviceId) wishes.deviceId = { exact: deviceId }
  const stream = await navigator.mediaDevices.getUserMedia({ audio: wishes })
  const [track] = stream.getAudioTracks()
  const stop = () => track?.stop()
  const connect = () => {
    const source = context.createMediaStreamSource(stream)
    const recorder = new AudioWorkletNode(context, 'recorder', { numberOfOutputs: 0 })
    let carry: number[] = []
    recorder.port.onmessage = ({ data }: MessageEvent<Float32Array>) => {
      const block = resampleBlock(data, context.sampleRate, carry)
      carry = block.carry
      onSamples(block.samples, measureLoudness(data))
    }
    source.connect(recorder)
    return () => {
      recorder.port.onmessage = null
      source.disconnect()
    }
  }
  let disconnect: () => void
  try {
    await context.audioWorklet.addModule(workletUrl)
    disconnect = connect()
  } catch (error) {
    // Its sound may have been closed meanwhile; the microphone must not stay on for nobody.
    stop()
    throw error
  }
  if (track && onLost) track.onended = onLost
  return {
    settings: track?.getSettings() ?? {},
    isOn: () => track?.readyState === 'live',
    close() {
      disconnect()
      if (track) track.onended = null
      stop()
    },
  }
}

/** Which of the sentences about a microphone fits what went wrong with it; null: something else did. */
export const microphoneFault = (error: unknown): 'notAllowed' | 'noMicrophone' | null => {
  const name = error instanceof DOMException ? error.name : ''
  if (name === 'NotAllowedError') return 'notAllowed'
  return name === 'NotFoundError' || name === 'OverconstrainedError' ? 'noMicrophone' : null
}
