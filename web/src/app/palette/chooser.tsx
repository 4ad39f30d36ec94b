import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { isComposing } from '../../lib/composing.ts'
import { Kbd } from '../../ui/kbd.tsx'

export interface Row {
  id: string
  icon: ReactNode
  name: ReactNode
  keys?: string | undefined
  run: () => void
}
export interface Group {
  heading: string | null
  rows: readonly Row[]
}

/**
 * For a window whose first control it is: the window focuses it, and holds what it focused itself (`autoFocus` would
 * come before it listens). A text field over groups of rows: arrows walk, Enter takes, a pointer does both. The chosen row follows from what is
 * listed in this very render, so that an Enter right behind the last letter never takes a row of the list before.
 */
export function Chooser({
  label,
  placeholder,
  typed,
  onType,
  groups,
  nothing,
}: {
  label: string
  placeholder: string
  typed: string
  onType: (typed: string) => void
  groups: readonly Group[]
  /** Said where no row is. */
  nothing: string
}) {
  const base = useId()
  const [walked, setWalked] = useState<{ typed: string; id: string } | null>(null)
  const list = useRef<HTMLDivElement>(null)
  const rows = groups.flatMap((group) => group.rows)
  // Whoever types on begins at the top again.
  const at = walked?.typed === typed ? rows.findIndex((row) => row.id === walked.id) : 0
  const chosen = rows[Math.max(0, at)]
  const idOf = (row: Row) => `${base} ${row.id}`.replaceAll(/\s/g, '-')

  useEffect(() => {
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' })
  }, [chosen?.id])

  function onKeyDown(event: KeyboardEvent) {
    if (isComposing(event.nativeEvent)) return
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    if (step !== 0 && rows.length > 0) {
      const next = rows[(Math.max(0, at) + step + rows.length) % rows.length]
      if (next) setWalked({ typed, id: next.id })
    } else if (event.key === 'Enter') chosen?.run()
    else return
    event.preventDefault()
  }

  return (
    <>
      <input
        role="combobox"
        // What it would take was not to be seen yet.
        data-early-enter="no"
        autoComplete="off"
        spellCheck={false}
        aria-label={label}
        aria-expanded
        aria-controls={`${base}-list`}
        aria-activedescendant={chosen && idOf(chosen)}
        value={typed}
        onChange={(event) => onType(event.target.value)}
        onKeyDown={onKeyDown}
        placeholder={placeholder}
        className="h-12 w-full shrink-0 border-b border-line bg-transparent px-4 text-md outline-none! placeholder:text-faint"
      />
      <div
        ref={list}
        id={`${base}-list`}
        role="listbox"
        aria-label={label}
        className="min-h-0 flex-1 overflow-y-auto overscroll-contain p-1.5"
      >
        {rows.length === 0 && <p className="px-2.5 py-6 text-center text-sm text-muted">{nothing}</p>}
        {groups
          .filter((group) => group.rows.length > 0)
          .map((group) => (
            <div key={group.heading} role="group" aria-label={group.heading ?? label} className="mb-1">
              {group.heading && (
                <p aria-hidden className="px-2.5 pt-2 pb-1 text-xs font-medium text-muted">
                  {group.heading}
                </p>
              )}
              {group.rows.map((row) => (
                // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- the keys are the field's, which keeps the focus
                <div
                  key={row.id}
                  id={idOf(row)}
                  role="option"
                  tabIndex={-1}
                  aria-selected={row === chosen}
                  onClick={row.run}
                  onPointerMove={() => row !== chosen && setWalked({ typed, id: row.id })}
                  className="flex min-h-row cursor-pointer items-center gap-2.5 rounded-md px-2.5 py-1 aria-selected:bg-hover"
                >
                  <span className="grid size-4 shrink-0 place-items-center text-muted [&_svg]:size-4">{row.icon}</span>
                  <span dir="auto" className="min-w-0 flex-1 truncate">
                    {row.name}
                  </span>
                  {row.keys && <Kbd keys={row.keys} className="pointer-coarse:hidden" />}
                </div>
              ))}
            </div>
          ))}
      </div>
    </>
  )
}
