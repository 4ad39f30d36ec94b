import { mediaGalleryRoutes as routes } from '@atrium/contract/media-gallery'
import { useQuery } from '@tanstack/react-query'
import { ImageOff, ImagePlus, X } from 'lucide-react'
import { useState } from 'react'
import { queryOf } from '../../api/query.ts'
import { Button } from '../../ui/button.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { useText } from 'virtual:words/media-gallery'
import { PicturePicker } from './picture-picker.tsx'

/** Pictures of the gallery that something is to be made from, and the way to one more. */
export function PictureList({
  label,
  add,
  ids,
  most,
  without = [],
  onChange,
}: {
  label: string
  /** The word on the button. */
  add: string
  ids: readonly string[]
  most: number
  /** Ids that are no choice, beside those that are chosen. */
  without?: readonly string[]
  onChange: (ids: string[]) => void
}) {
  const t = useText('media-gallery')
  const [isPicking, setPicking] = useState(false)
  return (
    <>
      {ids.length > 0 && (
        <ul aria-label={label} className="flex flex-wrap gap-2">
          {ids.map((id) => (
            <Picture key={id} id={id} label={label} onRemove={() => onChange(ids.filter((other) => other !== id))} />
          ))}
        </ul>
      )}
      {ids.length < most && (
        <Button icon={<ImagePlus className="size-4" />} onClick={() => setPicking(true)}>
          {add}
        </Button>
      )}
      {isPicking && (
        <PicturePicker
          title={t('chooseImage')}
          without={[...without, ...ids]}
          onPick={({ id }) => onChange([...ids, id])}
          onClose={() => setPicking(false)}
        />
      )}
    </>
  )
}

function Picture({ id, label, onRemove }: { id: string; label: string; onRemove: () => void }) {
  const t = useText('media-gallery')
  const { data: item } = useQuery(queryOf(routes.read, { params: { mediaId: id } }))
  const size = 'size-14 rounded-md border border-line bg-sunken'
  return (
    <li className="relative" title={label}>
      {item ? (
        <img
          src={item.thumbnail ?? item.mediaData}
          alt={t('labelled', { label, title: item.alt || item.title })}
          className={`${size} object-cover`}
        />
      ) : (
        <span className={`${size} grid place-items-center text-muted`}>
          <ImageOff aria-hidden className="size-5" />
        </span>
      )}
      <IconButton
        label={t('takeAway', { title: item?.title ?? label })}
        icon={<X />}
        size="small"
        tone="plain"
        className="absolute! -end-2 -top-2 size-6! rounded-full!"
        onClick={onRemove}
      />
    </li>
  )
}
