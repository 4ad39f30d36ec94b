import { useSyncExternalStore } from 'react'

/** Whether a media query holds now, and again whenever that changes. */
export function useMedia(query: string): boolean {
  return useSyncExternalStore(
    (changed) => {
      const list = matchMedia(query)
      list.addEventListener('change', changed)
      return () => list.removeEventListener('change', changed)
    },
    () => matchMedia(query).matches,
  )
}

/** Below 720 px: one column, drawer and bottom bar. */
export const usePhone = () => useMedia('(max-width: 719.98px)')
/** Below 900 px: no room for a list of columns beside a panel. */
export const useTight = () => useMedia('(max-width: 899.98px)')
/** Below 1100 px: the right pane lies over the page. */
export const useNarrow = () => useMedia('(max-width: 1099.98px)')
/** Fingers rather than a mouse. */
export const useTouch = () => useMedia('(pointer: coarse)')
