import { useState } from 'react'

/**
 * Gives the focus back to where it was when the window opened, once it closes. Windows have no trigger of their own, so
 * the library does not know. A focus that was moved elsewhere meanwhile stays there.
 */
export function useFocusBack(): (event: Event) => void {
  const [opener] = useState(() => document.activeElement)
  return (event) => {
    event.preventDefault()
    const nowhere = document.activeElement === null || document.activeElement === document.body
    if (nowhere && opener instanceof HTMLElement && opener.isConnected) opener.focus()
  }
}

/**
 * Where a window has nothing yet that could have the focus, because it is still fetched, the window itself has it until
 * then: on “Close” an Enter that was meant for what comes would shut it. `data-first-focus` names another control than
 * the first, where that one takes something away.
 */
export function holdFocus(event: Event): void {
  const window = event.currentTarget as HTMLElement
  const chosen = window.querySelector<HTMLElement>('[data-first-focus]')
  if (!chosen && window.querySelector(inside)) return
  event.preventDefault()
  ;(chosen ?? window).focus()
}

const inside = ['input', 'textarea', 'select', 'a[href]', 'button', '[tabindex="0"]']
  .map((each) => `${each}:not([data-close])`)
  .join()
