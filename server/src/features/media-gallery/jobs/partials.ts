/** Pictures as far as they are, while they are made: the newest of each job, sealed, gone when it ends. */
import type { BytesAnswer } from '../../../platform/http/area.ts'
import { mediaPolicy } from '../../../platform/http/headers.ts'
import { fail } from '../../../platform/http/refusal.ts'
import { isTooLarge, readHead } from '../../../platform/formats/picture/head.ts'
import type { CallNews } from '../../../providers/operations/index.ts'
import { fileNameOf, isAllowedType } from '../rules.ts'
import type { MediaJobContext } from './context.ts'
import type { MediaJobRow } from './tables.ts'

const maxBytes = 4 * 1024 * 1024

export type PartialPicture = NonNullable<CallNews['partial']>

/**
 * One that a page can show at ease, with the type that its bytes tell; null for the others, as the whole picture comes
 * anyway.
 */
export const toShowable = ({ bytes }: PartialPicture): PartialPicture | null => {
  const head = bytes.byteLength <= maxBytes ? readHead(bytes) : null
  return head !== null && !isTooLarge(head) && isAllowedType('image', head.mediaType)
    ? { bytes, mediaType: head.mediaType }
    : null
}

export async function keepPartial(
  { store, vault }: MediaJobContext,
  { id, account_id }: MediaJobRow,
  { bytes, mediaType }: PartialPicture,
  number: number,
): Promise<void> {
  const keys = await vault.keyring(account_id)
  const picture = await keys.sealBytes('media_job_partials.picture', id, bytes)
  await store.keepPartial({ job_id: id, account_id, number, mime_type: mediaType, picture })
}

/** Refuses with `job_not_found` where there is none, or none any more. */
export async function openPartial(
  { store, vault }: MediaJobContext,
  accountId: string,
  jobId: string,
): Promise<BytesAnswer> {
  const row = await store.readPartial(accountId, jobId)
  // What stands in a row is not trusted to be of the list.
  if (!row || !isAllowedType('image', row.mime_type)) throw fail('job_not_found')
  const keys = await vault.keyring(accountId)
  return {
    body: await keys.openBytes('media_job_partials.picture', jobId, row.picture),
    mediaType: row.mime_type,
    fileName: fileNameOf('', 'image', row.mime_type),
    disposition: 'inline',
    policy: mediaPolicy,
  }
}
