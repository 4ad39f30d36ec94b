import type { OpenArtifact } from '@atrium/contract/artifacts'
import { useNavigate } from '@tanstack/react-router'
import { Download, MessageSquare, MoreHorizontal, Share2, Trash2 } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { links } from '../../lib/links.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import { Menu, MenuItem, MenuSeparator } from '../../ui/menu.tsx'
import { useText } from 'virtual:words/artifact'
import { removeArtifact } from './changes.ts'
import { saveVersion } from './files.ts'

const ShareDialog = lazy(() => import('../share/share-dialog.tsx').then((module) => ({ default: module.ShareDialog })))

/** What can be done with an artifact as a whole. */
export function ViewMenu({
  artifact,
  version,
  onRemoved,
}: {
  artifact: OpenArtifact
  version: number
  onRemoved: () => void
}) {
  const t = useText('artifact')
  const navigate = useNavigate()
  const [sharing, setSharing] = useState(false)
  const { id, title, chatId, right } = artifact
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
          <ShareDialog resourceType="artifact" resourceId={id} name={title} onClose={() => setSharing(false)} />
        </Suspense>
      )}
    </>
  )
}
