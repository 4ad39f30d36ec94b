import { useLayoutEffect } from 'react'

/** A letter that is typed where nothing takes it begins the next message. */
export function useLettersLand(): void {
  useLayoutEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const { key, ctrlKey, metaKey, altKey } = event
      if (event.defaultPrevented || event.isComposing || ctrlKey || metaKey || altKey) return
      // Keys of whatever has the focus are its own, and so are single keys that do something.
      if (document.activeElement !== document.body || !/^\p{L}$/u.test(key)) return
      // The letter itself follows the focus.
      document.getElementById('composer')?.focus()
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [])
}
