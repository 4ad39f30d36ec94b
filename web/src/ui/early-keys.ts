import { useLayoutEffect, useState } from 'react'

/**
 * The text of the field that a window begins with. From the moment the window is asked for until its field has the focus,
 * which takes a while where it has to be fetched first, keys are kept for it: else the letters, and an Enter that sends,
 * would go to the page below.
 */
export function useTypedFromOpening(open: boolean, onClose: () => void): [string, (typed: string) => void] {
  const [typed, setTyped] = useState('')
  const [wasOpen, setWasOpen] = useState(open)
  // While it renders, not afterwards: the field may be there at once, and have its first letters before an effect runs.
  if (open !== wasOpen) {
    setWasOpen(open)
    setTyped('')
  }
  useLayoutEffect(() => {
    if (!open) return
    if (isField(document.activeElement)) return
    let early = ''
    const listening = new AbortController()
    function onKeyDown(event: KeyboardEvent) {
      if (event.isComposing || event.ctrlKey || event.metaKey || event.altKey) return
      if (event.key === 'Escape') onClose()
      else if (event.key === 'Backspace') early = early.slice(0, -1)
      else if (/^.$/u.test(event.key)) early += event.key
      event.preventDefault()
      event.stopPropagation()
    }
    function onFocusIn({ target }: FocusEvent) {
      if (!isField(target)) return
      listening.abort()
      // Added, not put in its place: the focus may come a second time, when the field has text already.
      setTyped((before) => before + early)
    }
    const { signal } = listening
    addEventListener('keydown', onKeyDown, { capture: true, signal })
    addEventListener('focusin', onFocusIn, { signal })
    return () => listening.abort()
  }, [open, onClose])
  return [typed, setTyped]
}

const isField = (target: EventTarget | null): boolean =>
  target instanceof HTMLInputElement && target.closest('[role="dialog"]') !== null
