import type { MediaItem } from '@atrium/contract/media-gallery'
import { Link } from '@tanstack/react-router'
import { AudioLines, Clapperboard, Image, Play, Star } from 'lucide-react'
import { classNames } from '../../lib/class-names.ts'
import { links } from '../../lib/links.ts'
import { Checkbox } from '../../ui/checkbox.tsx'
import { useText } from 'virtual:words/media-gallery'
import type { GallerySearch } from './search.ts'

const icons = { image: Image, video: Clapperboard, audio: AudioLines }

/** One item: a small picture of it that opens it, its title, and a box to tick. */
export function Tile({
  item,
  place,
  count,
  search,
  ticked,
  selecting,
  onTick,
}: {
  item: MediaItem
  /** Among how many it stands; null where nobody knows yet. */
  place: number
  count: number | null
  /** What the list shows, so that the way on from the item is the same. */
  search: GallerySearch
  ticked: boolean
  /** Something is ticked: the boxes are all in sight. */
  selecting: boolean
  onTick: (range: boolean) => void
}) {
  const t = useText('media-gallery')
  const { title, kind, mediaData, alt, favourite } = item
  // What is larger than its thumbnail is fetched when it is opened; a picture without one is shown itself.
  const picture = item.thumbnail ?? (kind === 'image' ? mediaData : null)
  const Icon = icons[kind]
  return (
    <li
      data-place={place}
      aria-posinset={place + 1}
      aria-setsize={count ?? -1}
      className={classNames(
        'group/tile relative overflow-hidden rounded-lg border bg-raised',
        ticked ? 'border-accent ring-2 ring-accent-line' : 'border-line',
      )}
    >
      <Link
        to={links.galleryItem(item.id)}
        search={{ ...search } as never}
        aria-label={title}
        className="relative block aspect-square bg-sunken outline-offset-[-3px]"
      >
        {picture === null ? (
          <span className="grid size-full place-items-center text-muted">
            <Icon aria-hidden className="size-8" />
          </span>
        ) : (
          <img src={picture} alt={alt} loading="lazy" decoding="async" className="size-full object-contain" />
        )}
        {kind === 'video' && picture !== null && (
          <span className="absolute inset-0 grid place-items-center">
            <Play aria-hidden className="size-9 rounded-full bg-[rgb(0_0_0/0.6)] p-2 text-[white]" />
          </span>
        )}
      </Link>
      <span
        className={classNames(
          'absolute start-2 top-2 rounded bg-raised/90 leading-none',
          !selecting &&
            'opacity-0 group-focus-within/tile:opacity-100 group-hover/tile:opacity-100 pointer-coarse:opacity-100',
        )}
      >
        <Checkbox
          checked={ticked}
          aria-label={t('select', { title })}
          className="pointer-coarse:size-6!"
          onChange={() => {}}
          onClick={(event) => onTick(event.shiftKey)}
        />
      </span>
      <p dir="auto" title={title} className="flex h-8 items-center gap-1 truncate px-2.5 text-sm">
        <span className="min-w-0 flex-1 truncate">{title}</span>
        {favourite && <Star aria-label={t('favourite')} className="size-3.5 shrink-0 fill-current text-warn-ink" />}
      </p>
    </li>
  )
}
