/**
 * Whose the files are that other apps handed over: the account that is signed in when a page first sees them. Each share
 * is a folder in the cache, named by its time, with its files by number and the id of the account as `account`.
 */
import { hasSharedFiles, sharedFilesCache } from './shared-files.ts'

const dayMs = 24 * 60 * 60_000

/** Takes what is nobody's yet for an account, and drops what is of others, older than a day or without files. */
export const claimSharedFiles = async (accountId: string, now = Date.now()): Promise<void> => {
  if (!(await hasSharedFiles())) return
  const cache = await caches.open(sharedFilesCache)
  const shares = Map.groupBy(await cache.keys(), shareOf)
  for (const [share, entries] of shares) {
    if (!/^\d+$/.test(share)) continue
    const place = `/${sharedFilesCache}/${share}/account`
    const owner = await (await cache.match(place))?.text()
    const isEmpty = entries.every(({ url }) => url.endsWith(place))
    if (isEmpty || now - Number(share) >= dayMs || (owner ?? accountId) !== accountId)
      await Promise.all(entries.map((entry) => cache.delete(entry)))
    else if (owner === undefined) await cache.put(place, new Response(accountId))
  }
}

const shareOf = ({ url }: Request): string => new URL(url).pathname.split('/')[2] ?? ''
