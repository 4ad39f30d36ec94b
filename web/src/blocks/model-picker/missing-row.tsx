import { Link } from '@tanstack/react-router'
import { CircleAlert } from 'lucide-react'
import { classNames } from '../../lib/class-names.ts'
import { useText } from 'virtual:words/blocks'
import { plainName } from '../models.ts'
import { fixLink } from './notices.tsx'
import type { MissingChoice } from './search.ts'
import { StarCell } from './star.tsx'

/** A choice that is not there: greyed, with the reason, and the way to where it can be mended. */
export function MissingRow({
  missing,
  place,
  ids,
  starred,
  active,
  onStar,
  onHover,
  onClose,
}: {
  missing: MissingChoice
  place: { index: number; count: number; top: number; height: number }
  ids: { model: string; star: string }
  starred: boolean
  active: 'model' | 'star' | null
  onStar: () => void
  onHover: () => void
  onClose: () => void
}) {
  const t = useText('blocks')
  const { selection, why, providerName } = missing
  const name = plainName(selection)
  return (
    <div
      role="row"
      aria-rowindex={place.index + 1}
      onPointerMove={active ? undefined : onHover}
      className={classNames('absolute inset-x-0 flex items-center rounded-md', active && 'bg-hover')}
      style={{ top: place.top, height: place.height }}
    >
      <div role="gridcell" id={ids.model} className="min-w-0 flex-1 self-stretch">
        <Link
          to={fixLink(missing)}
          tabIndex={-1}
          onClick={onClose}
          className={classNames(
            'flex size-full items-center gap-2.5 rounded-md px-2.5 text-start text-muted',
            active === 'model' && 'outline-2 -outline-offset-2 outline-accent-line',
          )}
        >
          <CircleAlert aria-hidden className="size-4 shrink-0 text-warn-ink" />
          <span className="min-w-0 flex-1">
            <span dir="auto" className="block truncate font-medium line-through decoration-1">
              {name}
            </span>
            <span className="sr-only">{t('models.notAvailable')}</span>
            <span className="block truncate text-xs">
              {providerName && `${providerName} · `}
              {t(`models.why.${why}`)}
            </span>
          </span>
          <span className="shrink-0 text-xs font-medium text-accent-ink underline underline-offset-2">
            {t(why === 'agent-gone' ? 'models.fixAgent' : 'models.fix')}
          </span>
          <span className="sr-only">{t('models.place', { index: place.index + 1, count: place.count })}</span>
        </Link>
      </div>
      <StarCell id={ids.star} name={name} starred={starred} active={active === 'star'} onStar={onStar} />
    </div>
  )
}
