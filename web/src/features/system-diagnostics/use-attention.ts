/** Whether somebody looks at the page: its tab is on top, and its window has the focus. */
import { useSyncExternalStore } from 'react'

const isLookedAt = (): boolean => document.visibilityState === 'visible' && document.hasFocus()

export const useAttention = (): boolean => useSyncExternalStore(listen, isLookedAt)

const listen = (changed: () => void): (() => void) => {
  document.addEventListener('visibilitychange', changed)
  window.addEventListener('focus', changed)
  window.addEventListener('blur', changed)
  return () => {
    document.removeEventListener('visibilitychange', changed)
    window.removeEventListener('focus', changed)
    window.removeEventListener('blur', changed)
  }
}
