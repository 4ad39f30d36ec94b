/** Letters: who wrote what to whom and when, and what was attached. */
import PostalMime, { type Address, type Attachment, type Email } from 'postal-mime'
import { ReadFault } from '../fault.ts'
import type { FileDescription, ReadInner } from '../reader.ts'
import type { Extract, Segment } from '../types.ts'
import { cleanText, oneLine } from './clean.ts'
import { pageExtract } from './html/page.ts'

/** `inner` reads attachments; without it only their names are given. */
export const readEml = async (
  bytes: Uint8Array,
  about: FileDescription & { readonly inner?: ReadInner },
): Promise<Extract> => {
  const email = await parsed(bytes)
  const { subject } = email
  const body = bodyOf(email)
  if (!subject && !email.from && body === '' && email.attachments.length === 0) throw new ReadFault('damaged')
  const title = oneLine(cleanText(subject ?? '')) || null
  const out = stretches()
  out.add('message', title ?? 'Message', [headOf(email), body].filter(Boolean).join('\n\n'))
  const saved = isSavedPage(email)
  for (const attachment of email.attachments.slice(0, mostAttachments)) {
    if (saved && /^(?:text\/css|\w+\/(?:x-)?javascript)$/i.test(attachment.mimeType)) continue
    const name = oneLine(cleanText(attachment.filename ?? '')) || 'Attachment'
    out.add('file', name, await textOf(attachment, name, about.inner))
  }
  return { ...out.finish(), title }
}

const mostAttachments = 100

/** A web page with what it is shown with; style sheets and scripts of it are no text. */
const isSavedPage = ({ headers }: Email): boolean =>
  headers.some(({ key, value }) => key === 'content-type' && /^multipart\/related/i.test(value))

const parsed = async (bytes: Uint8Array): Promise<Email> => {
  checkParts(bytes)
  try {
    return await PostalMime.parse(bytes, {
      attachmentEncoding: 'arraybuffer',
      maxNestingDepth: 50,
      maxHeadersSize: 1_000_000,
    })
  } catch {
    // Its own limits are the only thing it throws for.
    throw new ReadFault('too_complex')
  }
}

/** Every part of a letter begins with two dashes; no letter has so many. */
const checkParts = (bytes: Uint8Array): void => {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  let found = 0
  for (let at = buffer.indexOf('\n--'); at >= 0; at = buffer.indexOf('\n--', at + 3)) {
    if (++found > mostParts) throw new ReadFault('too_complex')
  }
}

const mostParts = 50_000

const headOf = (email: Email): string => {
  const lines: readonly (readonly [string, string | undefined])[] = [
    ['Subject', email.subject],
    ['From', email.from && people([email.from])],
    ['To', people(email.to)],
    ['Cc', people(email.cc)],
    ['Date', email.date],
    [
      'Attachments',
      email.attachments
        .map((one) => one.filename ?? '')
        .filter(Boolean)
        .join(', '),
    ],
  ]
  return lines.flatMap(([name, value]) => (value ? [`${name}: ${oneLine(cleanText(value), 2_000)}`] : [])).join('\n')
}

const people = (addresses: readonly Address[] | undefined): string =>
  (addresses ?? [])
    .slice(0, 200)
    .flatMap((one) => (one.group ? one.group : [one]))
    .map(({ name, address }) => (name && address ? `${name} <${address}>` : name || address || ''))
    .filter(Boolean)
    .join(', ')

/** The plain text where there is any, else what the HTML shows. */
const bodyOf = (email: Email): string => {
  const plain = cleanText(email.text ?? '').trim()
  if (plain !== '' || !email.html) return plain
  try {
    return pageExtract(email.html).text.trim()
  } catch (error) {
    // A letter may be a picture only; what it says of itself and its attachments stay.
    if (error instanceof ReadFault && error.failure === 'no_text') return ''
    throw error
  }
}

const textOf = async (attachment: Attachment, name: string, inner: ReadInner | undefined): Promise<string> => {
  const { content, mimeType } = attachment
  if (!inner || attachment.related || typeof content === 'string') return ''
  const bytes = content instanceof Uint8Array ? content : new Uint8Array(content)
  const read = await inner(bytes, name, mimeType)
  return 'failure' in read ? '' : read.extract.text.trim()
}

/** Texts one after another, a blank line between them, each with its place. */
const stretches = () => {
  const parts: string[] = []
  const segments: Segment[] = []
  let length = 0
  return {
    add(kind: Segment['kind'], label: string, text: string): void {
      if (text === '') return
      const start = length === 0 ? 0 : length + 2
      if (length > 0) parts.push('\n\n')
      parts.push(text)
      length = start + text.length
      segments.push({ kind, label, number: null, start, end: length })
    },
    finish: () => ({ text: parts.join(''), segments }),
  }
}
