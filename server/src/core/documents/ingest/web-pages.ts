/** Pages and texts of the web, taken in as documents. Only public addresses are reached. */
import { typeOf } from '../../../platform/formats/type.ts'
import { fail } from '../../../platform/http/refusal.ts'
import { fetchPage } from '../../../platform/outbound/fetch-page.ts'
import { OutboundFailure } from '../../../platform/outbound/types.ts'
import { contentDigest } from './digest.ts'
import { failureMessages } from './failures.ts'
import { cleanName } from './file-names.ts'
import type { DocumentContext } from '../context.ts'
import { openUrl } from '../stores/index.ts'
import type { DocumentRow } from '../tables.ts'

const maxBytes = 2 * 1024 * 1024
const timeoutMs = 15_000
const accept = 'text/html,application/xhtml+xml,application/pdf,text/plain;q=0.9,text/*;q=0.8,application/json;q=0.8'
const readable = /^(text\/|application\/(xhtml\+xml|pdf|json|xml|rtf|x-ndjson|rss\+xml|atom\+xml)$)/

/** Fetches it now. Refuses with `url_not_allowed`, `provider_unreachable`, `document_unsupported`, `too_large`. */
export const fetchDocument = async (
  context: Pick<DocumentContext, 'elsewhere'>,
  address: string,
  signal: AbortSignal,
) => {
  const page = await fetchPage(context.elsewhere, address, { accept, maxBytes, timeoutMs, signal }).catch(
    (error: unknown) => {
      if (!(error instanceof OutboundFailure)) throw error
      throw error.kind === 'too-large'
        ? fail('too_large', 'Web pages can have at most 2 MB.')
        : fail('provider_unreachable', why[error.kind] ?? 'The page’s server couldn’t be reached.')
    },
  )
  if (page.status !== 200) {
    throw fail('provider_unreachable', `The page’s server responded with ${page.status}.`)
  }
  const mediaType = page.mediaType.split(';')[0]?.trim().toLowerCase() ?? ''
  if (!readable.test(mediaType)) throw fail('document_unsupported', 'This address returns neither a web page nor text.')
  return { bytes: page.bytes, name: nameOf(page.url, mediaType), mediaType: page.mediaType, url: address }
}

/** Gives what changes with a page that was fetched again; its new file is kept already. */
export const refetchPage = async (
  context: DocumentContext,
  row: DocumentRow,
  signal: AbortSignal,
): Promise<Partial<DocumentRow>> => {
  const keys = await context.vault.keyring(row.account_id)
  const page = await fetchDocument(context, openUrl(keys, row) ?? '', signal)
  const type = typeOf(page)
  if ('failure' in type) throw fail('document_unsupported', failureMessages[type.failure])
  const content_digest = await contentDigest(context.vault, row.account_id, page.bytes)
  return {
    content_digest,
    file_type: type.fileType,
    media_type: type.mediaType,
    size_bytes: page.bytes.byteLength,
    file_id: await context.files.save(row.account_id, page.bytes),
  }
}

const why: Partial<Record<OutboundFailure['kind'], string>> = {
  timeout: 'The page’s server took too long to respond.',
  redirected: 'This address redirects too many times.',
  reset: 'The page’s server stopped before the page was complete.',
}

const extensions: Readonly<Record<string, string>> = {
  'text/html': '.html',
  'application/xhtml+xml': '.html',
  'application/pdf': '.pdf',
  'application/json': '.json',
}

/** The name until the title is known: the address, with the extension of its type. */
const nameOf = (url: string, mediaType: string): string => {
  const { hostname, pathname } = new URL(url)
  const last = decode(pathname.split('/').findLast((part) => part !== '') ?? '')
  const extension = extensions[mediaType] ?? (/\.\w{1,8}$/.test(last) ? '' : '.txt')
  const base = last === '' ? hostname : last
  return cleanName(base.endsWith(extension) ? base : `${base}${extension}`)
}

const decode = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    // Not every path is escaped as the standard says; then it is shown as it is.
    return text
  }
}
