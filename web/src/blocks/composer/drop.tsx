import { FilePlus2 } from 'lucide-react'
import { useEffect, useState } from 'react'
import { wordsOf } from '../../api/errors.ts'
import { size } from '../../lib/format.ts'
import { toast } from '../../ui/toaster.tsx'
import { useText } from '../texts.ts'
import { largestUpload } from './draft-rules.ts'

/** Takes files that are dropped anywhere on the window, and shows while they hover that it would. */
export function DropTarget({ onFiles }: { onFiles: (files: File[]) => void }) {
  const t = useText('blocks')
  const [over, setOver] = useState(false)
  useEffect(() => {
    const hasFiles = (event: DragEvent) => event.dataTransfer?.types.includes('Files') ?? false
    let depth = 0
    const enter = (event: DragEvent) => {
      if (!hasFiles(event)) return
      depth++
      setOver(true)
    }
    const leave = (event: DragEvent) => {
      if (hasFiles(event) && --depth <= 0) setOver(false)
    }
    const hover = (event: DragEvent) => {
      if (hasFiles(event)) event.preventDefault()
    }
    const drop = (event: DragEvent) => {
      depth = 0
      setOver(false)
      if (!hasFiles(event) || event.defaultPrevented) return
      event.preventDefault()
      const files = [...(event.dataTransfer?.files ?? [])]
      // The entries must be asked for before the event is over.
      const entries = [...(event.dataTransfer?.items ?? [])].flatMap((item) => item.webkitGetAsEntry?.() ?? [])
      if (!entries.some((entry) => entry.isDirectory)) return onFiles(files)
      void import('./folder.ts')
        .then(({ filesOf }) => filesOf(entries))
        .then(onFiles, (error: unknown) => toast(wordsOf(error), { tone: 'danger' }))
    }
    addEventListener('dragenter', enter)
    addEventListener('dragleave', leave)
    addEventListener('dragover', hover)
    addEventListener('drop', drop)
    return () => {
      removeEventListener('dragenter', enter)
      removeEventListener('dragleave', leave)
      removeEventListener('dragover', hover)
      removeEventListener('drop', drop)
    }
  }, [onFiles])
  if (!over) return null
  return (
    <div className="pointer-events-none fixed inset-0 z-50 grid place-items-center bg-scrim p-6">
      <div className="flex flex-col items-center gap-2 rounded-xl border-2 border-dashed border-accent-line bg-raised px-10 py-8 text-center shadow-high">
        <FilePlus2 aria-hidden className="size-8 text-accent-ink" />
        <p className="text-lg font-semibold">{t('composer.drop')}</p>
        <p className="text-muted">{t('composer.dropHint', { size: size(largestUpload) })}</p>
      </div>
    </div>
  )
}
