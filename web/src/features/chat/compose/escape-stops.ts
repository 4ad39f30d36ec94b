import { useEffect, useRef } from 'react'
import { isComposing } from '../../../lib/composing.ts'
import { toast } from '../../../ui/toaster.tsx'
import { useText } from 'virtual:words/chat'

/** Escape closes whatever lies on top; where nothing does, a second press within two seconds stops the answer. */
export function useEscapeStops(running: boolean, stop: () => void): void {
  const t = useText('chat')
  const pressed = useRef(0)
  useEffect(() => {
    if (!running) return
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || event.defaultPrevented || isComposing(event)) return
      if (document.querySelector('[role=dialog], [role=menu], [data-radix-popper-content-wrapper]')) return
      if (event.timeStamp - pressed.current < 2000) return stop()
      pressed.current = event.timeStamp
      toast(t('escapeAgain'), { ms: 2000 })
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [running, stop, t])
}
