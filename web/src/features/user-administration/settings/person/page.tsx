import { type ListedUser, userAdministrationRoutes } from '@atrium/contract/user-administration'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useMe } from '../../../../api/account.ts'
import { queryOf } from '../../../../api/query.ts'
import { formatAgo, formatDay, formatDateTime } from '../../../../lib/format.ts'
import { links } from '../../../../lib/links.ts'
import { useTitle } from '../../../../lib/title.ts'
import { SupportAccessOf } from '../../../../blocks/support-access/support-access.tsx'
import { Monogram } from '../../../../ui/monogram.tsx'
import { QueryView } from '../../../../blocks/setting-row/query-view.tsx'
import { SignInMethods, AccountStatus } from '../sign-in-methods.tsx'
import { nameOf } from '../../../../api/people.ts'
import { useText } from 'virtual:words/user-administration'
import { Danger } from './danger.tsx'
import { PersonGroups } from './groups.tsx'
import { PersonPreview } from './preview.tsx'
import { PersonProfile } from './profile.tsx'
import { AccessSummary } from './access-summary.tsx'
import { PersonSessions } from './sessions.tsx'
import { SignIn } from './sign-in.tsx'
import { PersonTokens } from './tokens.tsx'

/** One person: who they are, what they may, how and where they are signed in, and the end of the account. */
export function PersonPage({ id }: { id: string }) {
  const person = useQuery({ ...queryOf(userAdministrationRoutes.read, { params: { id } }), staleTime: 0 })
  return <QueryView query={person}>{(user) => <Loaded user={user} />}</QueryView>
}

function Loaded({ user }: { user: ListedUser }) {
  const t = useText('user-administration')
  const me = useMe()
  const name = nameOf(user)
  useTitle(name)
  return (
    <>
      <header className="mb-8 flex gap-4">
        <Monogram name={name} picture={user.avatar} className="size-12 text-lg" />
        <div className="min-w-0">
          <h3 className="text-lg font-semibold tracking-tight wrap-anywhere">
            <bdi>{name}</bdi>
            {user.id === me.id && <span className="text-base font-normal text-muted"> · {t('you')}</span>}
          </h3>
          <p className="text-sm text-muted">
            <Since user={user} />
          </p>
          <div className="mt-2 flex flex-wrap gap-1.5 empty:hidden">
            <AccountStatus user={user} />
            <SignInMethods user={user} />
          </div>
        </div>
      </header>
      <PersonProfile user={user} />
      <SignIn user={user} />
      <PersonSessions user={user} />
      <PersonTokens user={user} />
      <PersonGroups user={user} />
      <PersonPreview user={user} />
      <AccessSummary user={user} />
      <p className="mt-8 text-sm">
        <Link to={links.usage()} className="text-accent-ink underline underline-offset-2">
          {t('person.budgets')}
        </Link>
      </p>
      {user.id !== me.id && <SupportAccessOf person={{ id: user.id, name }} />}
      {user.id !== me.id && <Danger user={user} />}
    </>
  )
}

function Since({ user }: { user: ListedUser }) {
  const t = useText('user-administration')
  return (
    <>
      {t('person.since', { when: formatDay(user.createdAt) })}
      {user.approvedBy && user.approvedAt && (
        <>
          {' · '}
          {user.approvedBy.name
            ? t('person.approvedBy', { when: formatDay(user.approvedAt), name: user.approvedBy.name })
            : t('person.approved', { when: formatDay(user.approvedAt) })}
        </>
      )}
      {' · '}
      {user.lastActiveAt ? (
        <span title={formatDateTime(user.lastActiveAt)}>
          {t('person.active', { when: formatAgo(user.lastActiveAt) })}
        </span>
      ) : (
        t('person.neverActive')
      )}
    </>
  )
}
