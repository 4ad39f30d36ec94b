import { useText } from 'virtual:words/groups'

/** So many rows at once; the others are found by their names. */
export const shownAtOnce = 100

/** Says when nobody was found, and how many more there are than are shown. */
export function FoundMembers({ count }: { count: number }) {
  const t = useText('groups')
  return (
    <p role="status" className="text-sm text-muted">
      {count === 0 && t('nobody')}
      {count > shownAtOnce && t('more', { count: count - shownAtOnce })}
    </p>
  )
}
