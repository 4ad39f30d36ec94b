/** Keeps the screen of a phone awake while something is written that its owner reads or waits for. */
import { useEffect } from 'react'
import { useTouch } from './media.ts'

/**
 * `on`: as long as that. A browser takes the lock away where the page is hidden; it is asked for again when it is looked
 * at. Where the device refuses, as with little battery, the screen sleeps as always.
 */
export function useWakeLock(on: boolean): void {
  const touch = useTouch()
  useEffect(() => (on && touch ? holdAwake(navigator, document) : undefined), [on, touch])
}

interface Awake {
  readonly wakeLock?: { request(type: 'screen'): Promise<{ release(): Promise<void> }> }
}
type Page = Pick<Document, 'visibilityState' | 'addEventListener' | 'removeEventListener'>

/** Gives the way to let the screen sleep again. */
export function holdAwake({ wakeLock }: Awake, page: Page): () => void {
  let isOver = false
  let release = (): void => undefined
  const ask = (): void => {
    if (page.visibilityState !== 'visible') return
    wakeLock?.request('screen').then(
      (lock) => {
        release = () => void lock.release().catch(() => undefined)
        if (isOver) release()
      },
      () => undefined,
    )
  }
  ask()
  page.addEventListener('visibilitychange', ask)
  return () => {
    isOver = true
    page.removeEventListener('visibilitychange', ask)
    release()
  }
}
