/**
 * Files that other apps handed over (`web/public/share-worker.js` keeps them): put into the draft of a new chat, and dropped
 * once the server has each or refuses it, once it is taken out of the draft, or after a day.
 */
import { codeOf } from '../../../api/errors.ts'
import { sharedFilesCache } from '../../../api/shared-files.ts'
import type { DraftFile } from '../../../blocks/composer/draft-file.ts'
import type { DraftBox } from '../../../blocks/composer/draft.ts'

const dayMs = 24 * 60 * 60_000

export interface SharedNews {
  /** Why nothing, or not all of it, could be kept. */
  readonly refusals: readonly ('no-room' | 'unreadable')[]
}

/** Puts what is kept into a draft, in one page at a time. Resolves once it is there; dropping it goes on meanwhile. */
export const attachSharedFiles = async (draft: DraftBox, now = Date.now()): Promise<SharedNews> => {
  const begun = Promise.withResolvers<SharedNews>()
  void navigator.locks
    .request(sharedFilesCache, { ifAvailable: true }, async (lock) => {
      if (!lock) return begun.resolve({ refusals: [] })
      const cache = await caches.open(sharedFilesCache)
      const { files, refusals } = await takeOver(cache, now)
      draft.attach([...files.keys()])
      begun.resolve({ refusals })
      await dropOnce(draft, files, cache)
      if ((await cache.keys()).length === 0) await caches.delete(sharedFilesCache)
    })
    .catch(begun.reject)
  return await begun.promise
}

/** The files with their places; what is older than a day goes, and so do notes. */
const takeOver = async (cache: Cache, now: number) => {
  const files = new Map<File, Request>()
  const refusals: SharedNews['refusals'][number][] = []
  for (const request of await cache.keys()) {
    const [, , since = '', last] = new URL(request.url).pathname.split('/')
    const response = now - Number(since) < dayMs ? await cache.match(request) : undefined
    if (response && last !== 'note') {
      const name = decodeURIComponent(response.headers.get('x-name') ?? '') || 'file'
      files.set(new File([await response.blob()], name, { type: typeOf(response) }), request)
      continue
    }
    if (response) refusals.push((await response.text()) === 'unreadable' ? 'unreadable' : 'no-room')
    await cache.delete(request)
  }
  return { files, refusals }
}

const typeOf = (response: Response): string => {
  const type = response.headers.get('content-type') ?? ''
  return type === 'application/octet-stream' ? '' : type
}

/** A chip says why in words; what did not get through may do so the next time. */
const isRefused = ({ state, error }: DraftFile): boolean =>
  state === 'failed' && !['offline', 'unauthenticated'].includes(codeOf(error))

/** Drops each file once its chip is ready, refused or gone. */
const dropOnce = (draft: DraftBox, files: ReadonlyMap<File, Request>, cache: Cache): Promise<void> =>
  new Promise((resolve) => {
    const waiting = new Map(files)
    const look = () => {
      const { chips } = draft.store.getState()
      for (const [file, request] of waiting) {
        const chip = chips.find(({ key }) => draft.fileOf(key) === file)
        if (chip && chip.state !== 'ready' && !isRefused(chip)) continue
        waiting.delete(file)
        void cache.delete(request)
      }
      if (waiting.size > 0) return
      stop()
      resolve()
    }
    const stop = draft.store.subscribe(look)
    look()
  })
