import { wordsOf } from '../../api/errors.ts'
import { entriesOf } from '../../lib/entries.ts'
import { formatSize } from '../../lib/format.ts'
import { DropCard, useFileDrop } from '../../ui/file-drop.tsx'
import { toast } from '../../ui/toaster.tsx'
import { useText } from 'virtual:words/blocks'
import { largestUpload } from './draft-rules.ts'

/** Takes files that are dropped anywhere on the window, and shows while they hover that it would. */
export function DropTarget({ onFiles }: { onFiles: (files: File[]) => void }) {
  const t = useText('blocks')
  const over = useFileDrop((transfer) => {
    const entries = entriesOf(transfer)
    if (!entries.some((entry) => entry.isDirectory)) return onFiles([...transfer.files])
    void import('./folder.ts')
      .then(({ filesOf }) => filesOf(entries))
      .then(onFiles, (error: unknown) => toast(wordsOf(error), { tone: 'danger' }))
  })
  if (!over) return null
  return (
    <DropCard title={t('composer.drop')}>
      <p className="text-muted">{t('composer.dropHint', { size: formatSize(largestUpload) })}</p>
    </DropCard>
  )
}
