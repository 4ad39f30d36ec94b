import { type RefObject, useEffect, useState } from 'react'

/** Whether an element has the whole screen, and how it gets it. */
export function useFullScreen(box: RefObject<HTMLElement | null>) {
  const [isFull, setFull] = useState(false)
  useEffect(() => {
    const look = () => setFull(document.fullscreenElement !== null && document.fullscreenElement === box.current)
    document.addEventListener('fullscreenchange', look)
    return () => document.removeEventListener('fullscreenchange', look)
  }, [box])
  // Where a browser refuses, all stays as it is.
  const enter = () => void box.current?.requestFullscreen?.().catch(() => undefined)
  return { isFull, enter, toggle: () => (isFull ? void document.exitFullscreen() : enter()) }
}
