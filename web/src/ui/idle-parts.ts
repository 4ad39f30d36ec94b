/**
 * The layers (menus, popovers, dialogs) are not part of the first load. They are fetched once the page has come to
 * rest, so that the first click finds them there; a click before that waits for them.
 */
export const loadMenuPanel = () => import('./menu-panel.tsx')
export const loadPopoverPanel = () => import('./popover-panel.tsx')
export const loadDialogWindow = () => import('./dialog-window.tsx')
export const loadSheetWindow = () => import('./sheet-window.tsx')

/** Call once after the first paint. */
export function loadLayersWhenIdle(): void {
  const load = () => {
    for (const part of [loadMenuPanel, loadPopoverPanel, loadDialogWindow, loadSheetWindow]) {
      // Offline or updated meanwhile: the click that needs it will say so.
      part().catch(() => undefined)
    }
  }
  if ('requestIdleCallback' in globalThis) requestIdleCallback(load, { timeout: 4000 })
  else setTimeout(load, 1500)
}
