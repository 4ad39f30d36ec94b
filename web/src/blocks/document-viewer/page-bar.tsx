import { ChevronDown, ChevronUp, MoveHorizontal, ZoomIn, ZoomOut } from 'lucide-react'
import { useState } from 'react'
import { classNames } from '../../lib/class-names.ts'
import { formatNumber } from '../../lib/format.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import { Input } from '../../ui/input.tsx'
import { useText } from 'virtual:words/document-viewer'

/** Wide enough for the view, or a fixed share of the real size. */
export type Zoom = 'fit' | number

export const zoomSteps = [0.5, 0.75, 1, 1.25, 1.5, 2, 3]

/** Which page is in sight, and how large it is. */
export function PageBar({
  page,
  count,
  onPage,
  zoom,
  scale,
  onZoom,
  compact,
}: {
  page: number
  count: number
  onPage: (page: number) => void
  zoom: Zoom
  scale: number
  onZoom: (zoom: Zoom) => void
  /** Only the page: for the size there is a menu. */
  compact: boolean
}) {
  const t = useText('document-viewer')
  const [typed, setTyped] = useState<string | null>(null)
  const go = () => {
    const wanted = Number(typed)
    if (typed !== null && Number.isInteger(wanted) && wanted >= 1 && wanted <= count) onPage(wanted)
    setTyped(null)
  }
  return (
    <div className="flex shrink-0 items-center gap-1">
      {!compact && (
        <>
          <IconButton
            label={t('page.previous')}
            icon={<ChevronUp />}
            size="small"
            disabled={page <= 1}
            onClick={() => onPage(page - 1)}
          />
          <IconButton
            label={t('page.next')}
            icon={<ChevronDown />}
            size="small"
            disabled={page >= count}
            onClick={() => onPage(page + 1)}
          />
        </>
      )}
      <span className={compact ? 'w-11' : 'w-14'}>
        <Input
          aria-label={t('page.label')}
          inputMode="numeric"
          dir="ltr"
          value={typed ?? (count ? String(page) : '')}
          disabled={count === 0}
          onFocus={(event) => event.currentTarget.select()}
          onChange={(event) => setTyped(event.target.value)}
          onBlur={go}
          onKeyDown={(event) => event.key === 'Enter' && go()}
          className={classNames('h-control-small! text-center', compact && 'px-1!')}
        />
      </span>
      <span className="px-1 text-sm whitespace-nowrap text-muted">{t('page.of', { all: formatNumber(count) })}</span>
      {!compact && (
        <>
          <IconButton
            label={t('page.smaller')}
            icon={<ZoomOut />}
            size="small"
            disabled={scale <= (zoomSteps[0] ?? 0.5)}
            onClick={() => onZoom(zoomSteps.findLast((step) => step < scale - 0.01) ?? 0.5)}
          />
          <span className="w-12 text-center text-sm text-muted tabular-nums">
            {formatNumber(scale, { style: 'percent', maximumFractionDigits: 0 })}
          </span>
          <IconButton
            label={t('page.larger')}
            icon={<ZoomIn />}
            size="small"
            disabled={scale >= 3}
            onClick={() => onZoom(zoomSteps.find((step) => step > scale + 0.01) ?? 3)}
          />
          <IconButton
            label={t('page.fit')}
            icon={<MoveHorizontal />}
            size="small"
            pressed={zoom === 'fit'}
            onClick={() => onZoom('fit')}
          />
        </>
      )}
    </div>
  )
}
