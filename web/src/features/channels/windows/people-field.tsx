import { accessRoutes, type Principal } from '@atrium/contract/access'
import { useQuery } from '@tanstack/react-query'
import { X } from 'lucide-react'
import { type KeyboardEvent, useDeferredValue, useEffect, useId, useRef, useState } from 'react'
import { wordsOf } from '../../../api/errors.ts'
import { queryOf } from '../../../api/query.ts'
import { classNames } from '../../../lib/class-names.ts'
import { useEarlyEnter } from '../../../lib/early-enter.ts'
import { IconButton } from '../../../ui/icon-button.tsx'
import { Input } from '../../../ui/input.tsx'
import { Monogram } from '../../../ui/monogram.tsx'
import { shownName } from '../names.ts'
import { useText } from 'virtual:words/channels'

export type Person = Pick<Principal, 'id' | 'name' | 'avatar'>

/** Several people, found by the beginning of their names. Backspace in the empty field takes the last one away. */
export function PeopleField({
  chosen,
  onChange,
  without,
  most,
}: {
  chosen: readonly Person[]
  onChange: (people: readonly Person[]) => void
  /** Who is in it already. */
  without: ReadonlySet<string>
  most: number
}) {
  const t = useText('channels')
  const id = useId()
  const field = useRef<HTMLInputElement>(null)
  const pressed = useRef(false)
  const [words, setWords] = useState('')
  const [open, setOpen] = useState(false)
  const [at, setAt] = useState(0)
  const q = useDeferredValue(words.trim())
  const isFull = chosen.length >= most
  const found = useQuery({
    ...queryOf(accessRoutes.principals, { query: { q, limit: 20 } }),
    enabled: open && !isFull,
    placeholderData: (before) => before,
    staleTime: 30_000,
  })
  const options = (found.data?.items ?? []).filter(
    (one) => one.type === 'account' && !without.has(one.id) && !chosen.some((other) => other.id === one.id),
  )
  const current = options[Math.min(at, options.length - 1)]
  // Whoever types faster than the answers come means the first one that fits all of the words.
  const isAnswered = found.isSuccess && !found.isPlaceholderData && q === words.trim()
  const setEntered = useEarlyEnter(isAnswered || found.isError, () => {
    if (open && isAnswered && current) pick(current)
  })
  // Closed only when the pointer is up again: what stands below would move away under it.
  useEffect(() => {
    if (!open) return
    const down = () => {
      pressed.current = true
    }
    const up = () => {
      pressed.current = false
      setTimeout(() => document.activeElement === field.current || setOpen(false))
    }
    addEventListener('pointerdown', down, true)
    addEventListener('pointerup', up, true)
    addEventListener('pointercancel', up, true)
    return () => {
      removeEventListener('pointerdown', down, true)
      removeEventListener('pointerup', up, true)
      removeEventListener('pointercancel', up, true)
      pressed.current = false
    }
  }, [open])
  const pick = ({ id: personId, name, avatar }: Principal) => {
    onChange([...chosen, { id: personId, name, avatar }])
    setWords('')
    setAt(0)
    setOpen(false)
    field.current?.focus()
  }
  function onKeyDown(event: KeyboardEvent) {
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault()
      setOpen(true)
      const by = event.key === 'ArrowDown' ? 1 : -1
      if (open && options.length > 0) setAt((Math.min(at, options.length - 1) + by + options.length) % options.length)
    } else if (event.key === 'Enter' && open && words.trim() !== '') {
      event.preventDefault()
      if (current && isAnswered) pick(current)
      else setEntered(true)
    } else if (event.key === 'Escape' && open) {
      event.preventDefault()
      event.stopPropagation()
      setOpen(false)
    } else if (event.key === 'Backspace' && words === '' && chosen.length > 0) {
      onChange(chosen.slice(0, -1))
    }
  }
  return (
    <div>
      {chosen.length > 0 && (
        <ul aria-label={t('people.chosen')} className="mb-2 flex flex-wrap gap-1.5">
          {chosen.map((person) => (
            <li
              key={person.id}
              className="flex h-control-small items-center gap-1.5 rounded-full border border-line bg-sunken ps-1 text-sm"
            >
              <Monogram name={shownName(person.name)} picture={person.avatar} className="size-5 text-2xs" />
              <bdi className="max-w-40 truncate">{shownName(person.name)}</bdi>
              <IconButton
                label={t('people.remove', { name: shownName(person.name) })}
                icon={<X />}
                size="small"
                tooltipSide="none"
                className="rounded-full"
                onClick={() => onChange(chosen.filter((other) => other.id !== person.id))}
              />
            </li>
          ))}
        </ul>
      )}
      <Input
        ref={field}
        role="combobox"
        aria-expanded={open && !isFull}
        aria-controls={`${id}-list`}
        aria-autocomplete="list"
        aria-activedescendant={open && current ? `${id}-${current.id}` : undefined}
        autoComplete="off"
        dir="auto"
        disabled={isFull}
        placeholder={t('people.placeholder')}
        value={words}
        onChange={(event) => {
          setWords(event.target.value)
          setAt(0)
          setEntered(false)
          setOpen(true)
        }}
        onClick={() => setOpen(true)}
        onBlur={() => pressed.current || setOpen(false)}
        onKeyDown={onKeyDown}
      />
      {open && !isFull && (
        <div className="mt-1 max-h-48 overflow-y-auto rounded-lg border border-line bg-raised p-1 shadow-mid">
          {found.isError && <p className="px-2 py-1.5 text-sm text-danger-ink">{wordsOf(found.error)}</p>}
          {found.isSuccess && options.length === 0 && (
            <p className="px-2 py-1.5 text-sm text-muted">{t('people.none')}</p>
          )}
          <ul id={`${id}-list`} role="listbox" aria-label={t('people.field')}>
            {options.map((person, index) => (
              <li
                key={person.id}
                id={`${id}-${person.id}`}
                role="option"
                aria-selected={person === current}
                // Before the field loses the focus.
                onPointerDown={(event) => {
                  event.preventDefault()
                  pick(person)
                }}
                onPointerEnter={() => setAt(index)}
                className={classNames(
                  'flex cursor-default items-center gap-2 rounded-md px-2 py-1.5 select-none pointer-coarse:min-h-11',
                  person === current && 'bg-hover',
                )}
              >
                <Monogram name={shownName(person.name)} picture={person.avatar} className="size-6 text-2xs" />
                <bdi className="min-w-0 truncate">{person.name}</bdi>
              </li>
            ))}
          </ul>
        </div>
      )}
    </div>
  )
}
