import type { ListedPerson } from '@atrium/contract/user-administration'
import { Link } from '@tanstack/react-router'
import { useMe } from '../../../../api/account.ts'
import { formatAgo, formatDateTime, formatMoney, formatSize } from '../../../../lib/format.ts'
import { links } from '../../../../lib/links.ts'
import { Badge } from '../../../../ui/badge.tsx'
import { Checkbox } from '../../../../ui/checkbox.tsx'
import { Monogram } from '../../../../ui/monogram.tsx'
import { SignInMethods, AccountStatus } from '../sign-in-methods.tsx'
import { nameOf } from '../../../../api/people.ts'
import { useText } from 'virtual:words/user-administration'

interface Props {
  people: readonly ListedPerson[]
  chosen: ReadonlySet<string>
  onChosen: (chosen: ReadonlySet<string>) => void
}

/** A table where there is room for one beside the list of settings; elsewhere each row is a card. */
export function PeopleTable({ people, chosen, onChosen }: Props) {
  const t = useText('user-administration')
  const choose = (ids: readonly string[], on: boolean) => {
    const next = new Set(chosen)
    for (const id of ids)
      if (on) next.add(id)
      else next.delete(id)
    onChosen(next)
  }
  const ids = people.map(({ id }) => id)
  const all = ids.every((id) => chosen.has(id))
  return (
    <table className="mt-3 w-full text-start max-[960px]:block">
      <thead className="max-[960px]:sr-only">
        <tr className="border-b border-line text-xs text-muted">
          <th scope="col" className="w-8 py-2 text-start">
            <Checkbox aria-label={t('table.all')} checked={all} onChange={(on) => choose(ids, on)} />
          </th>
          {(['person', 'standing', 'means', 'use', 'active'] as const).map((column) => (
            <th key={column} scope="col" className="py-2 pe-3 text-start font-medium">
              {t(`table.${column}`)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody className="max-[960px]:block">
        {people.map((user) => (
          <Person key={user.id} user={user} on={chosen.has(user.id)} onChoose={(on) => choose([user.id], on)} />
        ))}
      </tbody>
    </table>
  )
}

function Person({ user, on, onChoose }: { user: ListedPerson; on: boolean; onChoose: (on: boolean) => void }) {
  const t = useText('user-administration')
  const me = useMe()
  const name = nameOf(user)
  return (
    <tr className="border-b border-line align-top max-[960px]:relative max-[960px]:flex max-[960px]:flex-wrap max-[960px]:items-center max-[960px]:gap-x-2 max-[960px]:gap-y-1.5 max-[960px]:py-3 max-[960px]:ps-9 min-[960px]:hover:bg-hover/50">
      <td className="py-3 max-[960px]:absolute max-[960px]:start-0 max-[960px]:top-3 max-[960px]:py-0.5">
        <Checkbox aria-label={t('table.choose', { name })} checked={on} onChange={onChoose} />
      </td>
      <td className="min-w-0 py-2.5 pe-3 max-[960px]:basis-full max-[960px]:p-0">
        <div className="flex gap-2.5">
          <Monogram name={name} picture={user.avatar} className="mt-0.5 size-7 text-xs" />
          <div className="min-w-0">
            <Link
              to={links.person(user.id)}
              className="font-medium wrap-anywhere underline-offset-2 hover:underline focus-visible:underline"
            >
              <bdi>{name}</bdi>
            </Link>
            {user.id === me.id && <span className="text-sm text-muted"> · {t('you')}</span>}
            <span className="block text-sm wrap-anywhere text-muted">
              {user.displayName && <bdi>{user.username}</bdi>}
              {user.displayName && user.email && ' · '}
              {user.email && <bdi dir="ltr">{user.email}</bdi>}
            </span>
            {user.groups.length > 0 && (
              <ul aria-label={t('groups')} className="mt-1 flex flex-wrap gap-1">
                {user.groups.map(({ id, name: group }) => (
                  <li key={id} className="flex max-w-full min-w-0">
                    <Badge className="max-w-full shrink!">
                      <bdi className="truncate">{group}</bdi>
                    </Badge>
                  </li>
                ))}
              </ul>
            )}
          </div>
        </div>
      </td>
      <td className="py-3 pe-3 max-[960px]:p-0">
        <AccountStatus user={user} />
      </td>
      <td className="py-3 pe-3 max-[960px]:p-0">
        <SignInMethods user={user} />
      </td>
      <td className="py-2.5 pe-3 text-sm whitespace-nowrap text-muted tabular-nums max-[960px]:basis-full max-[960px]:p-0">
        <span className="block max-[960px]:inline" title={t('table.spentText')}>
          <span className="sr-only">{t('table.spentText')}: </span>
          {formatMoney(user.spent.amount, user.spent.currency)}
        </span>
        <span aria-hidden className="min-[960px]:hidden">
          {' · '}
        </span>
        <span className="block max-[960px]:inline" title={t('table.storedText')}>
          <span className="sr-only">{t('table.storedText')}: </span>
          {formatSize(user.storedBytes)}
        </span>
      </td>
      <td className="py-2.5 text-sm whitespace-nowrap text-muted max-[960px]:basis-full max-[960px]:p-0">
        <span className="min-[960px]:hidden">{t('table.active')}: </span>
        {user.lastActiveAt ? (
          <span title={formatDateTime(user.lastActiveAt)}>{formatAgo(user.lastActiveAt)}</span>
        ) : (
          t('table.never')
        )}
      </td>
    </tr>
  )
}
