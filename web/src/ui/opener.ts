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
