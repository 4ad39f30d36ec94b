import { useEffect, useLayoutEffect, useRef } from 'react'

interface Keeping {
  readonly keys: string[]
  readonly listening: AbortController
  /** Parts of the window that are still fetched. */
  coming: number
  timer?: ReturnType<typeof setTimeout>
}

/** One for the page: a window may be fetched in several parts, one after the other. */
let keeping: Keeping | null = null

/**
 * Stands where a window with a field is still fetched, as the fallback of its `Suspense`. Keys typed meanwhile are kept
 * for the field that gets the focus: else the letters, and an Enter that sends, would go to the page below.
 */
export function WindowComing({ onClose }: { onClose: (() => void) | undefined }) {
  const close = useRef(onClose)
  useEffect(() => {
    close.current = onClose
  })
  useLayoutEffect(() => {
    const now = (keeping ??= keepKeys(() => close.current?.()))
    now.coming += 1
    clearTimeout(now.timer)
    return () => {
      now.coming -= 1
      // It is here, and focuses its field at once, if it has one.
      if (now.coming === 0) now.timer = setTimeout(() => stopKeeping(now), 500)
    }
  }, [])
  return null
}

function stopKeeping(now: Keeping): void {
  clearTimeout(now.timer)
  now.listening.abort()
  if (keeping === now) keeping = null
}

function keepKeys(onEscape: () => void): Keeping {
  const now: Keeping = { keys: [], listening: new AbortController(), coming: 0 }
  function onKeyDown(event: KeyboardEvent) {
    const altGr = event.getModifierState('AltGraph')
    if (event.isComposing || event.metaKey || ((event.ctrlKey || event.altKey) && !altGr)) return
    const isKept = /^(.|Enter|Backspace|ArrowUp|ArrowDown)$/u.test(event.key)
    if (!isKept && (now.coming === 0 || !/^(Escape|Tab)$/.test(event.key))) return
    event.preventDefault()
    event.stopPropagation()
    if (event.key === 'Escape') {
      stopKeeping(now)
      onEscape()
      // The key that opens a window may be held down.
    } else if (isKept && !(event.repeat && /^(Enter| )$/.test(event.key))) now.keys.push(event.key)
  }
  function onFocusIn({ target }: FocusEvent) {
    if (!(target instanceof HTMLElement) || !target.parentElement?.closest('[role="dialog"], [role="alertdialog"]'))
      return
    if (!isTextField(target)) {
      if (now.coming === 0) stopKeeping(now)
      return
    }
    // After whoever gives the focus is done: it may select what stands in the field.
    queueMicrotask(() => {
      stopKeeping(now)
      void type(now.keys)
    })
  }
  const { signal } = now.listening
  addEventListener('keydown', onKeyDown, { capture: true, signal })
  addEventListener('focusin', onFocusIn, { signal })
  return now
}

const isTextField = (target: Element): target is HTMLInputElement | HTMLTextAreaElement =>
  target instanceof HTMLTextAreaElement ||
  (target instanceof HTMLInputElement && /^(text|search|email|password|url|tel|number)$/.test(target.type))

/** Presses keys in the field that has the focus, with what browsers do of themselves only for keys of a person. */
async function type(keys: readonly string[]): Promise<void> {
  for (const key of keys) {
    const field = document.activeElement
    if (!field || !isTextField(field)) return
    if (key === 'Enter' && field.dataset['earlyEnter'] === 'no') continue
    const goesOn = field.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }))
    if (goesOn && key === 'Backspace') document.execCommand('delete')
    else if (goesOn && key === 'Enter') enter(field)
    else if (goesOn && key.length <= 2) document.execCommand('insertText', false, key)
    // The page follows each key before the next one.
    await Promise.resolve()
  }
}

function enter(field: HTMLInputElement | HTMLTextAreaElement): void {
  if (field instanceof HTMLTextAreaElement) document.execCommand('insertText', false, '\n')
  else for (const button of field.form?.elements ?? []) if (isSubmit(button)) return button.click()
}

const isSubmit = (element: Element): element is HTMLButtonElement =>
  element instanceof HTMLButtonElement && element.type === 'submit'
