/** Where the service worker keeps files that other apps handed over, until a draft has them. */
export const sharedFilesCache = 'shared-files'

/** Whether there are any. Where there is no such place, as without https, there are none. */
export const hasSharedFiles = async (): Promise<boolean> =>
  'caches' in globalThis && (await caches.has(sharedFilesCache).catch(() => false))

/** They go with the session. */
export const dropSharedFiles = async (): Promise<void> => {
  if ('caches' in globalThis) await caches.delete(sharedFilesCache).catch(() => false)
}
