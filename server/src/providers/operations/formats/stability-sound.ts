/** Sound over Stability's audio v2beta: a form in, the bytes of a sound out. */
import type { AnswerFormat, FoundSound } from '../format.ts'
import { fieldsOf } from '../form.ts'
import { textIn, unreadableAnswer } from '../route.ts'
import type { SoundAsk } from '../types.ts'

export const stabilitySound: AnswerFormat<SoundAsk, FoundSound> = {
  say: (ask, { model, config }) => ({
    accept: 'audio/*',
    form: {
      fields: fieldsOf({
        prompt: ask.prompt,
        model,
        duration: ask.durationMs === undefined ? undefined : Math.max(1, Math.round(ask.durationMs / 1000)),
        output_format: ask.format ?? textIn(config, 'default_format') ?? 'mp3',
      }),
      files: [],
    },
  }),
  read({ bytes, json }) {
    if (json !== null || bytes.byteLength === 0) throw unreadableAnswer()
    return { found: { bytes } }
  },
}
