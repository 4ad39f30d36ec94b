import { mailRoutes } from '@atrium/contract/mail'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useMe } from '../../../api/account.ts'
import { queryOf } from '../../../api/query.ts'
import { links } from '../../../lib/links.ts'
import { useText } from 'virtual:words/notifications-settings'

/** `unknown`: not asked yet. */
export type MailState = 'unknown' | 'off' | 'noAddress' | 'unconfirmed' | 'ready'

/** Whether letters reach the account. */
export function useMailState(): MailState {
  const { email, emailVerified } = useMe()
  const { data } = useQuery(queryOf(mailRoutes.settings))
  if (!data) return 'unknown'
  if (!data.available) return 'off'
  if (email === null) return 'noAddress'
  return emailVerified ? 'ready' : 'unconfirmed'
}

/** Why no letter can be had, and where that can be changed. */
export function MailNote({ state }: { state: MailState }) {
  const t = useText('notifications-settings')
  if (state === 'unknown') return null
  return (
    <p className="pt-3 text-sm text-muted">
      {t(`mail.${state === 'ready' ? 'security' : state}`)}
      {(state === 'noAddress' || state === 'unconfirmed') && (
        <>
          {' '}
          <Link to={links.settings('profile', 'email')} className="text-accent-ink underline underline-offset-2">
            {t('mail.toProfile')}
          </Link>
        </>
      )}
    </p>
  )
}
