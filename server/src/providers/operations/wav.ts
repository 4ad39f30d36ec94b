/** Bare samples as a file that plays. Pure. */

export interface SampleShape {
  readonly rate: number
  readonly channels: number
}

/** What speech models give where they say nothing of it. */
export const usualSamples: SampleShape = { rate: 24_000, channels: 1 }

/** 16-bit samples, little end first, behind the head of a WAV file. */
export function toWav(samples: Uint8Array, { rate, channels }: SampleShape = usualSamples): Uint8Array {
  const whole = samples.byteLength - (samples.byteLength % (2 * channels))
  const head = Buffer.alloc(44)
  head.write('RIFF', 0, 'latin1')
  head.writeUInt32LE(36 + whole, 4)
  head.write('WAVEfmt ', 8, 'latin1')
  head.writeUInt32LE(16, 16)
  head.writeUInt16LE(1, 20)
  head.writeUInt16LE(channels, 22)
  head.writeUInt32LE(rate, 24)
  head.writeUInt32LE(rate * channels * 2, 28)
  head.writeUInt16LE(channels * 2, 32)
  head.writeUInt16LE(16, 34)
  head.write('data', 36, 'latin1')
  head.writeUInt32LE(whole, 40)
  return Buffer.concat([head, samples.subarray(0, whole)])
}

/** The shape that `audio/L16;rate=24000;channels=1` tells (RFC 2586). */
export function samplesOf(mediaType: string): SampleShape {
  const figure = (name: string, most: number): number | null => {
    const value = Number(new RegExp(`[;\\s]${name}=(\\d{1,6})`, 'i').exec(mediaType)?.[1] ?? Number.NaN)
    return value > 0 && value <= most ? value : null
  }
  return {
    rate: figure('rate', 192_000) ?? usualSamples.rate,
    channels: figure('channels', 8) ?? usualSamples.channels,
  }
}
