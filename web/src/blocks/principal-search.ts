/** A field in which accounts and groups are found by the beginning of their names, with a list below it. */
import { accessRoutes, type Principal } from '@atrium/contract/access'
import { useQuery } from '@tanstack/react-query'
import { type ComponentProps, type KeyboardEvent, useDeferredValue, useEffect, useId, useRef, useState } from 'react'
import { queryOf } from '../api/query.ts'
import { useEarlyEnter } from '../lib/early-enter.ts'

export const keyOfPrincipal = ({ type, id }: Principal) => `${type}-${id}`

/** The state of the field, and what its input, its list and each option take over. */
export function usePrincipalSearch({
  shut,
  filter = () => true,
  takesEnter,
  onPick,
}: {
  /** Nothing can be looked for now. */
  shut: boolean
  /** Which of those that are found are offered. */
  filter?: (principal: Principal) => boolean
  /** Whether Enter, while the list is open, is for the field and not for the form around it. */
  takesEnter: (state: { words: string; current: Principal | undefined; isAnswered: boolean }) => boolean
  onPick: (principal: Principal) => void
}) {
  const id = useId()
  const field = useRef<HTMLInputElement>(null)
  const pressed = useRef(false)
  const [words, setWords] = useState('')
  const [open, setOpen] = useState(false)
  const [at, setAt] = useState(0)
  const q = useDeferredValue(words.trim())
  const found = useQuery({
    ...queryOf(accessRoutes.principals, { query: { q, limit: 20 } }),
    enabled: open && !shut,
    placeholderData: (before) => before,
    staleTime: 30_000,
  })
  const options = (found.data?.items ?? []).filter(filter)
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
  const pick = (principal: Principal) => {
    onPick(principal)
    setWords('')
    setAt(0)
    setOpen(false)
  }
  function onKeyDown(event: KeyboardEvent) {
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault()
      setOpen(true)
      const by = event.key === 'ArrowDown' ? 1 : -1
      if (open && options.length > 0) setAt((Math.min(at, options.length - 1) + by + options.length) % options.length)
    } else if (event.key === 'Enter' && open && takesEnter({ words, current, isAnswered })) {
      event.preventDefault()
      if (current && isAnswered) pick(current)
      else setEntered(true)
    } else if (event.key === 'Escape' && open) {
      event.preventDefault()
      event.stopPropagation()
      setOpen(false)
    }
  }
  const input = {
    ref: field,
    role: 'combobox',
    'aria-expanded': open && !shut,
    'aria-controls': `${id}-list`,
    'aria-autocomplete': 'list',
    'aria-activedescendant': open && current ? `${id}-${keyOfPrincipal(current)}` : undefined,
    autoComplete: 'off',
    dir: 'auto',
    value: words,
    onChange: (event) => {
      setWords(event.target.value)
      setAt(0)
      setEntered(false)
      setOpen(true)
    },
    // Not by the focus alone: the window gives it to this field when it opens.
    onClick: () => setOpen(true),
    onBlur: () => pressed.current || setOpen(false),
    onKeyDown,
  } satisfies ComponentProps<'input'>
  return {
    field,
    words,
    found,
    options,
    current,
    isOpen: open && !shut,
    input,
    listId: `${id}-list`,
    option: (principal: Principal, index: number) =>
      ({
        id: `${id}-${keyOfPrincipal(principal)}`,
        role: 'option',
        'aria-selected': principal === current,
        // Before the field loses the focus.
        onPointerDown: (event) => {
          event.preventDefault()
          pick(principal)
        },
        onPointerEnter: () => setAt(index),
      }) satisfies ComponentProps<'li'>,
  }
}
