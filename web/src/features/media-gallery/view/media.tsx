import type { MediaItem } from '@atrium/contract/media-gallery'
import { useMemo } from 'react'
import { usePosters } from '../poster.ts'

/** An item as it is looked at, heard or played. */
export function Media({ item }: { item: MediaItem }) {
  const { kind, mediaData, thumbnail, alt, title, width, height } = item
  usePosters(useMemo(() => [item], [item]))

  // No captions come with what a model makes: its prompt and its description stand beside it.
  const player = { src: mediaData, 'aria-label': alt || title, controls: true }
  const film = {
    poster: thumbnail ?? undefined,
    playsInline: true,
    className: 'max-h-full max-w-full max-desk:max-h-[60dvh]',
  }
  if (kind === 'video')
    // oxlint-disable-next-line jsx-a11y/media-has-caption
    return <video key={mediaData} {...player} {...film} />
  if (kind === 'audio')
    // oxlint-disable-next-line jsx-a11y/media-has-caption
    return <audio key={mediaData} {...player} className="w-full max-w-xl" />
  return (
    <img
      src={mediaData}
      alt={alt || title}
      width={width ?? undefined}
      height={height ?? undefined}
      className="max-h-full max-w-full object-contain max-desk:max-h-[60dvh] desk:absolute desk:inset-3 desk:m-auto desk:max-h-[calc(100%-1.5rem)] desk:max-w-[calc(100%-1.5rem)]"
    />
  )
}
