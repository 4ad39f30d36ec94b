/** Recordings as text, in the shapes that the common clients know: whole, or as events. */
import { TranscriptionForm, TranslationForm } from '@atrium/contract/public-api'
import type { Caller, Context, RelayAnswer, UploadedFile } from '../../platform/http/area.ts'
import { readFields } from '../../platform/http/form.ts'
import { fail, isRefusal } from '../../platform/http/refusal.ts'
import { type CallNews, type Transcription, writeSubtitles } from '../../providers/operations/index.ts'
import { followWork } from './follow-work.ts'
import { usageOf } from './image-stream.ts'
import { type MediaDeps, toJsonAnswer } from './media.ts'
import { invalidRequest } from './refusals.ts'
import { formatNamedEvent, toEventAnswer } from './shapes/shape.ts'

/** What a form holds: checked fields and the recording. */
export interface TranscriptionRequest extends TranscriptionForm {
  readonly audio: { readonly name: string; readonly mediaType: string; readonly bytes: Uint8Array }
  /** In English, whatever is spoken. */
  readonly translate: boolean
}

export const readTranscription = async (file: UploadedFile): Promise<TranscriptionRequest> => {
  const { audio, fields } = await readForm(file)
  return { ...readFields(TranscriptionForm, fields), audio, translate: false }
}

export const readTranslation = async (file: UploadedFile): Promise<TranscriptionRequest> => {
  const { audio, fields } = await readForm(file)
  const { model, prompt, response_format, temperature } = readFields(TranslationForm, fields)
  return { model, prompt, response_format, temperature, audio, translate: true }
}

const readForm = async (file: UploadedFile) => {
  if (file.mediaType !== 'multipart/form-data') {
    throw fail('unsupported_media_type', 'Send the recording as multipart/form-data.')
  }
  const form = await file.form().catch((error: unknown) => {
    // It says that it is a form, but not where its parts end.
    if (!isRefusal(error) || error.code !== 'unsupported_media_type') throw error
    throw fail('validation_failed', 'This form couldn’t be read.')
  })
  const audio = form.files.find(({ field }) => field === 'file')
  if (!audio) throw invalidRequest('file', 'is missing')
  return { fields: form.fields, audio }
}

export const createTranscription = async (
  { audio, ...fields }: TranscriptionRequest,
  context: Context<Caller>,
  { others }: MediaDeps,
): Promise<RelayAnswer> => {
  const format = fields.response_format ?? 'json'
  const streams = fields.stream === 'true'
  if (streams && format !== 'json' && format !== 'text') {
    throw invalidRequest('response_format', `${format} comes as a whole: ask for json with stream`)
  }
  const ask = {
    audio: audio.bytes,
    fileName: audio.name || 'recording',
    mediaType: audio.mediaType || 'application/octet-stream',
    language: fields.language,
    prompt: fields.prompt,
    temperature: fields.temperature,
    translate: fields.translate,
    segments: format !== 'json' && format !== 'text',
    stream: streams,
  }
  if (streams) {
    const events = sayTextEvents((heard) =>
      others.ask(context.caller, 'stt', fields.model, ask, context.signal, { heard }),
    )
    return toEventAnswer(events, context.requestId)
  }
  const answer = await others.ask(context.caller, 'stt', fields.model, ask, context.signal)
  // Silence has no times either.
  if (ask.segments && answer.segments.length === 0 && answer.text.trim() !== '') {
    throw invalidRequest('response_format', `${format} needs times, and this model tells none: ask for json or text`)
  }
  return sayTranscription(answer, format, fields.translate ? 'translate' : 'transcribe')
}

/** Words as they are found, then all of them; just these where the provider does not stream. */
async function* sayTextEvents(
  listen: (heard: (news: CallNews) => void) => Promise<Transcription>,
): AsyncGenerator<string> {
  const [delta, done] = ['transcript.text.delta', 'transcript.text.done']
  for await (const step of followWork(listen)) {
    if ('result' in step) {
      const { text, inputTokens, outputTokens } = step.result
      const usage = inputTokens === null ? {} : { usage: { type: 'tokens', ...usageOf(inputTokens, outputTokens) } }
      yield formatNamedEvent(done, { type: done, text, ...usage })
    } else if (step.news.text) yield formatNamedEvent(delta, { type: delta, delta: step.news.text })
  }
}

const sayTranscription = (answer: Transcription, format: string, task: 'transcribe' | 'translate'): RelayAnswer => {
  const plain = (body: string): RelayAnswer => ({ mediaType: 'text/plain; charset=utf-8', body })
  const { text, language, seconds, segments } = answer
  switch (format) {
    case 'text':
      return plain(`${text}\n`)
    case 'srt':
    case 'vtt':
      return plain(writeSubtitles(segments, format))
    case 'verbose_json':
      return toJsonAnswer({
        task,
        language: language ?? (task === 'translate' ? 'english' : ''),
        duration: seconds ?? 0,
        text,
        segments: segments.map((segment, id) => ({ id, ...segment })),
      })
    default:
      return toJsonAnswer({ text })
  }
}
