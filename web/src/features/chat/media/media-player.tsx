interface MediaPlayerProps {
  readonly isVideo: boolean
  readonly src: string
  readonly label: string
  readonly poster?: string | null
  readonly onError?: () => void
  /** Begins by itself: it was asked for by a click. */
  readonly autoPlay?: boolean
}

/** A film or sound, as wide as there is room for. */
export function MediaPlayer({ isVideo, src, label, poster, onError, autoPlay = false }: MediaPlayerProps) {
  const player = { src, onError, autoPlay, 'aria-label': label, controls: true, preload: 'metadata' } as const
  return isVideo ? (
    // oxlint-disable-next-line jsx-a11y/media-has-caption
    <video
      {...player}
      poster={poster ?? undefined}
      playsInline
      className="max-h-96 max-w-full rounded-lg border border-line bg-sunken"
    />
  ) : (
    // oxlint-disable-next-line jsx-a11y/media-has-caption
    <audio {...player} className="w-full max-w-md" />
  )
}
