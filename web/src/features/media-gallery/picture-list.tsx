import type { MediaItem } from '@atrium/contract/media-gallery'
import { ImagePlus, X } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { useText } from 'virtual:words/media-gallery'
import { PicturePicker } from './picture-picker.tsx'

/** Pictures that were chosen to make something from, and the way to one more. */
export function PictureList({
  label,
  add,
  items,
  most,
  without = [],
  onChange,
}: {
  label: string
  /** The word on the button. */
  add: string
  items: readonly MediaItem[]
  most: number
  /** Ids that are no choice, beside those that are chosen. */
  without?: readonly string[]
  onChange: (items: MediaItem[]) => void
}) {
  const t = useText('media-gallery')
  const [isPicking, setPicking] = useState(false)
  return (
    <div className="flex flex-wrap items-center gap-2">
      {items.length > 0 && (
        <ul aria-label={label} className="flex flex-wrap gap-2">
          {items.map((item) => (
            <li key={item.id} className="relative">
              <img
                src={item.thumbnail ?? item.mediaData}
                alt={item.alt || item.title}
                className="size-14 rounded-md border border-line bg-sunken object-cover"
              />
              <IconButton
                label={t('takeAway', { title: item.title })}
                icon={<X />}
                size="small"
                tone="plain"
                className="absolute! -end-2 -top-2 size-6! rounded-full!"
                onClick={() => onChange(items.filter(({ id }) => id !== item.id))}
              />
            </li>
          ))}
        </ul>
      )}
      {items.length < most && (
        <Button size="small" icon={<ImagePlus className="size-3.5" />} onClick={() => setPicking(true)}>
          {add}
        </Button>
      )}
      {isPicking && (
        <PicturePicker
          title={add}
          without={[...without, ...items.map(({ id }) => id)]}
          onPick={(item) => onChange([...items, item])}
          onClose={() => setPicking(false)}
        />
      )}
    </div>
  )
}
