/**
 * The layers (menus, popovers, dialogs) are not part of the first load. They are fetched once the page has come to
 * rest, so that the first click finds them there; a click before that waits for them.
 */
export const loadLayers = () => import('./layers.ts')

/** Call once the first view stands there. */
export function loadLayersWhenIdle(): void {
  const load = () => {
    // Offline or updated meanwhile: the click that needs it will say so.
    loadLayers().catch(() => undefined)
  }
  if ('requestIdleCallback' in globalThis) requestIdleCallback(load, { timeout: 4000 })
  else setTimeout(load, 1500)
}
