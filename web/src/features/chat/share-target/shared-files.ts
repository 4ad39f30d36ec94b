/**
 * Files that other apps handed over (`web/public/share-worker.js` keeps them): offered on the page of a new chat, put into its
 * draft once somebody says so, and dropped once the server has each or will never take it, or its chip is taken away.
 */
import { Problem } from '../../../api/errors.ts'
import { claimSharedFiles } from '../../../api/shared-files-owner.ts'
import { sharedFilesCache } from '../../../api/shared-files.ts'
import type { DraftFile } from '../../../blocks/composer/draft-file.ts'
import type { DraftBox } from '../../../blocks/composer/draft.ts'

export interface SharedFile {
  /** Its place in the cache. */
  readonly place: string
  readonly name: string
  readonly sizeBytes: number
}

/** Why something that was shared is not among the files. */
const refusals = ['no-room', 'unreadable', 'too-large', 'too-many', 'foreign', 'not-received'] as const
export type SharedRefusal = (typeof refusals)[number]

/** What waits for an account and is in no draft of another page, and what there is to say of the rest, once. */
export const readShared = async (
  accountId: string,
): Promise<{ readonly files: readonly SharedFile[]; readonly refused: readonly SharedRefusal[] }> => {
  await claimSharedFiles(accountId)
  const cache = await caches.open(sharedFilesCache)
  const held = new Set((await navigator.locks.query()).held?.map(({ name }) => name))
  const files: SharedFile[] = []
  for (const { url } of await cache.keys()) {
    const place = new URL(url).pathname
    const response = isFile(place) && !held.has(place) ? await cache.match(place) : undefined
    if (response) files.push({ place, name: nameOf(response), sizeBytes: (await response.blob()).size })
  }
  const refused: SharedRefusal[] = []
  for (const reason of refusals) if (await cache.delete(`/${sharedFilesCache}/notes/${reason}`)) refused.push(reason)
  return { files, refused }
}

/**
 * Puts files into a draft, but for those that another page took meanwhile. Resolves once they are there. A page holds the
 * lock of each file until it is dropped, or until the page is closed: then the file is offered again.
 */
export const addShared = async (draft: DraftBox, files: readonly SharedFile[], accountId: string): Promise<void> => {
  const cache = await caches.open(sharedFilesCache)
  for (const { place } of files) {
    const added = Promise.withResolvers<void>()
    void navigator.locks
      .request(place, { ifAvailable: true }, async (lock) => {
        const response = lock ? await cache.match(place) : undefined
        if (!response) return added.resolve()
        const file = new File([await response.blob()], nameOf(response), { type: typeOf(response) })
        draft.attach([file])
        added.resolve()
        await isDone(draft, file)
        await cache.delete(place)
      })
      .then(() => claimSharedFiles(accountId))
      .catch(added.reject)
    await added.promise
  }
}

/** Drops files, but for those that another page put into its draft meanwhile. */
export const discardShared = async (files: readonly SharedFile[], accountId: string): Promise<void> => {
  const cache = await caches.open(sharedFilesCache)
  for (const { place } of files)
    await navigator.locks.request(place, { ifAvailable: true }, async (lock) => lock && (await cache.delete(place)))
  await claimSharedFiles(accountId)
}

/** What was shared reached the server, which does not take it; the page of the next new chat says so. */
export const noteNotReceived = async (): Promise<void> => {
  if (!('caches' in globalThis)) return
  const reason: SharedRefusal = 'not-received'
  await (await caches.open(sharedFilesCache)).put(`/${sharedFilesCache}/notes/${reason}`, new Response())
}

const isFile = (place: string): boolean => /\/\d+\/\d+$/.test(place)

const nameOf = (response: Response): string => decodeURIComponent(response.headers.get('x-name') ?? '') || 'file'

const typeOf = (response: Response): string => {
  const type = response.headers.get('content-type') ?? ''
  return type === 'application/octet-stream' ? '' : type
}

/** Another try would end the same way. All else, from a lost network to storage that is full, may pass. */
const lasting = ['too_large', 'document_empty', 'document_unsupported', 'attachment_unsupported', 'validation_failed']
const isRefused = ({ state, error }: DraftFile): boolean =>
  state === 'failed' && error instanceof Problem && lasting.includes(error.code)

/** Resolves once the chip of a file is ready, refused or gone. */
const isDone = (draft: DraftBox, file: File): Promise<void> =>
  new Promise((resolve) => {
    const look = () => {
      const chip = draft.store.getState().chips.find(({ key }) => draft.fileOf(key) === file)
      if (chip && chip.state !== 'ready' && !isRefused(chip)) return
      stop()
      resolve()
    }
    const stop = draft.store.subscribe(look)
    look()
  })
