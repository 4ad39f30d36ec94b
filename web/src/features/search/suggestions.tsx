import type { ReactNode } from 'react'
import { suggestOperators } from '../../blocks/search-operators/operators.ts'
import { useOperatorValues } from '../../blocks/search-operators/use-operator-values.ts'
import { useText } from 'virtual:words/search'
import { operatorClasses } from './operator-list.tsx'

/** What could stand behind the operator that is being typed, by a pointer or by the arrow keys; where that is nothing, `children`. */
export function Suggestions({
  typed,
  onTake,
  children,
}: {
  typed: string
  onTake: (search: string) => void
  children: ReactNode
}) {
  const t = useText('search')
  const suggestions = suggestOperators(typed, useOperatorValues(typed))
  return (
    <>
      <p role="status" className="sr-only">
        {suggestions.length > 0 && t('suggested', { count: suggestions.length })}
      </p>
      {suggestions.length === 0 ? (
        children
      ) : (
        <div role="group" aria-label={t('suggestions')} className="-mt-1 flex flex-wrap gap-1.5">
          {suggestions.map(({ search, operator }) => (
            <button
              key={operator}
              type="button"
              data-step
              dir="ltr"
              onClick={() => onTake(search)}
              className={`${operatorClasses} border-accent-line`}
            >
              <bdi className="truncate">{operator}</bdi>
            </button>
          ))}
        </div>
      )}
    </>
  )
}
