import { type RefObject, useLayoutEffect, useState } from 'react'

/** The number of the week, and seven days. */
export const columns = 'grid grid-cols-[1.75rem_repeat(7,minmax(0,1fr))]'

/** The height of the date in a day of the month, and of each line below it, in pixels. */
export const headHeight = 28
export const lineHeight = 25
/** A row is never lower: the date, and two lines. */
export const leastRow = headHeight + 2 * lineHeight + 2

/** How many lines fit below the date in each of so many rows. */
export function useRoom(box: RefObject<HTMLElement | null>, rows: number): number {
  const [height, setHeight] = useState(0)
  useLayoutEffect(() => {
    const element = box.current
    if (!element) return
    const measure = () => setHeight(element.clientHeight)
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    return () => observer.disconnect()
  }, [box])
  return Math.floor((Math.max(height / rows, leastRow) - headHeight - 2) / lineHeight)
}
