import { type RefObject, useEffect, useRef } from 'react'

/** What had the focus may go with the view or with its event: then it is given to `keeper`, so that keys go on from there. */
export function useFocusKept(keeper: RefObject<HTMLElement | null>, ...changing: unknown[]): void {
  const isFirst = useRef(true)
  useEffect(() => {
    if (isFirst.current) {
      isFirst.current = false
      return
    }
    // A window that closes gives it back first, where it can.
    const timer = setTimeout(() => {
      if (document.activeElement === document.body) keeper.current?.focus({ preventScroll: true })
    }, 100)
    return () => clearTimeout(timer)
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, changing)
}
