import type { Scope } from '@atrium/contract/calendar'
import { useId } from 'react'
import { useText } from 'virtual:words/calendar'

export const scopes: readonly Scope[] = ['this', 'following', 'all']

/** How much of a series something is about. */
export function ScopeField({
  label,
  value,
  offered = scopes,
  onChange,
}: {
  label: string
  value: Scope
  offered?: readonly Scope[]
  onChange: (scope: Scope) => void
}) {
  const t = useText('calendar')
  const name = useId()
  return (
    <fieldset className="flex flex-col gap-1.5">
      <legend className="mb-1.5 text-sm font-medium">{label}</legend>
      {offered.map((scope) => (
        <label key={scope} className="flex items-center gap-2.5">
          <input
            type="radio"
            name={name}
            checked={scope === value}
            onChange={() => onChange(scope)}
            className="size-4 accent-accent pointer-coarse:size-5"
          />
          {t(`scope.${scope}`)}
        </label>
      ))}
    </fieldset>
  )
}
