/** The built-in voice: how much faster it is than speech, and how soon a sentence is there. */
import { speakEnglish, voiceNames } from '../../server/src/platform/voice/index.ts'
import { speakSentences } from '../../server/src/platform/voice/speak.ts'
import { sampleRate } from '../../server/src/platform/voice/wav.ts'
import type { Row } from '../row.ts'

const sentence = 'The ferry leaves at nine in the morning, and comes back before it is dark.'

export async function measureVoice(): Promise<Row[]> {
  const rows: Row[] = []
  for (const voice of voiceNames) {
    speakSentences({ sentences: [sentence], voice, speed: 1 })
    const begun = process.cpuUsage()
    const sound = speakSentences({ sentences: Array.from({ length: 10 }, () => sentence), voice, speed: 1 })
    const { user, system } = process.cpuUsage(begun)
    const seconds = (sound.length - 44) / 2 / sampleRate
    rows.push([`Voice ${voice}`, `${Math.round(seconds / ((user + system) / 1e6))} × real time`, '≥ 40 ×'])
  }
  await speakEnglish(sentence, { voice: 'slt' })
  const times: number[] = []
  for (let n = 0; n < 9; n++) {
    const began = performance.now()
    await speakEnglish(sentence, { voice: 'slt' })
    times.push(performance.now() - began)
  }
  const median = times.toSorted((a, b) => a - b)[4] ?? 0
  rows.push(['A sentence, warm: median', `${Math.round(median)} ms`, '≤ 250 ms'])
  return rows
}
