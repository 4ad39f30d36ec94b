/** `/inference` of whisper.cpp's server: its one model, and a WAV in a form (its examples/server). */
import { json } from '../writing.ts'
import { formOf, type Maker } from './call.ts'

export const whisperCpp: Maker = (_state, call, res) => {
  if (call.method !== 'POST' || call.url.pathname !== '/inference') return false
  const form = formOf(call)
  const file = form?.files.find(({ field }) => field === 'file')
  if (!form || !file) return json(res, 400, { error: 'no "file" field in the request' })
  if (file.bytes.toString('latin1', 0, 4) !== 'RIFF') return json(res, 400, { error: 'failed to read audio data' })
  const text = ` I heard ${file.bytes.length} bytes.\n`
  if (form.fields['response_format'] !== 'verbose_json') return json(res, 200, { text })
  json(res, 200, {
    task: form.fields['translate'] === 'true' ? 'translate' : 'transcribe',
    language: 'english',
    duration: 2.5,
    text,
    segments: [{ id: 0, text: text.trimEnd(), start: 0, end: 2.5, tokens: [1, 2], words: [], temperature: 0 }],
    detected_language: 'english',
  })
}
