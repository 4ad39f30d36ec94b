/** Brings the row of `<id>|<visit>` into sight and lights it up for a moment; rows that load late are waited for. */
export function flashTarget(hash: string): (() => void) | undefined {
  const id = hash.split('|')[0]
  if (!id) return undefined
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
    // A window that was opened meanwhile keeps the focus: taking it back, it would select what is typed already.
    if (!document.activeElement?.closest('[role="dialog"]')) control?.focus({ preventScroll: true })
  }, 50)
  return () => clearInterval(timer)
}
