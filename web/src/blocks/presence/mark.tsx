import type { Presence } from '@atrium/contract/presence'
import { classNames } from '../../lib/class-names.ts'
import { useText } from 'virtual:words/presence'
import { usePresence } from './use-presence.ts'

/** A sign of its own form for each state: colour is not the only one. */
const signs: Readonly<Record<Presence['state'], string>> = {
  active: 'bg-ok-ink',
  away: 'border-2 border-muted bg-surface',
  'do-not-disturb':
    'bg-danger-ink after:absolute after:inset-x-0.5 after:top-1/2 after:h-0.5 after:-translate-y-1/2 after:rounded-full after:bg-surface',
}

/** At the foot of a picture: whether its person is there. `says`: to screen readers as well. */
export function PresenceMark({
  userId,
  says = false,
  large = false,
}: {
  userId: string
  says?: boolean
  large?: boolean
}) {
  const t = useText('presence')
  const presence = usePresence(userId)
  if (!presence) return null
  const { state, status } = presence
  return (
    <>
      <span
        aria-hidden
        title={status ? `${t(`state.${state}`)} · ${status}` : t(`state.${state}`)}
        data-presence={state}
        className={classNames(
          'absolute -end-0.5 -bottom-0.5 rounded-full ring-2 ring-surface',
          large ? 'size-2.5' : 'size-2',
          signs[state],
        )}
      />
      {says && <span className="sr-only">{t(`state.${state}`)}</span>}
    </>
  )
}
