/** The body of an upload route, read as it arrives. */
import type { UploadedFile } from './area.ts'
import { type Form, checkBoundary, createFormReader } from './form.ts'
import { type Incoming, type Intake, tooLarge } from './intake.ts'

/**
 * Wraps a request as a file. Refuses at once when the declared length is over the limit, or when it is a form that cannot
 * be taken apart. A body that is cut off, or shorter than declared, ends in `request_aborted` and gives nothing.
 */
export const receiveUpload = (incoming: Incoming, intake: Intake): UploadedFile => {
  const { headers } = incoming.request
  const contentType = headers['content-type'] ?? 'application/octet-stream'
  const mediaType = contentType.split(';')[0]?.trim().toLowerCase() ?? ''
  if (mediaType === 'multipart/form-data') checkBoundary(contentType)
  if (Number(headers['content-length'] ?? 0) > incoming.maxBytes) throw tooLarge(incoming.maxBytes)
  return {
    mediaType,
    bytes: () => collect(incoming, intake),
    form: () => collectForm(incoming, intake, contentType),
  }
}

const collect = async (incoming: Incoming, intake: Intake): Promise<Uint8Array> => {
  const chunks: Buffer[] = []
  let length = 0
  await intake.receive(incoming, (bytes) => {
    chunks.push(bytes)
    length += bytes.length
  })
  return Buffer.concat(chunks, length)
}

const collectForm = async (incoming: Incoming, intake: Intake, contentType: string): Promise<Form> => {
  const reader = createFormReader(contentType)
  await intake.receive(incoming, reader.push)
  return await reader.end()
}
