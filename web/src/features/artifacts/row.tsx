import type { Artifact } from '@atrium/contract/artifacts'
import { Link } from '@tanstack/react-router'
import { MoreHorizontal, Pencil, Share2, Trash2, UserRound } from 'lucide-react'
import { KindIcon } from '../../blocks/artifact/kind-icon.tsx'
import { formatAgo } from '../../lib/format.ts'
import { links } from '../../lib/links.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import { Menu, MenuItem, MenuSeparator } from '../../ui/menu.tsx'
import { useText } from 'virtual:words/artifacts'
import { useText as useBlockText } from 'virtual:words/artifact'

/** One artifact: what it is, when it changed, and whose it is or what its owner can do with it. */
export function ArtifactRow({
  artifact: { id, kind, title, updatedAt, ownerName },
  onRename,
  onShare,
  onRemove,
}: {
  artifact: Artifact
  onRename: () => void
  onShare: () => void
  onRemove: () => void
}) {
  const t = useText('artifacts')
  const words = useBlockText('artifact')
  const trigger = <IconButton label={t('menu', { title })} icon={<MoreHorizontal />} size="small" tooltipSide="none" />
  return (
    <li className="relative flex items-center gap-3 px-3.5 py-2.5 hover:bg-hover">
      <KindIcon kind={kind} />
      <div className="min-w-0 flex-1">
        <Link
          to={links.artifact(id)}
          dir="auto"
          className="block truncate font-medium after:absolute after:inset-0 after:content-['']"
        >
          {title}
        </Link>
        <p className="text-sm text-muted">
          {words(`kind.${kind}`)} · {formatAgo(updatedAt)}
        </p>
      </div>
      {ownerName === null ? (
        <div className="relative">
          <Menu trigger={trigger}>
            <MenuItem icon={<Share2 />} onSelect={onShare}>
              {t('share')}
            </MenuItem>
            <MenuItem icon={<Pencil />} onSelect={onRename}>
              {t('rename')}
            </MenuItem>
            <MenuSeparator />
            <MenuItem icon={<Trash2 />} danger onSelect={onRemove}>
              {t('delete')}
            </MenuItem>
          </Menu>
        </div>
      ) : (
        <p className="flex shrink-0 items-center gap-1.5 text-sm text-muted">
          <UserRound aria-hidden className="size-3.5" />
          {t('by', { name: ownerName })}
        </p>
      )}
    </li>
  )
}
