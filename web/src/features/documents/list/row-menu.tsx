import { type Collection, type Document } from '@atrium/contract/documents'
import { useNavigate } from '@tanstack/react-router'
import {
  Ban,
  MessageSquarePlus,
  Download,
  FolderInput,
  Inbox,
  MoreHorizontal,
  RotateCcw,
  Share2,
  Trash2,
} from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { saveFrom } from '../../../blocks/save-file.ts'
import { sourceUrl } from '../../../blocks/source-url.ts'
import { links } from '../../../lib/links.ts'
import { WindowComing } from '../../../ui/early-keys.tsx'
import { IconButton } from '../../../ui/icon-button.tsx'
import { Menu, MenuItem, MenuSeparator } from '../../../ui/menu.tsx'
import { refreshDocuments } from '../data/cache.ts'
import { cancelDocuments, keepDocuments, removeDocuments, retryDocuments } from '../data/changes.ts'
import { useText } from 'virtual:words/documents'
import { MoveMenu } from './move-menu.tsx'

const ShareDialog = lazy(() =>
  import('../../../blocks/share/share-dialog.tsx').then((module) => ({ default: module.ShareDialog })),
)

/** Everything that can be done with one document. */
export function RowMenu({ document, collections }: { document: Document; collections: readonly Collection[] }) {
  const t = useText('documents')
  const navigate = useNavigate()
  const [sharing, setSharing] = useState(false)
  const reading = document.processingStatus === 'queued' || document.processingStatus === 'processing'
  const menu = (
    <Menu
      trigger={
        <IconButton
          label={t('menu.label', { name: document.filename })}
          icon={<MoreHorizontal />}
          size="small"
          tooltipSide="none"
        />
      }
    >
      <MenuItem onSelect={() => void navigate({ to: links.document(document.id) })}>{t('menu.open')}</MenuItem>
      {document.processingStatus === 'completed' && (
        <MenuItem icon={<MessageSquarePlus />} onSelect={() => void navigate({ to: links.askDocument(document) })}>
          {t('ask')}
        </MenuItem>
      )}
      <MenuItem icon={<Download />} onSelect={() => saveFrom(sourceUrl(document.id), document.filename)}>
        {t('menu.download')}
      </MenuItem>
      {!document.shared && (
        <>
          <MenuItem icon={<Share2 />} onSelect={() => setSharing(true)}>
            {t('menu.share')}
          </MenuItem>
          {document.sessionId && (
            <MenuItem icon={<Inbox />} hint={t('menu.keepHint')} onSelect={() => void keepDocuments([document])}>
              {t('menu.keep')}
            </MenuItem>
          )}
          <MoveMenu documents={[document]} collections={collections} icon={<FolderInput />} />
          {!reading && (
            <MenuItem icon={<RotateCcw />} onSelect={() => void retryDocuments([document])}>
              {document.url ? t('menu.fetchAgain') : t('menu.readAgain')}
            </MenuItem>
          )}
          {reading && (
            <MenuItem icon={<Ban />} onSelect={() => void cancelDocuments([document])}>
              {t('menu.cancel')}
            </MenuItem>
          )}
          <MenuSeparator />
          <MenuItem icon={<Trash2 />} danger keys="Delete" onSelect={() => void removeDocuments([document])}>
            {t('menu.delete')}
          </MenuItem>
        </>
      )}
    </Menu>
  )
  if (!sharing) return menu
  return (
    <>
      {menu}
      <Suspense fallback={<WindowComing onClose={() => setSharing(false)} />}>
        <ShareDialog
          resourceType="document"
          resourceId={document.id}
          name={document.filename}
          onClose={() => setSharing(false)}
          onChanged={refreshDocuments}
        />
      </Suspense>
    </>
  )
}
