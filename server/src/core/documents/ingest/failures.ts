/** Why documents could not be read, in sentences for people. */
import type { DocumentFailure } from '@atrium/contract/documents'

export const failureMessages: Readonly<Record<DocumentFailure, string>> = {
  empty: 'This file is empty.',
  unsupported: 'This file type isn’t supported.',
  mismatch: 'The file’s content doesn’t match its extension. Rename it and upload it again.',
  encrypted: 'This file is password-protected. Save it without a password and upload it again.',
  damaged: 'This file is damaged or incomplete.',
  too_complex: 'This file is too large once unpacked. Split it, or save it in a simpler format.',
  timeout: 'Reading this file took too long. Split it, or save it in a simpler format.',
  no_text: 'This file contains no text.',
  needs_vision:
    'The built-in reader found no printed words in this image or scan. Choose a vision model in the document settings, then retry.',
  vision_failed: 'The vision model couldn’t read this. Retry, choose another vision model, or use the built-in reader.',
  needs_speech: 'This is a recording. Choose a speech-to-text model in the document settings, then retry.',
  speech_not_allowed: 'Speech to text is off for your account. Ask an administrator.',
  speech_failed: 'The speech-to-text model couldn’t transcribe this. Retry, or choose another one.',
  cancelled: 'Processing was stopped. Retry to process this file.',
  internal: 'Something went wrong on the server. Retry; if it keeps failing, ask an administrator to check the log.',
}
