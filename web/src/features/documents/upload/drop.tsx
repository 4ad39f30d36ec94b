import { FilePlus2 } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { size } from '../../../lib/format.ts'
import { useText } from '../texts.ts'
import { type Dropped, filesOf, takeEntries } from './entries.ts'
import { largestFile } from './rules.ts'

export type OnDropped = (files: Dropped[], missed: { leftOut?: number; unreadable?: string[] }) => void

/** Takes files and folders that are dropped anywhere on the page, and shows while they hover that it would. */
export function DropArea({ into, onFiles }: { into: string; onFiles: OnDropped }) {
  const t = useText('documents')
  const [over, setOver] = useState(false)
  const take = useRef(onFiles)
  take.current = onFiles
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
      if (!hasFiles(event) || event.defaultPrevented || !event.dataTransfer) return
      event.preventDefault()
      const { entries, files } = takeEntries(event.dataTransfer)
      if (entries.length === 0)
        take.current(
          files.map((file) => ({ file, folder: '' })),
          {},
        )
      else void filesOf(entries).then(({ files: found, ...missed }) => take.current(found, missed))
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
  }, [])
  if (!over) return null
  return (
    <div className="pointer-events-none fixed inset-0 z-50 grid place-items-center bg-scrim p-6">
      <div className="flex max-w-lg flex-col items-center gap-2 rounded-xl border-2 border-dashed border-accent-line bg-raised px-10 py-8 text-center shadow-high">
        <FilePlus2 aria-hidden className="size-8 text-accent-ink" />
        <p className="text-lg font-semibold">{t('drop.title', { name: into })}</p>
        <p className="text-muted">{t('drop.kinds')}</p>
        <p className="text-muted">{t('drop.limit', { size: size(largestFile) })}</p>
      </div>
    </div>
  )
}
