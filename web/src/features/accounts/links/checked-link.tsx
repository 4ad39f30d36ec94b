import { type LinkPurpose, accountsRoutes } from '@atrium/contract/accounts'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { call } from '../../../api/client.ts'
import { codeOf, detailsOf, wordsOf } from '../../../api/errors.ts'
import { ErrorCard } from '../../../ui/error-card.tsx'
import { CenteredPage } from '../../../ui/centered-page.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { useText } from 'virtual:words/accounts-links'

/** What is known of a link before it is used. */
export interface OpenLink {
  readonly token: string
  readonly email: string | null
  /** Who invites, of an invitation. */
  readonly invitedBy: string | null
}

/**
 * The page of a one-time link. The secret stands behind the `#`, so the server that sent the page never saw it; it is
 * looked at first, and only used by what the person does then.
 */
export function CheckedLink({
  purpose,
  title,
  lead,
  leadOf,
  instead,
  children,
}: {
  purpose: LinkPurpose
  title: string
  lead: string
  /** The same once it is known whose link it is. */
  leadOf?: (link: Omit<OpenLink, 'token'>) => string
  /** What to do where the link does not work. */
  instead: ReactNode
  children: (link: OpenLink) => ReactNode
}) {
  const t = useText('accounts-links')
  const [token] = useState(() => location.hash.slice(1))
  const link = useQuery({
    queryKey: ['one-time-link', token],
    queryFn: () => call(accountsRoutes.checkLink, { body: { token } }, { asGuest: true }),
    enabled: token !== '',
    staleTime: Infinity,
    gcTime: 0,
    retry: false,
  })
  const isInvalid =
    token === '' || codeOf(link.error) === 'link_invalid' || (link.data && link.data.purpose !== purpose)
  if (isInvalid) {
    return (
      <CenteredPage title={t('invalidTitle')} lead={token === '' ? t('incomplete') : t('invalidText')}>
        <div className="text-muted">{instead}</div>
      </CenteredPage>
    )
  }
  return (
    <CenteredPage title={title} lead={link.data && leadOf ? leadOf(link.data) : lead}>
      {link.isError ? (
        <ErrorCard title={t('notLoaded')} details={detailsOf(link.error)} onRetry={() => void link.refetch()}>
          {wordsOf(link.error)}
        </ErrorCard>
      ) : link.data ? (
        children({ token, email: link.data.email, invitedBy: link.data.invitedBy })
      ) : (
        <Skeleton lines={4} />
      )}
    </CenteredPage>
  )
}

/** A way to another page of the app. */
export function TextLink({ to, children }: { to: string; children: ReactNode }) {
  return (
    <Link to={to} className="font-medium text-accent-ink underline underline-offset-2">
      {children}
    </Link>
  )
}
