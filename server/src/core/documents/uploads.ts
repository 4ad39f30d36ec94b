/** Files from people's disks, pages by their address, and copies for chats. */
import { documentsRoutes, maxDocumentBytes } from '@atrium/contract/documents'
import type { Handlers } from '../../platform/http/area.ts'
import { type FormFile, readFields } from '../../platform/http/form.ts'
import { fail } from '../../platform/http/refusal.ts'
import { readerState } from '../../platform/reader/index.ts'
import { checkDestination, type IntakeDestination, storeFile } from './ingest/intake.ts'
import { failureMessages } from './ingest/failures.ts'
import { cleanName } from './ingest/file-names.ts'
import { fetchDocument } from './ingest/web-pages.ts'
import type { DocumentContext } from './context.ts'
import { openName, openUrl, rowToDocument } from './stores/index.ts'

type Routes = Pick<typeof documentsRoutes, 'upload' | 'fetchUrl' | 'copy' | 'tryReader' | 'readerState'>

export const uploadHandlers = (context: DocumentContext): Handlers<Routes> => ({
  async upload({ file }, { caller }) {
    const form = await file.form()
    const sent = form.files.find(({ field }) => field === 'document' || field === 'file')
    if (!sent) throw missingFile('document')
    if (sent.bytes.byteLength > maxDocumentBytes) throw fail('too_large', 'You can upload at most 10 MB at once.')
    const destination = destinationOf(form.fields)
    await checkDestination(context, caller.accountId, destination)
    return await accept(context, caller.accountId, destination, { ...toFile(sent), url: null })
  },

  async tryReader({ file }, { caller, signal }) {
    const bytes = await file.bytes()
    if (bytes.byteLength === 0) throw fail('document_empty')
    const print = await context.readPrint(caller.accountId, bytes, signal)
    if (!('failure' in print)) return print
    if (print.failure !== 'no_print') throw fail('document_unsupported', failureMessages[print.failure])
    return { text: '', language: null, confidence: 0 }
  },

  readerState: async () => readerState(),

  async fetchUrl({ body }, { caller, signal }) {
    const destination = { sessionId: body.sessionId ?? null, collectionId: body.collectionId ?? null }
    await checkDestination(context, caller.accountId, destination)
    return await accept(context, caller.accountId, destination, await fetchDocument(context, body.url, signal))
  },

  async copy({ body }, { caller, resource }) {
    const destination = { sessionId: body.sessionId, collectionId: null }
    await checkDestination(context, caller.accountId, destination)
    const row = await context.store.rows.listLive(resource.id)
    const bytes = row?.file_id ? await context.files.read(row.account_id, row.file_id) : null
    if (!row || !bytes) throw fail('document_not_found')
    const keys = await context.vault.keyring(row.account_id)
    const file = {
      bytes,
      name: openName(keys, row),
      mediaType: row.media_type,
      url: openUrl(keys, row),
    }
    return await accept(context, caller.accountId, destination, file)
  },
})

const accept = async (
  context: DocumentContext,
  accountId: string,
  destination: IntakeDestination,
  file: { bytes: Uint8Array; name: string; mediaType: string; url: string | null },
) => {
  const { row, deduplicated } = await storeFile(context, accountId, { ...file, ...destination })
  return { ...rowToDocument(await context.vault.keyring(accountId), row, accountId), deduplicated }
}

const toFile = ({ name, mediaType, bytes }: FormFile) => ({ name: cleanName(name), mediaType, bytes })

const fieldsForm = documentsRoutes.upload.upload.form

const destinationOf = (fields: ReadonlyMap<string, string>): IntakeDestination => {
  // Forms cannot say that a thing is absent.
  const said = [...fields].filter(([, value]) => value !== '')
  const { sessionId = null, collectionId = null } = readFields(fieldsForm, said)
  return { sessionId, collectionId }
}

const missingFile = (field: string) =>
  fail('validation_failed', undefined, [{ path: `body.${field}`, message: 'is missing' }])
