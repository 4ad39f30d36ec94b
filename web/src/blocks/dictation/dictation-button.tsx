import { Mic } from 'lucide-react'
import { lazy, type RefObject, Suspense, useState } from 'react'
import { usePreferences } from '../../api/account.ts'
import { useAction } from '../../lib/actions.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import { useVoiceAccess } from '../voice-access.ts'
import { useIsTalking } from '../voice-mode/state.ts'
import { useText } from 'virtual:words/dictation'

const Panel = lazy(() => import('./panel.tsx').then((module) => ({ default: module.DictationPanel })))

/** Speaks instead of typing; nothing where the person may not. `onText` puts a phrase where the caret is. */
export function DictationButton({
  area,
  onText,
}: {
  area: RefObject<HTMLTextAreaElement | null>
  onText: (text: string) => void
}) {
  const t = useText('dictation')
  const [open, setOpen] = useState(false)
  const [isHeld, setHeld] = useState(false)
  const { hold } = usePreferences().dictation
  const may = useVoiceAccess('stt')
  // A voice conversation takes the microphone over.
  const isTalking = useIsTalking()
  if (open && isTalking) setOpen(false)
  const begin = (held: boolean) => {
    setHeld(held)
    setOpen(true)
  }
  useAction('chat.dictate', () => begin(false), may && !open)
  if (!may) return null
  const panel = open && (
    <Suspense>
      <Panel
        isHeld={isHeld}
        onText={onText}
        onDone={() => {
          setOpen(false)
          area.current?.focus()
        }}
      />
    </Suspense>
  )
  if (open && !isHeld) return panel
  // Who has it held lets go of it: it stays while it is.
  const holding = hold
    ? {
        className: 'touch-none select-none',
        onPointerDown: ({ button }: { button: number }) => button === 0 && begin(true),
        onContextMenu: (event: { preventDefault: () => void }) => event.preventDefault(),
      }
    : {}
  return (
    <>
      {panel}
      <IconButton
        label={t(hold ? 'hold' : 'start')}
        icon={<Mic />}
        tooltipSide="top"
        pressed={open || undefined}
        {...holding}
        // By keyboard, and by whatever acts for one, it is pressed once.
        onClick={({ detail }) => (!hold || detail === 0) && begin(false)}
      />
    </>
  )
}
