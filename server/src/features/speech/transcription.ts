/** Recordings turned into text: what they are is told by their bytes, and they are not kept. */
import { maxRecordingBytes, type speechRoutes, TranscriptionRequest } from '@atrium/contract/speech'
import type { Features } from '../../core/access/index.ts'
import { type Connections, refusalOf } from '../../core/connections/index.ts'
import { typeOf } from '../../platform/formats/type.ts'
import type { Handlers, UploadedFile } from '../../platform/http/area.ts'
import { readFields } from '../../platform/http/form.ts'
import { fail } from '../../platform/http/refusal.ts'
import { type Transcription, writeSubtitles } from '../../providers/operations/index.ts'
import { createAtOnce } from './at-once.ts'
import { resolveModel } from './resolve.ts'

interface TranscriptionDeps {
  readonly connections: Pick<Connections, 'capability' | 'capabilityModels'>
  readonly features: Pick<Features, 'require' | 'whileAllowed'>
}

export const createTranscription = ({
  connections,
  features,
}: TranscriptionDeps): Handlers<Pick<typeof speechRoutes, 'transcribe'>> => {
  const atOnce = createAtOnce({ perAccount: 2, all: 6 })
  return {
    async transcribe({ file }, { caller, signal }) {
      await features.require('voice-input', caller.accountId)
      const { fields, audio, mediaType, name } = await readRecording(file)
      const usable = await resolveModel(connections, caller.accountId, 'stt', fields)
      const leave = atOnce.enter(caller.accountId)
      try {
        const ask = {
          audio,
          fileName: name,
          mediaType,
          // Providers take the language alone, without a region.
          language: fields.language?.split('-')[0]?.toLowerCase(),
          prompt: fields.prompt,
          segments: true,
          partial: fields.partial === 'true',
        }
        const heard = await features.whileAllowed('voice-input', caller.accountId, signal, (allowed) =>
          usable.call(ask, allowed, { tokenId: caller.token?.id ?? null }),
        )
        const segments = [...heard.segments]
        if (fields.subtitles && segments.length === 0 && heard.text.trim() !== '')
          throw fail('validation_failed', undefined, [
            { path: 'body.subtitles', message: 'this model returns no timestamps, which subtitles need' },
          ])
        return {
          text: heard.text,
          language: heard.language,
          duration: heard.seconds,
          segments,
          subtitles: fields.subtitles ? writeSubtitles(segments, fields.subtitles) : null,
          missing: toMissing(heard),
        }
      } catch (error) {
        throw refusalOf(error)
      } finally {
        leave()
      }
    },
  }
}

const toMissing = ({ missing }: Transcription) =>
  missing ? { start: missing.start, end: missing.end, detail: missing.failure.message } : null

const readRecording = async (file: UploadedFile) => {
  const form = await file.form()
  const fields = readFields(TranscriptionRequest, form.fields)
  const sent = form.files.find(({ field }) => field === 'audio')
  if (!sent) throw fail('validation_failed', undefined, [{ path: 'body.audio', message: 'is missing' }])
  if (sent.bytes.byteLength > maxRecordingBytes) throw fail('too_large', 'Recordings can have at most 25 MB.')
  const type = typeOf(sent)
  if ('failure' in type || type.fileType !== 'audio') throw fail('sound_unsupported')
  return { fields, audio: sent.bytes, mediaType: type.mediaType, name: sent.name || 'recording' }
}
