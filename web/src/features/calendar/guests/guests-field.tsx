import { type Guest, mostGuests } from '@atrium/contract/calendar'
import { X } from 'lucide-react'
import { useId } from 'react'
import { wordsOf } from '../../../api/errors.ts'
import { usePrincipalSearch } from '../../../blocks/principal-search.ts'
import { classNames } from '../../../lib/class-names.ts'
import { IconButton } from '../../../ui/icon-button.tsx'
import { Input } from '../../../ui/input.tsx'
import { Monogram } from '../../../ui/monogram.tsx'
import { useText } from 'virtual:words/calendar'

/** People of the instance who are invited. */
export function GuestsField({
  value,
  onChange,
}: {
  value: readonly Guest[]
  onChange: (guests: readonly Guest[]) => void
}) {
  const t = useText('calendar')
  const id = useId()
  const { found, words, options, current, isOpen, input, listId, option } = usePrincipalSearch({
    shut: value.length >= mostGuests,
    filter: (principal) => principal.type === 'account' && !value.some((guest) => guest.id === principal.id),
    takesEnter: (state) => Boolean(state.current) || !state.isAnswered,
    onPick: (principal) => onChange([...value, { id: principal.id, name: principal.name, answer: 'waiting' }]),
  })
  return (
    <div>
      <label htmlFor={id} className="mb-1.5 block text-sm font-medium">
        {t('guests.label')}
      </label>
      {value.length > 0 && (
        <ul className="mb-2 flex flex-wrap gap-1.5">
          {value.map((guest) => (
            <li
              key={guest.id}
              className="flex max-w-full items-center gap-1.5 rounded-full border border-line bg-sunken ps-2.5 text-sm"
            >
              <span dir="auto" className="min-w-0 truncate">
                {guest.name}
              </span>
              {guest.answer !== 'waiting' && <span className="text-muted">{t(`guests.answer.${guest.answer}`)}</span>}
              <IconButton
                label={t('guests.remove', { name: guest.name })}
                icon={<X />}
                size="small"
                tone="plain"
                tooltipSide="none"
                onClick={() => onChange(value.filter((other) => other.id !== guest.id))}
              />
            </li>
          ))}
        </ul>
      )}
      <Input {...input} id={id} disabled={value.length >= mostGuests} placeholder={t('guests.placeholder')} />
      {isOpen && (
        <div className="mt-1 max-h-44 overflow-y-auto rounded-lg border border-line bg-raised p-1 shadow-mid">
          {found.isError && <p className="px-2 py-1.5 text-sm text-danger-ink">{wordsOf(found.error)}</p>}
          {found.isSuccess && options.length === 0 && (
            <p className="px-2 py-1.5 text-sm text-muted">{t(words ? 'guests.noneFound' : 'guests.noneThere')}</p>
          )}
          <ul id={listId} role="listbox" aria-label={t('guests.label')}>
            {options.map((principal, index) => (
              <li
                key={principal.id}
                {...option(principal, index)}
                className={classNames(
                  'flex min-h-row cursor-pointer items-center gap-2 rounded-md px-2',
                  principal === current && 'bg-hover',
                )}
              >
                <Monogram name={principal.name} picture={principal.avatar} className="size-5 text-xs" />
                <span dir="auto" className="min-w-0 flex-1 truncate">
                  {principal.name}
                </span>
              </li>
            ))}
          </ul>
        </div>
      )}
    </div>
  )
}
