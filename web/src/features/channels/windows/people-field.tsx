import type { Principal } from '@atrium/contract/access'
import { X } from 'lucide-react'
import { wordsOf } from '../../../api/errors.ts'
import { usePrincipalSearch } from '../../../blocks/principal-search.ts'
import { classNames } from '../../../lib/class-names.ts'
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
  const isFull = chosen.length >= most
  const { field, words, found, options, current, isOpen, input, listId, option } = usePrincipalSearch({
    shut: isFull,
    filter: (one) => one.type === 'account' && !without.has(one.id) && !chosen.some((other) => other.id === one.id),
    takesEnter: (state) => state.words.trim() !== '',
    onPick({ id, name, avatar }) {
      onChange([...chosen, { id, name, avatar }])
      field.current?.focus()
    },
  })
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
        {...input}
        disabled={isFull}
        placeholder={t('people.placeholder')}
        onKeyDown={(event) => {
          input.onKeyDown(event)
          if (event.key === 'Backspace' && words === '' && chosen.length > 0) onChange(chosen.slice(0, -1))
        }}
      />
      {isOpen && (
        <div className="mt-1 max-h-48 overflow-y-auto rounded-lg border border-line bg-raised p-1 shadow-mid">
          {found.isError && <p className="px-2 py-1.5 text-sm text-danger-ink">{wordsOf(found.error)}</p>}
          {found.isSuccess && options.length === 0 && (
            <p className="px-2 py-1.5 text-sm text-muted">{t('people.none')}</p>
          )}
          <ul id={listId} role="listbox" aria-label={t('people.field')}>
            {options.map((person, index) => (
              <li
                key={person.id}
                {...option(person, index)}
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
