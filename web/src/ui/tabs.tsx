import { Tabs as Radix } from 'radix-ui'
import type { ReactNode } from 'react'
import { cx } from '../lib/cx.ts'

export interface TabOption {
  value: string
  label: ReactNode
  content: ReactNode
}

/** A row of names, one of their panels below. */
export function Tabs({
  label,
  value,
  onChange,
  tabs,
  className,
}: {
  label: string
  value: string
  onChange: (value: string) => void
  tabs: readonly TabOption[]
  className?: string
}) {
  return (
    <Radix.Root value={value} onValueChange={onChange} className={cx('flex min-h-0 flex-col', className)}>
      <Radix.List aria-label={label} className="flex gap-1 overflow-x-auto border-b border-line">
        {tabs.map((tab) => (
          <Radix.Trigger
            key={tab.value}
            value={tab.value}
            className="-mb-px h-control border-b-2 border-transparent px-3 text-sm font-medium whitespace-nowrap text-muted hover:text-ink data-[state=active]:border-accent-line data-[state=active]:text-ink"
          >
            {tab.label}
          </Radix.Trigger>
        ))}
      </Radix.List>
      {tabs.map((tab) => (
        <Radix.Content key={tab.value} value={tab.value} className="min-h-0 flex-1 overflow-y-auto pt-3">
          {tab.content}
        </Radix.Content>
      ))}
    </Radix.Root>
  )
}
