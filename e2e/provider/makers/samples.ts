/** Small files of every kind that is made: real pictures and sound, and a film as its head tells it. */

/** A picture of one pixel. */
export const pixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

/** Half a second of a tone, 16 bits at 24 kHz. */
export const samples = Buffer.alloc(24_000)
for (let at = 0; at < samples.length / 2; at += 1) samples.writeInt16LE(Math.round(Math.sin(at / 9) * 9000), at * 2)

/** An MP3, a FLAC and an Ogg as their heads tell them: nobody decodes them here. */
export const mp3 = Buffer.concat([Buffer.from('ID3\x04\0\0\0\0\0\0', 'latin1'), Buffer.alloc(2000, 0x55)])
export const flac = Buffer.concat([Buffer.from('fLaC\0\0\0\x22', 'latin1'), Buffer.alloc(2000, 0x55)])
export const ogg = Buffer.concat([Buffer.from('OggS\0\x02', 'latin1'), Buffer.alloc(2000, 0x55)])

/** `samples` as a WAV. */
export const wav = (): Buffer => {
  const head = Buffer.alloc(44)
  head.write('RIFF', 0)
  head.writeUInt32LE(36 + samples.length, 4)
  head.write('WAVEfmt ', 8)
  head.set([16, 0, 0, 0, 1, 0, 1, 0, 0xc0, 0x5d, 0, 0, 0x80, 0xbb, 0, 0, 2, 0, 16, 0], 16)
  head.write('data', 36)
  head.writeUInt32LE(samples.length, 40)
  return Buffer.concat([head, samples])
}

const box = (type: string, ...parts: Buffer[]): Buffer => {
  const body = Buffer.concat(parts)
  const head = Buffer.alloc(8)
  head.writeUInt32BE(body.length + 8, 0)
  head.write(type, 4, 'latin1')
  return Buffer.concat([head, body])
}

/** A film of two seconds without a picture in it: a head of 1,000 units a second. */
export const film = (): Buffer => {
  const movieHead = Buffer.alloc(100)
  movieHead.writeUInt32BE(1000, 12)
  movieHead.writeUInt32BE(2000, 16)
  const brand = Buffer.from('isom\0\0\0\0isommp42', 'latin1')
  return Buffer.concat([box('ftyp', brand), box('moov', box('mvhd', movieHead)), box('mdat', Buffer.alloc(5000, 7))])
}
