/**
 * Servers that an OpenAPI document describes: each operation is a tool. It calls one origin and one base path, whatever a
 * document or a model says, follows no redirect, and refuses documents and operations that refer to anything outside of
 * the document.
 */
import type { OutboundGate } from '../../../platform/outbound/types.ts'
import { WorkFailure } from '../../../platform/work/failure.ts'
import { runInProcess } from '../../../platform/work/process.ts'
import { toFault } from '../gated-fetch.ts'
import { type DiscoveredTools, ServerFault, type ServerKind, type ServerLink } from '../kind.ts'
import { toOutput } from './answer.ts'
import { ArgumentFault } from './argument-fault.ts'
import { Operation } from './operation.ts'
import { mostDocumentBytes } from './faults.ts'
import type { DocumentToRead, ReadOperations } from './read-operations.ts'
import { toRequest } from './request.ts'

const readMs = 20_000
/** It runs at low priority: on a busy machine it gets little of each second. */
const mostReadMs = 4 * readMs
const accept = 'application/json, application/yaml, text/yaml, text/plain;q=0.8, */*;q=0.5'

export const createOpenApiKind = (): ServerKind => ({
  async discover(link, signal) {
    const { baseUrl, specUrl, isUploaded } = link.server
    if (isUploaded) throw new ServerFault('protocol', 'The document was uploaded: upload it again to change it.')
    const isElsewhere = specUrl !== null && new URL(specUrl).origin !== new URL(baseUrl).origin
    const text = isElsewhere
      ? await fetchDocument(link.outbound, specUrl, signal)
      : await readDocument(link, specUrl ?? baseUrl, signal)
    return await readTools({ text, baseUrl, isAtBase: specUrl === null }, signal)
  },

  readDocument: (text, baseUrl, signal) => readTools({ text, baseUrl, isAtBase: false }, signal),

  async reach(link, signal) {
    const { baseUrl, timeoutMs } = link.server
    const answer = await link.fetchWithin({ maxBytes: 65_536, timeoutMs, signal })(baseUrl)
    // Before the rest is dropped, which counts as a fault, too.
    const refusal = answer.status === 401 ? refusalOf(link) : null
    await answer.body?.cancel()
    if (refusal) throw refusal
  },

  async call(link, { call }, args, { signal }) {
    const { baseUrl, timeoutMs, maxResponseBytes } = link.server
    try {
      const { url, method, headers, body } = toRequest(new URL(baseUrl).origin, Operation.parse(call), args)
      const fetch = link.fetchWithin({ maxBytes: maxResponseBytes, timeoutMs, signal })
      const answer = await fetch(url, { method, headers, body: body as RequestInit['body'] | null })
      const bytes = new Uint8Array(await answer.arrayBuffer())
      if (answer.status === 401) throw refusalOf(link)
      return toOutput(answer.status, answer.headers.get('content-type'), bytes)
    } catch (error) {
      if (error instanceof ArgumentFault) return { text: error.message, isError: true }
      throw error
    }
  },

  // Nothing is kept open.
  forget: () => undefined,
  close: async () => undefined,
})

const refusalOf = (link: ServerLink): ServerFault =>
  link.lastFault() ?? new ServerFault('refused', 'The server refused the credential.')

/** The tools of a document that was fetched or uploaded. Throws ServerFault. */
const readTools = async (document: DocumentToRead, signal: AbortSignal): Promise<DiscoveredTools> => {
  const url = new URL('./read-operations.ts', import.meta.url)
  const read = await runInProcess<DocumentToRead, ReadOperations>(url, 'readOperations', document, {
    signal,
    timeoutMs: mostReadMs,
    processorMs: readMs,
  }).catch((error: unknown): ReadOperations => {
    if (!(error instanceof WorkFailure)) throw error
    if (error.kind === 'aborted') throw new ServerFault('cancelled', 'The call was cancelled.')
    return { fault: 'The document takes too long to read.' }
  })
  if ('fault' in read) throw new ServerFault('protocol', read.fault)
  return read
}

/** Where its server is: with what proves for whom it is. */
const readDocument = async (link: ServerLink, address: string, signal: AbortSignal): Promise<string> => {
  const fetch = link.fetchWithin({ maxBytes: mostDocumentBytes, timeoutMs: link.server.timeoutMs, signal })
  const answer = await fetch(address, { headers: { accept } })
  const text = await answer.text()
  if (answer.status === 401 || answer.status === 403) throw refusalOf(link)
  return requireFound(answer.status, text)
}

/** Elsewhere: without any proof. */
const fetchDocument = async (outbound: OutboundGate, address: string, signal: AbortSignal): Promise<string> => {
  try {
    const answer = await outbound.request(await outbound.check(address), {
      method: 'GET',
      headers: { accept },
      signal,
      headersMs: readMs,
      idleMs: readMs,
      maxBytes: mostDocumentBytes,
    })
    return requireFound(answer.status, await answer.text())
  } catch (error) {
    throw toFault(error)
  }
}

const requireFound = (status: number, text: string): string => {
  if (status !== 200) throw new ServerFault('protocol', `Document not found: the server responded with HTTP ${status}.`)
  return text
}
