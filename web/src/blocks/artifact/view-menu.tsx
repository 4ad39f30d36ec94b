import type { OpenArtifact } from '@atrium/contract/artifacts'
import { useNavigate } from '@tanstack/react-router'
import { Download, FileArchive, FileDown, Files, MessageSquare, MoreHorizontal, Share2, Trash2 } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { wordsOf } from '../../api/errors.ts'
import { links } from '../../lib/links.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import { Menu, MenuItem, MenuSeparator } from '../../ui/menu.tsx'
import { toast } from '../../ui/toaster.tsx'
import { useText } from 'virtual:words/artifact'
import { removeArtifact } from './changes.ts'
import { saveVersion } from './files.ts'
import { framedKinds } from './kinds.ts'

const ShareArtifact = lazy(() => import('./share-artifact.tsx').then((module) => ({ default: module.ShareArtifact })))

/** What can be done with an artifact as a whole. */
export function ViewMenu({
  artifact,
  version,
  content,
  onRemoved,
}: {
  artifact: OpenArtifact
  version: number
  /** Of that version; absent while it is on its way. */
  content: string | undefined
  onRemoved: () => void
}) {
  const t = useText('artifact')
  const navigate = useNavigate()
  const [sharing, setSharing] = useState(false)
  const { id, kind, title, chatId, right } = artifact
  const saveAs = async (as: 'page' | 'zip', text: string) => {
    try {
      const { savePage, saveZip } = await import('../preview/save-page.ts')
      await (as === 'zip' ? saveZip : savePage)(kind, title, text)
    } catch (error) {
      toast(`${t('notSavedPage')}: ${error instanceof Error ? error.message : ''}`, { tone: 'danger' })
    }
  }
  const keep = async () => {
    try {
      const documentId = await (await import('./to-documents.ts')).saveToDocuments(id, version)
      const open = () => void navigate({ to: links.document(documentId) })
      toast(t('inDocuments'), { action: { label: t('openDocument'), onClick: open } })
    } catch (error) {
      toast(wordsOf(error), { tone: 'danger' })
    }
  }
  const isOwn = right === 'owner'
  const remove = async () => {
    if (await removeArtifact(artifact)) onRemoved()
  }
  return (
    <>
      <Menu trigger={<IconButton label={t('more')} icon={<MoreHorizontal />} tooltipSide="none" />}>
        <MenuItem icon={<Download />} onSelect={() => saveVersion(artifact, version)}>
          {t('download')}
        </MenuItem>
        {content !== undefined && framedKinds.includes(kind) && (
          <>
            <MenuItem icon={<FileDown />} onSelect={() => void saveAs('page', content)}>
              {t('savePage')}
            </MenuItem>
            <MenuItem icon={<FileArchive />} onSelect={() => void saveAs('zip', content)}>
              {t('saveZip')}
            </MenuItem>
          </>
        )}
        <MenuItem icon={<Files />} onSelect={() => void keep()}>
          {t('toDocuments')}
        </MenuItem>
        {chatId && (
          <MenuItem icon={<MessageSquare />} onSelect={() => void navigate({ to: links.chat(chatId) })}>
            {t('openChat')}
          </MenuItem>
        )}
        {isOwn && (
          <>
            <MenuItem icon={<Share2 />} onSelect={() => setSharing(true)}>
              {t('share')}
            </MenuItem>
            <MenuSeparator />
            <MenuItem icon={<Trash2 />} danger onSelect={() => void remove()}>
              {t('delete')}
            </MenuItem>
          </>
        )}
      </Menu>
      {sharing && (
        <Suspense>
          <ShareArtifact artifact={artifact} onClose={() => setSharing(false)} />
        </Suspense>
      )}
    </>
  )
}
