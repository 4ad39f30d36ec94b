import { Captions } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { IconButton } from '../../ui/icon-button.tsx'
import { useVoiceAccess } from '../voice-access.ts'
import type { RecordingFile } from './transcribe-dialog.tsx'
import { useText } from 'virtual:words/transcribe'

const TranscribeDialog = lazy(() =>
  import('./transcribe-dialog.tsx').then((module) => ({ default: module.TranscribeDialog })),
)

/** Opens the way to a transcript; nothing where the person may not. `of`: null to choose a file first. */
export function TranscribeButton({ of }: { of: RecordingFile | null }) {
  const t = useText('transcribe')
  const [open, setOpen] = useState(false)
  if (!useVoiceAccess('stt')) return null
  return (
    <>
      <IconButton label={t(of ? 'title' : 'file')} icon={<Captions />} onClick={() => setOpen(true)} />
      {open && (
        <Suspense>
          <TranscribeDialog of={of} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}
