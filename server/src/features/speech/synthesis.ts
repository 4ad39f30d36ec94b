/** Text read aloud: as sound that is handed on while it comes, or whole in base64. */
import type { speechRoutes, SpeechRequest } from '@atrium/contract/speech'
import type { Features } from '../../core/access/index.ts'
import { type Connections, refusalOf, soundWithEnd } from '../../core/connections/index.ts'
import type { Caller, Context, Handlers } from '../../platform/http/area.ts'
import { fail } from '../../platform/http/refusal.ts'
import { charactersIn, figureIn, type Speech } from '../../providers/operations/index.ts'
import { createAtOnce } from './at-once.ts'
import { resolveModel } from './resolve.ts'

interface SynthesisDeps {
  readonly connections: Pick<Connections, 'capability' | 'capabilityModels'>
  readonly features: Pick<Features, 'require' | 'watch'>
}

type Routes = Pick<typeof speechRoutes, 'generate' | 'generateBase64'>

export const createSynthesis = ({ connections, features }: SynthesisDeps): Handlers<Routes> => {
  const atOnce = createAtOnce({ perAccount: 6, all: 16 })

  /** The sound, which gives its place back when it has ended or was left. */
  const speak = async (request: SpeechRequest, { caller, signal }: Context<Caller>): Promise<Speech> => {
    const watched = features.watch('voice-output', caller.accountId, signal)
    let leavePlace: (() => void) | undefined
    const leave = () => {
      watched.end()
      leavePlace?.()
    }
    try {
      // It is watched first: what was taken away meanwhile is seen here or by the watch.
      await features.require('voice-output', caller.accountId)
      const usable = await resolveModel(connections, caller.accountId, 'tts', request)
      requireLength(request.input, figureIn(usable.config, 'max_characters'))
      leavePlace = atOnce.enter(caller.accountId)
      const { input, voice, responseFormat, speed } = request
      const speech = await usable.call({ text: input, voice, format: responseFormat, speed }, watched.signal, {
        tokenId: caller.token?.id ?? null,
      })
      return { ...speech, body: soundWithEnd(speech.body, leave) }
    } catch (error) {
      leave()
      throw refusalOf(error)
    }
  }

  return {
    async generate({ body }, context) {
      const { mediaType, format, body: sound } = await speak(body, context)
      return { mediaType, fileName: `speech.${format}`, disposition: 'inline', body: sound }
    },
    async generateBase64({ body }, context) {
      const { mediaType, format, body: sound } = await speak(body, context)
      const pieces: Uint8Array[] = []
      for await (const piece of sound) pieces.push(piece)
      const bytes = Buffer.concat(pieces)
      return { audio: bytes.toString('base64'), format, mimeType: mediaType, size: bytes.byteLength }
    },
  }
}

const requireLength = (input: string, most: number | null): void => {
  if (most === null || charactersIn(input) <= most) return
  const message = `can have at most ${most} characters for this voice`
  throw fail('validation_failed', undefined, [{ path: 'body.input', message }])
}
