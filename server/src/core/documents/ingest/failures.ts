/** Why documents could not be read, in sentences for people. */
import type { DocumentFailure } from '@atrium/contract/documents'

export const failureMessages: Readonly<Record<DocumentFailure, string>> = {
  empty: 'This file is empty.',
  unsupported: 'This file type isn’t supported.',
  mismatch: 'This file is not what its name says. Give it the right ending and upload it again.',
  encrypted: 'This file is protected by a password. Save it without one and upload it again.',
  damaged: 'This file is damaged or was cut off, and cannot be read.',
  too_complex: 'This file unpacks to more than can be read. Split it, or save it in a simpler form.',
  timeout: 'Reading this file took too long. Split it, or save it in a simpler form.',
  no_text: 'There is no text in this file.',
  needs_vision: 'This is a picture or a scan. Choose a vision model in the settings of documents, then retry.',
  vision_failed: 'The vision model could not read this. Try again, or choose another vision model.',
  needs_speech: 'This is a recording. Choose a speech-to-text model in the settings of documents, then retry.',
  speech_not_allowed: 'Turning speech into text is switched off for your account. Ask an administrator.',
  speech_failed: 'The speech-to-text model could not read this. Try again, or choose another one.',
  cancelled: 'Reading was stopped. Retry to read this file.',
  internal: 'Something went wrong on the server. Retry; if it stays, ask an administrator to look into the log.',
}
