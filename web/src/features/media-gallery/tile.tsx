import type { MediaItem } from '@atrium/contract/media-gallery'
import { AudioLines, Clapperboard, Image, Trash2 } from 'lucide-react'
import { IconButton } from '../../ui/icon-button.tsx'
import { useText } from 'virtual:words/media-gallery'
import { removeItem } from './changes.ts'

const icons = { image: Image, video: Clapperboard, audio: AudioLines }

/** One item: a small picture of it that opens the whole, its title, and the way to the trash. */
export function Tile({ item, onRemoved }: { item: MediaItem; onRemoved: () => void }) {
  const t = useText('media-gallery')
  const { title, kind, mediaData, alt } = item
  // What is larger than its thumbnail is fetched when it is opened; a picture without one is shown itself.
  const picture = item.thumbnail ?? (kind === 'image' ? mediaData : null)
  const Icon = icons[kind]
  return (
    <li className="overflow-hidden rounded-lg border border-line bg-raised">
      <a href={mediaData} target="_blank" rel="noreferrer" aria-label={title} className="block aspect-square bg-sunken">
        {picture === null ? (
          <span className="grid size-full place-items-center text-muted">
            <Icon aria-hidden className="size-8" />
          </span>
        ) : (
          <img src={picture} alt={alt} loading="lazy" className="size-full object-contain" />
        )}
      </a>
      <div className="flex items-center gap-1 ps-2.5">
        <p dir="auto" title={title} className="min-w-0 flex-1 truncate text-sm">
          {title}
        </p>
        <IconButton
          label={t('remove', { title })}
          icon={<Trash2 />}
          size="small"
          onClick={() => void removeItem(item).then(onRemoved)}
        />
      </div>
    </li>
  )
}
