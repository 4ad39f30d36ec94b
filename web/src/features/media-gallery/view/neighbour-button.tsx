import { ChevronLeft, ChevronRight } from 'lucide-react'
import { classNames } from '../../../lib/class-names.ts'
import { IconButton } from '../../../ui/icon-button.tsx'
import { useText } from 'virtual:words/media-gallery'

/** The way to the item before or after, at the edge of the picture. */
export function NeighbourButton({ way, onGo }: { way: 'previous' | 'next'; onGo: () => void }) {
  const t = useText('media-gallery')
  const Icon = way === 'previous' ? ChevronLeft : ChevronRight
  return (
    <IconButton
      label={t(way)}
      icon={<Icon />}
      tone="plain"
      className={classNames('absolute! top-1/2', way === 'previous' ? 'start-3' : 'end-3')}
      onClick={onGo}
    />
  )
}
