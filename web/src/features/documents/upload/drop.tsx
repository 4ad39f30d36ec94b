import { entriesOf } from '../../../lib/entries.ts'
import { formatSize } from '../../../lib/format.ts'
import { DropCard, useFileDrop } from '../../../ui/file-drop.tsx'
import { useText } from 'virtual:words/documents'
import { type DroppedFile, filesOf } from './entries.ts'
import { largestFile } from './rules.ts'

export type OnDropped = (files: DroppedFile[], missed: { leftOut?: number; unreadable?: string[] }) => void

/** Takes files and folders that are dropped anywhere on the page, and shows while they hover that it would. */
export function DropArea({ into, onFiles }: { into: string; onFiles: OnDropped }) {
  const t = useText('documents')
  const over = useFileDrop((transfer) => {
    const entries = entriesOf(transfer)
    if (entries.length > 0) void filesOf(entries).then(({ files, ...missed }) => onFiles(files, missed))
    else
      onFiles(
        [...transfer.files].map((file) => ({ file, folder: '' })),
        {},
      )
  })
  if (!over) return null
  return (
    <DropCard title={t('drop.title', { name: into })}>
      <p className="text-muted">{t('drop.limit', { size: formatSize(largestFile) })}</p>
    </DropCard>
  )
}
