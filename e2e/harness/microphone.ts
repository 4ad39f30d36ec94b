/** What the microphone of a browser hears in tests: the built-in voice, and then quiet, again and again. */
import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { speakEnglish } from '../../server/src/platform/voice/index.ts'

/** Of what the built-in voice speaks, and of what pages record. */
export const sampleRate = 16_000

/** Arguments for Chromium, whose microphone begins to hear this anew each time it is opened. */
export async function hearInLoop(text: string, quietSeconds: number): Promise<string[]> {
  const spoken = await speakEnglish(text, { voice: 'slt' })
  if (!spoken) throw new Error('the built-in voice says nothing but English')
  const sound = Buffer.concat([spoken, Buffer.alloc(quietSeconds * sampleRate * 2)])
  sound.writeUInt32LE(sound.length - 8, 4)
  sound.writeUInt32LE(sound.length - 44, 40)
  const file = join(await mkdtemp(join(tmpdir(), 'atrium-microphone-')), 'talk.wav')
  await writeFile(file, sound)
  return [
    '--use-fake-device-for-media-stream',
    '--use-fake-ui-for-media-stream',
    `--use-file-for-fake-audio-capture=${file}`,
  ]
}
