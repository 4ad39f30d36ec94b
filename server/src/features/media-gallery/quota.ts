/** How much the gallery of an account may still take. */
import type { MediaStorage } from '@atrium/contract/media-gallery'
import { requireQuota } from '../../platform/files/quota.ts'
import { fail } from '../../platform/http/refusal.ts'
import type { MediaContext } from './context.ts'

type Deps = Pick<MediaContext, 'accountQuotaBytes' | 'files' | 'galleryQuotaBytes' | 'sums'>

/** Refuses with `quota_full` where there is no room left for something of this size; 0: for anything at all. */
export const checkRoom = async (deps: Deps, accountId: string, bytes = 0): Promise<void> => {
  const [{ bytes: used }, accountQuota] = await Promise.all([deps.sums.sum(accountId), deps.accountQuotaBytes()])
  if (deps.galleryQuotaBytes > 0) {
    requireQuota(deps.galleryQuotaBytes, used, bytes)
    if (used >= deps.galleryQuotaBytes)
      throw fail(
        'quota_full',
        'Your gallery is full. Delete items, and empty the trash, or ask an administrator for more.',
      )
  }
  if (accountQuota > 0 && (await deps.files.used(accountId)) >= accountQuota) throw fail('quota_full')
}

export const readStorage = async ({ sums, galleryQuotaBytes }: Deps, accountId: string): Promise<MediaStorage> => {
  const [kinds, { bytes, trashedBytes }] = await Promise.all([sums.byKind(accountId), sums.sum(accountId)])
  return { usedBytes: bytes, quotaBytes: galleryQuotaBytes === 0 ? null : galleryQuotaBytes, trashedBytes, kinds }
}
