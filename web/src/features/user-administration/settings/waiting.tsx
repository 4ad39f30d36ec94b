import { type ListedUser, userAdministrationRoutes } from '@atrium/contract/user-administration'
import { useQuery } from '@tanstack/react-query'
import { Check, X } from 'lucide-react'
import { call } from '../../../api/client.ts'
import { queryOf } from '../../../api/query.ts'
import { formatAgo, formatDateTime } from '../../../lib/format.ts'
import { Button } from '../../../ui/button.tsx'
import { toast } from '../../../ui/toaster.tsx'
import { Group } from '../../../blocks/setting-row/row.tsx'
import { QueryView } from '../../../blocks/setting-row/query-view.tsx'
import { nameOf } from '../../../api/people.ts'
import { usePeopleAction } from './actions.ts'
import { useText } from 'virtual:words/user-administration'

/** Who asked for an account and waits to be let in. */
export function Waiting() {
  const t = useText('user-administration')
  const waiting = useQuery({
    ...queryOf(userAdministrationRoutes.list, { query: { status: 'pending', sort: 'oldest', limit: 200 } }),
    staleTime: 0,
  })
  return (
    <section id="waiting" className="-mx-3 rounded-lg px-3">
      <Group title={t('waiting.title')}>
        <QueryView query={waiting}>
          {({ items }) =>
            items.length === 0 ? (
              <p className="py-2 text-muted">{t('waiting.nobody')}</p>
            ) : (
              <ul className="mt-2 rounded-lg border border-line bg-raised px-4">
                {items.map((user) => (
                  <Applicant key={user.id} user={user} />
                ))}
              </ul>
            )
          }
        </QueryView>
      </Group>
    </section>
  )
}

function Applicant({ user }: { user: ListedUser }) {
  const t = useText('user-administration')
  const name = nameOf(user)
  const approve = usePeopleAction(
    () => call(userAdministrationRoutes.approve, { params: { id: user.id } }),
    () => toast(t('waiting.approved', { name })),
  )
  const reject = usePeopleAction(() => call(userAdministrationRoutes.reject, { params: { id: user.id } }))
  return (
    <li className="flex flex-wrap items-center gap-2 border-b border-line py-3 last:border-0">
      <div className="min-w-36 flex-1 max-tab:min-w-52">
        <p className="font-medium wrap-anywhere">
          <bdi>{name}</bdi>
        </p>
        <p className="text-sm wrap-anywhere text-muted">
          {user.email && (
            <>
              <bdi dir="ltr">{user.email}</bdi>
              {' · '}
            </>
          )}
          <span title={formatDateTime(user.createdAt)}>{t('waiting.asked', { when: formatAgo(user.createdAt) })}</span>
        </p>
      </div>
      <div className="flex gap-2">
        <Button
          size="small"
          busy={reject.isPending}
          icon={<X className="size-3.5" />}
          aria-label={t('waiting.rejectNamed', { name })}
          onClick={() => reject.mutate(undefined)}
        >
          {t('waiting.reject')}
        </Button>
        <Button
          size="small"
          tone="primary"
          busy={approve.isPending}
          icon={<Check className="size-3.5" />}
          aria-label={t('waiting.approveNamed', { name })}
          onClick={() => approve.mutate(undefined)}
        >
          {t('waiting.approve')}
        </Button>
      </div>
    </li>
  )
}
