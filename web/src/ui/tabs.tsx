import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef } from 'react'
import { classNames } from '../lib/class-names.ts'

export interface TabOption {
  value: string
  label: ReactNode
  content: ReactNode
  /** Its content begins right below the names: it has a head of its own. */
  flush?: boolean
}

/** A row of names, one of their panels below. Arrow keys, Home and End move between the names. */
export function Tabs({
  label,
  value,
  onChange,
  tabs,
  end,
  className,
}: {
  label: string
  value: string
  onChange: (value: string) => void
  tabs: readonly TabOption[]
  /** Stands in the row of names, after them. */
  end?: ReactNode
  className?: string
}) {
  const id = useId()
  const chosen = useRef<HTMLButtonElement>(null)
  // Where the names are wider than their row, the chosen one is in view, also when others come beside it.
  useEffect(() => {
    chosen.current?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }, [value, tabs.length])
  const current = tabs.find((tab) => tab.value === value)

  function onKeyDown(event: KeyboardEvent<HTMLDivElement>) {
    const from = tabs.findIndex((tab) => tab.value === value)
    const forward = getComputedStyle(event.currentTarget).direction === 'rtl' ? 'ArrowLeft' : 'ArrowRight'
    const back = forward === 'ArrowRight' ? 'ArrowLeft' : 'ArrowRight'
    const steps: Record<string, number> = { [forward]: from + 1, [back]: from - 1, Home: 0, End: tabs.length - 1 }
    const to = steps[event.key]
    if (to === undefined) return
    event.preventDefault()
    const index = (to + tabs.length) % tabs.length
    const next = tabs[index]
    if (next) onChange(next.value)
    event.currentTarget.querySelectorAll<HTMLElement>('[role="tab"]')[index]?.focus()
  }
  return (
    <div className={classNames('flex min-h-0 flex-col', className)}>
      <div className="flex shrink-0 items-center gap-1 border-b border-line">
        <div
          role="tablist"
          aria-label={label}
          onKeyDown={onKeyDown}
          className="-mb-px flex min-w-0 flex-1 gap-1 overflow-x-auto"
        >
          {tabs.map((tab) => (
            <button
              key={tab.value}
              ref={tab.value === value ? chosen : undefined}
              type="button"
              role="tab"
              id={`${id}-tab-${tab.value}`}
              aria-selected={tab.value === value}
              aria-controls={tab.value === value ? `${id}-panel` : undefined}
              tabIndex={tab.value === value ? 0 : -1}
              onClick={() => onChange(tab.value)}
              className="h-control border-b-2 border-transparent px-3 text-sm font-medium whitespace-nowrap text-muted hover:text-ink focus-visible:-outline-offset-2 aria-selected:border-accent-line aria-selected:text-ink"
            >
              {tab.label}
            </button>
          ))}
        </div>
        {end}
      </div>
      {current && (
        <div
          key={current.value}
          role="tabpanel"
          id={`${id}-panel`}
          aria-labelledby={`${id}-tab-${current.value}`}
          tabIndex={0}
          className={classNames('min-h-0 flex-1 overflow-y-auto', !current.flush && 'pt-3')}
        >
          {current.content}
        </div>
      )}
    </div>
  )
}
