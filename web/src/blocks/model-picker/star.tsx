import { Star } from 'lucide-react'
import { classNames } from '../../lib/class-names.ts'
import { useText } from 'virtual:words/blocks'

/** The cell that puts a model among the favourites, or takes it out. */
export function StarCell({
  id,
  name,
  starred,
  active,
  onStar,
}: {
  id: string
  name: string
  starred: boolean
  active: boolean
  onStar: () => void
}) {
  const t = useText('blocks')
  return (
    <div role="gridcell" id={id}>
      <button
        type="button"
        tabIndex={-1}
        aria-label={starred ? t('models.unstar', { name }) : t('models.star', { name })}
        aria-pressed={starred}
        onClick={onStar}
        className={classNames(
          'hit grid size-8 place-items-center rounded-md hover:bg-pressed',
          starred ? 'text-accent-ink' : 'text-faint',
          active && 'outline-2 -outline-offset-2 outline-accent-line',
        )}
      >
        <Star className={classNames('size-4', starred && 'fill-current')} aria-hidden />
      </button>
    </div>
  )
}
