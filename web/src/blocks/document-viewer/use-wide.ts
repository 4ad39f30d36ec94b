import { type RefCallback, useCallback, useState } from 'react'

/** Whether the element that takes the ref is at least so wide, now and after each change. */
export function useWide(pixels: number): [RefCallback<HTMLElement>, boolean] {
  const [wide, setWide] = useState(false)
  const ref = useCallback(
    (element: HTMLElement | null) => {
      if (!element) return
      const observer = new ResizeObserver(([entry]) => setWide((entry?.contentRect.width ?? 0) >= pixels))
      observer.observe(element)
      return () => observer.disconnect()
    },
    [pixels],
  )
  return [ref, wide]
}
