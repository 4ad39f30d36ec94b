import { type User, accountsRoutes } from '@atrium/contract/accounts'
import { useQuery } from '@tanstack/react-query'
import { Navigate, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { meQuery } from '../../../api/account.ts'
import { detailsOf, wordsOf } from '../../../api/errors.ts'
import { queryClient, queryOf } from '../../../api/query.ts'
import { SignUpForm } from '../../../blocks/sign-in/sign-up-form.tsx'
import { links } from '../../../lib/links.ts'
import { useTitle } from '../../../lib/title.ts'
import { ErrorCard } from '../../../ui/error-card.tsx'
import { CenteredPage } from '../../../ui/centered-page.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { FirstModels } from './models.tsx'
import { RestoreBackup } from './restore.tsx'
import { useText } from 'virtual:words/accounts-first-run'

/** The first two minutes of a server: its administrator, then its models. */
export function WelcomePage() {
  const t = useText('accounts-first-run')
  useTitle(t('title'))
  const navigate = useNavigate()
  const me = useQuery({ ...meQuery, retry: false })
  const info = useQuery(queryOf(accountsRoutes.systemInfo))
  // Until the recovery codes of a required second factor are stored, nothing else may come in between.
  const [isAsked, setAsked] = useState(false)

  function onSignedIn(user: User) {
    setAsked(false)
    queryClient.setQueryData(meQuery.queryKey, user)
  }
  const form = (
    <CenteredPage title={t('title')} lead={t('lead')}>
      <SignUpForm
        submit={t('make')}
        onAsked={() => setAsked(true)}
        onSignedIn={onSignedIn}
        // Somebody else was quicker and made the first account.
        onPending={() => void navigate({ to: links.signIn() })}
      />
      {!isAsked && <RestoreBackup />}
    </CenteredPage>
  )
  if (isAsked) return form
  if (me.data?.role === 'admin') return <FirstModels onDone={() => void navigate({ to: links.newChat() })} />
  if (me.data) return <Navigate to={links.newChat()} replace />
  if (info.isError) {
    return (
      <CenteredPage title={t('title')}>
        <ErrorCard title={t('noAnswer')} details={detailsOf(info.error)} onRetry={() => void info.refetch()}>
          {wordsOf(info.error)}
        </ErrorCard>
      </CenteredPage>
    )
  }
  if (info.isPending || me.isPending) {
    return (
      <CenteredPage title={t('title')}>
        <Skeleton lines={5} />
      </CenteredPage>
    )
  }
  if (info.data.hasUsers) return <Navigate to={links.signIn()} replace />
  return form
}
