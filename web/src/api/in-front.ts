/** Whether somebody is in front of this page: it can be seen, and something was done in it lately. */

const idleMs = 5 * 60_000
const lookMs = 15_000
const signs = ['pointerdown', 'pointermove', 'keydown', 'wheel', 'focus'] as const

let usedAt = Date.now()

export const isInFront = (): boolean => document.visibilityState === 'visible' && Date.now() - usedAt < idleMs

/** Calls `listener` when that changes. Gives a function that ends it. */
export function onInFrontChange(listener: () => void): () => void {
  let was = isInFront()
  const look = () => {
    if (isInFront() === was) return
    was = !was
    listener()
  }
  const use = () => {
    usedAt = Date.now()
    look()
  }
  for (const sign of signs) addEventListener(sign, use, { passive: true, capture: true })
  document.addEventListener('visibilitychange', use)
  const timer = setInterval(look, lookMs)
  return () => {
    for (const sign of signs) removeEventListener(sign, use, { capture: true })
    document.removeEventListener('visibilitychange', use)
    clearInterval(timer)
  }
}
