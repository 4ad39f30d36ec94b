import { queryClient } from '../../api/query.ts'
import { takesText } from '../../lib/shortcuts.ts'

/**
 * Brings the row of `<id>|<visit>` into sight and lights it up for a moment. A row that comes late is waited for: as long as
 * something is loaded for the first time, unless its reader does something else meanwhile.
 */
export function flashTarget(hash: string): (() => void) | undefined {
  const id = hash.split('|')[0]
  if (!id) return undefined
  const before = document.activeElement
  let tries = 0
  let isBusy = false
  const stop = () => {
    clearInterval(timer)
    for (const name of deeds) removeEventListener(name, note)
  }
  const note = () => (isBusy = true)
  for (const name of deeds) addEventListener(name, note, { passive: true })
  const timer = setInterval(() => {
    const row = document.getElementById(id)
    const isLate = ++tries >= 40
    if (!row && (!isLate || isLoading())) return
    stop()
    if (!row || (isLate && isBusy)) return
    row.scrollIntoView({ block: 'center' })
    row.classList.remove('anim-flash')
    void row.offsetWidth // starts the animation anew
    row.classList.add('anim-flash')
    const control =
      row.querySelector<HTMLElement>('input[type=radio]:checked') ??
      row.querySelector<HTMLElement>('input:not([type=hidden]), select, textarea, button')
    // A window or a field that got the focus meanwhile keeps it: taken away, what is typed would go elsewhere.
    const { activeElement } = document
    if (activeElement !== before && takesText(activeElement)) return
    if (!activeElement?.closest('[role="dialog"]')) control?.focus({ preventScroll: true })
  }, 50)
  return stop
}

const deeds = ['wheel', 'touchmove', 'pointerdown', 'keydown'] as const
const isLoading = () => queryClient.isFetching({ predicate: ({ state }) => state.status === 'pending' }) > 0
