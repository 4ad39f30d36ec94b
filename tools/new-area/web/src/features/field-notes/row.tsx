import type { FieldNote } from '@atrium/contract/field-notes'
import { MoreHorizontal, Pencil, Share2, Trash2, UserRound } from 'lucide-react'
import { formatAgo } from '../../lib/format.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import { Menu, MenuItem, MenuSeparator } from '../../ui/menu.tsx'
import { useText } from 'virtual:words/field-notes'

/** One field note: its title, when it changed, and whose it is or what its owner can do with it. */
export function FieldNoteRow({
  fieldNote: { title, updatedAt, ownerName },
  onRename,
  onShare,
  onRemove,
}: {
  fieldNote: FieldNote
  onRename: () => void
  onShare: () => void
  onRemove: () => void
}) {
  const t = useText('field-notes')
  const trigger = <IconButton label={t('menu', { title })} icon={<MoreHorizontal />} size="small" tooltipSide="none" />
  return (
    <li className="flex items-center gap-3 px-3.5 py-2.5">
      <div className="min-w-0 flex-1">
        <p dir="auto" className="truncate font-medium">
          {title}
        </p>
        <p className="text-sm text-muted">{formatAgo(updatedAt)}</p>
      </div>
      {ownerName === null ? (
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
      ) : (
        <p className="flex shrink-0 items-center gap-1.5 text-sm text-muted">
          <UserRound aria-hidden className="size-3.5" />
          {t('by', { name: ownerName })}
        </p>
      )}
    </li>
  )
}
