/** An answer of a server as a tool's result. */
import type { ToolOutput } from '../../../core/tools/index.ts'

const texts =
  /^text\/|[/+](json|xml|yaml|x-yaml|javascript|x-ndjson)$|^application\/x-www-form-urlencoded$|^image\/svg\+xml$/
const shown = /^(image\/(png|jpeg|gif|webp)|audio\/[\w.+-]+)$/

/** `type`: the `Content-Type` of the answer; from status 400 on it is an error. */
export const toOutput = (status: number, type: string | null, bytes: Uint8Array): ToolOutput => {
  const isError = status >= 400
  const about = isError ? `The server answered with HTTP ${status}.` : ''
  const mediaType = (type ?? '').split(';')[0]?.trim().toLowerCase() ?? ''
  if (bytes.byteLength === 0)
    return outputOf(isError, about || `It is done. The server answered without content (HTTP ${status}).`)
  if (!isError && shown.test(mediaType))
    return { text: `The server answered with ${mediaType}, which is shown to the user.`, media: [{ mediaType, bytes }] }
  const text = texts.test(mediaType) || mediaType === '' ? decode(bytes, mediaType === '') : null
  if (text === null)
    return outputOf(isError, `${about} The response is ${bytes.byteLength} bytes that aren’t text.`.trim())
  return outputOf(isError, about === '' ? text : `${about}\n${text}`)
}

const outputOf = (isError: boolean, text: string): ToolOutput => (isError ? { text, isError } : { text })

/** null: it is no text, though nothing else was said of it. */
const decode = (bytes: Uint8Array, isUnsure: boolean): string | null => {
  try {
    return new TextDecoder('utf-8', { fatal: isUnsure }).decode(bytes)
  } catch {
    // Not UTF-8.
    return null
  }
}
