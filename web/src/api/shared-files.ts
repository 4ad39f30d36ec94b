/** Where the service worker keeps files that other apps handed over, until somebody takes or discards them. */
export const sharedFilesCache = 'shared-files'

/** Whether there are any, or something to say of them. Where there is no such place, as without https, there are none. */
export const hasSharedFiles = async (): Promise<boolean> =>
  'caches' in globalThis &&
  (await caches.has(sharedFilesCache).catch(() => false)) &&
  (await (await caches.open(sharedFilesCache)).keys()).length > 0

/** They go with the session. */
export const dropSharedFiles = async (): Promise<void> => {
  if ('caches' in globalThis) await caches.delete(sharedFilesCache).catch(() => false)
}
