import { type MediaAlbum, mediaGalleryRoutes as routes, type MediaItem } from '@atrium/contract/media-gallery'
import { toRequest } from '@atrium/contract/request'
import { Download, FolderPlus, Star, StarOff, Trash2, X } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { Menu } from '../../ui/menu.tsx'
import { useText } from 'virtual:words/media-gallery'
import { AlbumItems, NewAlbumDialog } from './albums.tsx'
import { removeItems, setFavourite } from './changes.ts'

/** What can be done with all that is ticked. */
export function SelectionBar({
  items,
  albums,
  onDone,
}: {
  items: readonly MediaItem[]
  albums: readonly MediaAlbum[]
  onDone: () => void
}) {
  const t = useText('media-gallery')
  const [naming, setNaming] = useState(false)
  const all = items.every(({ favourite }) => favourite)
  const ids = items.map(({ id }) => id).join(',')
  return (
    <div
      role="toolbar"
      aria-label={t('selection')}
      className="sticky top-0 z-10 flex flex-wrap items-center gap-2 rounded-lg border border-accent-line bg-accent-soft px-3 py-1.5"
    >
      <span className="font-medium text-accent-ink">{t('selected', { count: items.length })}</span>
      <span className="flex-1" />
      <Button
        size="small"
        icon={all ? <StarOff className="size-3.5" /> : <Star className="size-3.5" />}
        onClick={() => void setFavourite(items, !all)}
      >
        {t(all ? 'unfavourite' : 'addFavourite')}
      </Button>
      <Menu
        trigger={
          <Button size="small" icon={<FolderPlus className="size-3.5" />}>
            {t('albums')}
          </Button>
        }
      >
        <AlbumItems items={items} albums={albums} onNew={() => setNaming(true)} />
      </Menu>
      <a
        href={toRequest(routes.archive, { query: { ids } }).path}
        download
        className="hit inline-flex h-control-small items-center gap-1.5 rounded-md border border-line bg-raised px-2.5 text-sm font-medium hover:bg-hover"
      >
        <Download aria-hidden className="size-3.5" />
        {t('download')}
      </a>
      <Button
        size="small"
        icon={<Trash2 className="size-3.5" />}
        onClick={() => {
          onDone()
          void removeItems(items)
        }}
      >
        {t('toTrash')}
      </Button>
      <IconButton label={t('clear')} icon={<X />} size="small" onClick={onDone} />
      {naming && <NewAlbumDialog items={items} onClose={() => setNaming(false)} />}
    </div>
  )
}
