import { takesText } from '../../lib/shortcuts.ts'

/** Brings the row of `<id>|<visit>` into sight and lights it up for a moment; rows that load late are waited for. */
export function flashTarget(hash: string): (() => void) | undefined {
  const id = hash.split('|')[0]
  if (!id) return undefined
  const before = document.activeElement
  let tries = 0
  const timer = setInterval(() => {
    const row = document.getElementById(id)
    if (!row && ++tries < 40) return
    clearInterval(timer)
    if (!row) return
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
  return () => clearInterval(timer)
}
