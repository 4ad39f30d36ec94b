/** What the rest of the product derives from this area: its error codes, events, audit actions, scopes and kinds. */
import { describeArea } from '../description.ts'

export const speechDescription = describeArea({
  name: 'speech',
  tag: 'speech',
  errors: {
    voice_not_allowed: [403, 'An administrator has turned this off for you.'],
    voice_feature_not_found: [404, 'Unknown speech feature. Choose stt, tts or voice-mode.'],
    sound_unsupported: [415, 'This recording can’t be read. Send WAV, WebM, MP3, M4A, Ogg or FLAC.'],
  },
  scopes: ['read', 'write'],
})
