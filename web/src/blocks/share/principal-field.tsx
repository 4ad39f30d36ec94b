import { accessRoutes, type Principal } from '@atrium/contract/access'
import { useQuery } from '@tanstack/react-query'
import { UsersRound, X } from 'lucide-react'
import { type KeyboardEvent, useDeferredValue, useEffect, useId, useRef, useState } from 'react'
import { wordsOf } from '../../api/errors.ts'
import { queryOf } from '../../api/query.ts'
import { classNames } from '../../lib/class-names.ts'
import { useEarlyEnter } from '../../lib/early-enter.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import { Input } from '../../ui/input.tsx'
import { Monogram } from '../../ui/monogram.tsx'
import { useText } from 'virtual:words/share'

/** One account or group, found by the beginning of its name. */
export function PrincipalField({
  value,
  onChange,
  taken,
}: {
  value: Principal | null
  onChange: (principal: Principal | null) => void
  /** Who has it already. */
  taken: readonly Principal[]
}) {
  const t = useText('share')
  const id = useId()
  const field = useRef<HTMLInputElement>(null)
  const pressed = useRef(false)
  const [words, setWords] = useState('')
  const [open, setOpen] = useState(false)
  const [at, setAt] = useState(0)
  const q = useDeferredValue(words.trim())
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
  const found = useQuery({
    ...queryOf(accessRoutes.principals, { query: { q, limit: 20 } }),
    enabled: open && !value,
    placeholderData: (before) => before,
    staleTime: 30_000,
  })
  const options = found.data?.items ?? []
  const current = options[Math.min(at, options.length - 1)]
  // Whoever types faster than the answers come means the first one that fits all of the words.
  const isAnswered = found.isSuccess && !found.isPlaceholderData && q === words.trim()
  const setEntered = useEarlyEnter(isAnswered || found.isError, () => {
    if (open && isAnswered && current) pick(current)
  })
  const isTaken = (principal: Principal) => taken.some((other) => keyOfPrincipal(other) === keyOfPrincipal(principal))
  const pick = (principal: Principal) => {
    onChange(principal)
    setWords('')
    setOpen(false)
  }
  function onKeyDown(event: KeyboardEvent) {
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault()
      setOpen(true)
      const by = event.key === 'ArrowDown' ? 1 : -1
      if (open && options.length) setAt((Math.min(at, options.length - 1) + by + options.length) % options.length)
    } else if (event.key === 'Enter' && open && (current || !isAnswered)) {
      event.preventDefault()
      if (current && isAnswered) pick(current)
      else setEntered(true)
    } else if (event.key === 'Escape' && open) {
      event.preventDefault()
      event.stopPropagation()
      setOpen(false)
    }
  }
  if (value) {
    return (
      <div className="flex h-control items-center gap-2 rounded-md border border-line-strong bg-sunken ps-2.5 pe-1">
        <PrincipalIcon principal={value} />
        <span dir="auto" className="min-w-0 flex-1 truncate font-medium">
          {value.name}
        </span>
        <IconButton
          label={t('another')}
          icon={<X />}
          size="small"
          tooltipSide="none"
          onClick={() => {
            onChange(null)
            requestAnimationFrame(() => field.current?.focus())
          }}
        />
      </div>
    )
  }
  return (
    <div className="relative">
      <Input
        ref={field}
        role="combobox"
        aria-expanded={open}
        aria-controls={`${id}-list`}
        aria-autocomplete="list"
        aria-activedescendant={open && current ? `${id}-${keyOfPrincipal(current)}` : undefined}
        autoComplete="off"
        dir="auto"
        placeholder={t('whoHint')}
        value={words}
        onChange={(event) => {
          setWords(event.target.value)
          setAt(0)
          setEntered(false)
          setOpen(true)
        }}
        // Not by the focus alone: the window gives it to this field when it opens.
        onClick={() => setOpen(true)}
        onBlur={() => pressed.current || setOpen(false)}
        onKeyDown={onKeyDown}
      />
      {open && (
        <div className="mt-1 max-h-52 overflow-y-auto rounded-lg border border-line bg-raised p-1 shadow-mid">
          {found.isError && <p className="px-2 py-1.5 text-sm text-danger-ink">{wordsOf(found.error)}</p>}
          {found.isSuccess && options.length === 0 && (
            <p className="px-2 py-1.5 text-sm text-muted">{words ? t('noneFound') : t('noneThere')}</p>
          )}
          <ul id={`${id}-list`} role="listbox" aria-label={t('whoField')}>
            {options.map((principal, index) => (
              <li
                key={keyOfPrincipal(principal)}
                id={`${id}-${keyOfPrincipal(principal)}`}
                role="option"
                aria-selected={principal === current}
                // Before the field loses the focus.
                onPointerDown={(event) => {
                  event.preventDefault()
                  pick(principal)
                }}
                onPointerEnter={() => setAt(index)}
                className={classNames(
                  'flex min-h-row cursor-pointer items-center gap-2 rounded-md px-2',
                  principal === current && 'bg-hover',
                )}
              >
                <PrincipalIcon principal={principal} />
                <span dir="auto" className="min-w-0 flex-1 truncate">
                  {principal.name}
                </span>
                <span className="text-sm text-muted">
                  {isTaken(principal) ? t('hasIt') : t(`kind.${principal.type}`)}
                </span>
              </li>
            ))}
          </ul>
        </div>
      )}
    </div>
  )
}

const keyOfPrincipal = ({ type, id }: Principal) => `${type}-${id}`

function PrincipalIcon({ principal }: { principal: Principal }) {
  if (principal.type === 'account')
    return <Monogram name={principal.name} picture={principal.avatar} className="size-5 text-xs" />
  return <UsersRound aria-hidden className="size-4 shrink-0 text-muted" />
}
