/** Bare samples and WAV files (RIFF, PCM of 16 bits, one channel). */

export const sampleRate = 16_000
const headBytes = 44

/** Joins samples, and says what they are. */
export const packWav = (samples: readonly Uint8Array[]): Uint8Array<ArrayBuffer> => {
  const size = samples.reduce((sum, { length }) => sum + length, 0)
  const wav = Buffer.from(new ArrayBuffer(headBytes + size))
  wav.write('RIFF', 0, 'latin1')
  wav.writeUInt32LE(headBytes - 8 + size, 4)
  wav.write('WAVEfmt ', 8, 'latin1')
  wav.writeUInt32LE(16, 16)
  wav.writeUInt16LE(1, 20)
  wav.writeUInt16LE(1, 22)
  wav.writeUInt32LE(sampleRate, 24)
  wav.writeUInt32LE(sampleRate * 2, 28)
  wav.writeUInt16LE(2, 32)
  wav.writeUInt16LE(16, 34)
  wav.write('data', 36, 'latin1')
  wav.writeUInt32LE(size, 40)
  let at = headBytes
  for (const part of samples) {
    wav.set(part, at)
    at += part.length
  }
  return new Uint8Array(wav.buffer)
}

/** The samples of a WAV that the engine wrote. */
export const samplesOf = (wav: Uint8Array): Uint8Array => wav.subarray(headBytes)
