import { Mic } from 'lucide-react'
import { lazy, type RefObject, Suspense, useState } from 'react'
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
  const may = useVoiceAccess('stt')
  // A voice conversation takes the microphone over.
  const isTalking = useIsTalking()
  if (open && isTalking) setOpen(false)
  useAction('chat.dictate', () => setOpen(true), may && !open)
  if (!may) return null
  if (open)
    return (
      <Suspense>
        <Panel
          onText={onText}
          onDone={() => {
            setOpen(false)
            area.current?.focus()
          }}
        />
      </Suspense>
    )
  return <IconButton label={t('start')} icon={<Mic />} tooltipSide="top" onClick={() => setOpen(true)} />
}
