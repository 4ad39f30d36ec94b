import type { Principal } from '@atrium/contract/access'
import { UsersRound, X } from 'lucide-react'
import { wordsOf } from '../../api/errors.ts'
import { classNames } from '../../lib/class-names.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import { Input } from '../../ui/input.tsx'
import { Monogram } from '../../ui/monogram.tsx'
import { useText } from 'virtual:words/share'
import { keyOfPrincipal, usePrincipalSearch } from '../principal-search.ts'

/** One account or group, found by the beginning of its name. */
export function PrincipalField({
  value,
  onChange,
  taken,
  accountsOnly = false,
}: {
  value: Principal | null
  onChange: (principal: Principal | null) => void
  /** Who has it already. */
  taken: readonly Principal[]
  /** No group can be chosen. */
  accountsOnly?: boolean
}) {
  const t = useText('share')
  const { field, words, found, options, current, isOpen, input, listId, option } = usePrincipalSearch({
    shut: value !== null,
    filter: ({ type }) => !accountsOnly || type === 'account',
    takesEnter: (state) => Boolean(state.current) || !state.isAnswered,
    onPick: onChange,
  })
  const isTaken = (principal: Principal) => taken.some((other) => keyOfPrincipal(other) === keyOfPrincipal(principal))
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
      <Input {...input} placeholder={t('whoHint')} />
      {isOpen && (
        <div className="mt-1 max-h-52 overflow-y-auto rounded-lg border border-line bg-raised p-1 shadow-mid">
          {found.isError && <p className="px-2 py-1.5 text-sm text-danger-ink">{wordsOf(found.error)}</p>}
          {found.isSuccess && options.length === 0 && (
            <p className="px-2 py-1.5 text-sm text-muted">{words ? t('noneFound') : t('noneThere')}</p>
          )}
          <ul id={listId} role="listbox" aria-label={t('whoField')}>
            {options.map((principal, index) => (
              <li
                key={keyOfPrincipal(principal)}
                {...option(principal, index)}
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

function PrincipalIcon({ principal }: { principal: Principal }) {
  if (principal.type === 'account')
    return <Monogram name={principal.name} picture={principal.avatar} className="size-5 text-xs" />
  return <UsersRound aria-hidden className="size-4 shrink-0 text-muted" />
}
