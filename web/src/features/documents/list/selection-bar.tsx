import type { Collection, Document } from '@atrium/contract/documents'
import { FolderInput, Inbox, RotateCcw, Trash2, X } from 'lucide-react'
import { Button } from '../../../ui/button.tsx'
import { IconButton } from '../../../ui/icon-button.tsx'
import { Menu } from '../../../ui/menu.tsx'
import { keepDocuments, removeDocuments, retryDocuments } from '../data/changes.ts'
import { useText } from 'virtual:words/documents'
import { MoveItems } from './move-menu.tsx'

/** What can be done with all that is ticked. */
export function SelectionBar({
  documents,
  collections,
  onDone,
}: {
  documents: readonly Document[]
  collections: readonly Collection[]
  onDone: () => void
}) {
  const t = useText('documents')
  const own = documents.filter(({ shared }) => !shared)
  const failed = own.filter(({ processingStatus }) => processingStatus === 'failed')
  const inChats = own.filter(({ sessionId }) => sessionId !== null)
  const after = (work: Promise<void>) => {
    onDone()
    void work
  }
  return (
    <div
      role="toolbar"
      aria-label={t('selection.label')}
      className="flex flex-wrap items-center gap-2 rounded-lg border border-accent-line bg-accent-soft px-3 py-1.5"
    >
      <span className="font-medium text-accent-ink">{t('selection.count', { count: documents.length })}</span>
      <span className="flex-1" />
      <Menu
        trigger={
          <Button size="small" icon={<FolderInput className="size-3.5" />} disabled={own.length === 0}>
            {t('menu.move')}
          </Button>
        }
      >
        <MoveItems documents={own} collections={collections} onDone={onDone} />
      </Menu>
      {inChats.length > 0 && (
        <Button size="small" icon={<Inbox className="size-3.5" />} onClick={() => after(keepDocuments(inChats))}>
          {t('menu.keep')}
        </Button>
      )}
      {failed.length > 0 && (
        <Button size="small" icon={<RotateCcw className="size-3.5" />} onClick={() => after(retryDocuments(failed))}>
          {t('menu.readAgain')}
        </Button>
      )}
      <Button
        size="small"
        icon={<Trash2 className="size-3.5" />}
        disabled={own.length === 0}
        onClick={() => after(removeDocuments(own))}
      >
        {t('menu.delete')}
      </Button>
      <IconButton label={t('selection.clear')} icon={<X />} size="small" onClick={onDone} />
    </div>
  )
}
