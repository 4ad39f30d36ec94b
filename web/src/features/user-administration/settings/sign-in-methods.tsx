import type { ListedUser } from '@atrium/contract/user-administration'
import { Badge } from '../../../ui/badge.tsx'
import { managerName } from '../../../api/people.ts'
import { useText } from 'virtual:words/user-administration'

/** What a person signs in with, as small badges. */
export function SignInMethods({ user }: { user: Pick<ListedUser, 'signIn'> }) {
  const t = useText('user-administration')
  if (user.signIn.length === 0) return <Badge tone="warn">{t('means.none')}</Badge>
  return (
    <ul aria-label={t('means.title')} className="flex flex-wrap gap-1">
      {user.signIn.map((way) => (
        <li key={way} className="flex">
          <Badge>{t(`means.${way}`)}</Badge>
        </li>
      ))}
    </ul>
  )
}

/** Role and standing, never by colour alone. */
export function AccountStatus({ user }: { user: ListedUser }) {
  const t = useText('user-administration')
  return (
    <div className="flex flex-wrap gap-1">
      <Badge tone={user.role === 'admin' ? 'accent' : 'plain'}>{t(`role.${user.role}`)}</Badge>
      {user.status === 'disabled' && <Badge tone="warn">{t('status.disabled')}</Badge>}
      {user.status === 'pending' && <Badge tone="info">{t('status.pending')}</Badge>}
      {user.removalAt && <Badge tone="danger">{t('status.leaving')}</Badge>}
      {user.managedBy && <Badge>{t('managedBy', { name: managerName(user.managedBy) })}</Badge>}
    </div>
  )
}
