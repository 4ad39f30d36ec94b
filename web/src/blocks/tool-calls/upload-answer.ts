/** Uploads a file that answers a question to where it belongs in the chat, as the composer does. Loaded when the first one comes. */
import { destinationOf } from '../composer/draft-rules.ts'
import { upload } from '../composer/upload.ts'
import { refusalOf, uploadDocument } from '../composer/upload-document.ts'
import type { AskFile } from './ask-fields.ts'

/** Gives by what the server knows it. Rejects with `Problem`, or with the abort of `signal`. */
export async function uploadAnswer(
  file: File,
  chatId: string | null,
  signal: AbortSignal,
): Promise<NonNullable<AskFile['answer']>> {
  const ignore = (): void => undefined
  if (chatId === null || destinationOf(file) === 'attachment')
    return { attachmentId: (await upload(file, signal, ignore)).id }
  const refusal = refusalOf(file)
  if (refusal) throw refusal
  return { documentId: (await uploadDocument(file, { sessionId: chatId }, signal, ignore)).id }
}
