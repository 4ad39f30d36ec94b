import type { MediaItem } from '@atrium/contract/media-gallery'
import { X, ZoomIn, ZoomOut } from 'lucide-react'
import { useLayoutEffect } from 'react'
import { formatNumber } from '../../../lib/format.ts'
import { Dialog } from '../../../ui/dialog.tsx'
import { IconButton } from '../../../ui/icon-button.tsx'
import { useText } from 'virtual:words/media-gallery'
import { Media } from './media.tsx'
import { NeighbourButton } from './neighbour-button.tsx'
import { useZoom, Zoomable, zoomByKey } from './zoomable.tsx'
import { zoomStep } from './zoom.ts'

export interface ViewerProps {
  readonly item: MediaItem
  /** Ids of those beside it. */
  readonly previous: string | undefined
  readonly next: string | undefined
  readonly onGo: (id: string) => void
  readonly onClose: () => void
}

/** An item over all of the screen: pictures closely, films and sound as they play, with what is said of them. */
export function Viewer(props: ViewerProps) {
  const { item, onClose } = props
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={item.title}
      hideTitle
      modalOnly
      width="full"
      className="inset-0! max-h-none! rounded-none! border-0! bg-[rgb(10_14_14)]!"
    >
      <Inside key={item.id} {...props} />
    </Dialog>
  )
}

function Inside({ item, previous, next, onGo, onClose }: ViewerProps) {
  const t = useText('media-gallery')
  const zoom = useZoom()
  const { kind, mediaData, alt, title, metadata } = item
  const words = alt || (typeof metadata['transcript'] === 'string' ? metadata['transcript'] : '')
  const percent = formatNumber(zoom.view.scale, { style: 'percent' })
  const isRtl = document.documentElement.dir === 'rtl'
  useLayoutEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const { key, target, altKey, ctrlKey, metaKey } = event
      if (altKey || ctrlKey || metaKey) return
      if (target instanceof Element && target.closest('video,audio')) return
      const to = key === (isRtl ? 'ArrowLeft' : 'ArrowRight') ? next : previous
      if (key === 'Escape') onClose()
      else if (kind === 'image' && zoomByKey(zoom, key)) event.preventDefault()
      else if ((key === 'ArrowLeft' || key === 'ArrowRight') && to) onGo(to)
    }
    addEventListener('keydown', onKeyDown)
    return () => removeEventListener('keydown', onKeyDown)
  })
  return (
    <div className="relative flex h-full flex-col">
      <div className="relative min-h-0 flex-1">
        {kind === 'image' ? (
          <Zoomable
            zoom={zoom}
            src={mediaData}
            alt={alt || title}
            onStroke={(way) => {
              const to = way > 0 === isRtl ? next : previous
              if (to) onGo(to)
            }}
          />
        ) : (
          <div className="absolute inset-0 grid place-items-center p-4">
            <Media item={item} />
          </div>
        )}
        {previous && <NeighbourButton way="previous" onGo={() => onGo(previous)} />}
        {next && <NeighbourButton way="next" onGo={() => onGo(next)} />}
        <div className="absolute end-3 top-3 flex gap-1.5">
          {kind === 'image' && (
            <>
              <IconButton
                label={t('zoomOut')}
                icon={<ZoomOut />}
                keys="-"
                tone="plain"
                disabled={zoom.view.scale <= 1}
                onClick={() => zoom.zoom(1 / zoomStep)}
              />
              <button
                type="button"
                aria-label={t('zoomed', { percent })}
                className="h-control min-w-14 rounded-md border border-line bg-raised px-2 text-sm tabular-nums hover:bg-hover"
                onClick={zoom.reset}
              >
                {percent}
              </button>
              <IconButton
                label={t('zoomIn')}
                icon={<ZoomIn />}
                keys="+"
                tone="plain"
                onClick={() => zoom.zoom(zoomStep)}
              />
            </>
          )}
          <IconButton label={t('closeViewer')} icon={<X />} keys="Esc" tone="plain" onClick={onClose} />
        </div>
      </div>
      {words && (
        <p
          dir="auto"
          className="max-h-[20dvh] shrink-0 overflow-y-auto px-6 py-3 text-center text-base text-[rgb(240_244_244)]"
        >
          {words}
        </p>
      )}
    </div>
  )
}
