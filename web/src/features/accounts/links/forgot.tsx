import { accountsRoutes } from '@atrium/contract/accounts'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../../api/client.ts'
import { wordsOf } from '../../../api/errors.ts'
import { queryOf } from '../../../api/query.ts'
import { CredentialsForm } from '../../../blocks/sign-in/credentials-form.tsx'
import { NameField } from '../../../blocks/sign-in/name-field.tsx'
import { links } from '../../../lib/links.ts'
import { useTitle } from '../../../lib/title.ts'
import { CenteredPage } from '../../../ui/centered-page.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { TextLink } from './checked-link.tsx'
import { useText } from 'virtual:words/accounts-links'

/** Asks for a link by mail. What comes of it is told to nobody but the owner of the mail box. */
export function ForgotPage() {
  const t = useText('accounts-links')
  useTitle(t('forgot'))
  const info = useQuery(queryOf(accountsRoutes.systemInfo))
  const [login, setLogin] = useState('')
  const ask = useMutation({
    mutationFn: () => call(accountsRoutes.forgotPassword, { body: { login: login.trim() } }, { asGuest: true }),
  })
  const back = (
    <p className="mt-5 text-sm">
      <TextLink to={links.signIn()}>{t('toSignIn')}</TextLink>
    </p>
  )
  if (ask.isSuccess) {
    return (
      <CenteredPage title={t('askedTitle')} lead={t('askedText')}>
        <p className="text-sm text-muted">{t('askedHint')}</p>
        {back}
      </CenteredPage>
    )
  }
  if (info.data && !info.data.mailAvailable) {
    return (
      <CenteredPage title={t('noMailTitle')} lead={t('noMailText')}>
        {back}
      </CenteredPage>
    )
  }
  return (
    <CenteredPage title={t('forgot')} lead={t('forgotLead')}>
      {info.isPending ? (
        <Skeleton lines={3} />
      ) : (
        <CredentialsForm
          submit={t('sendLink')}
          busy={ask.isPending}
          failed={ask.isError && wordsOf(ask.error)}
          error={ask.error}
          onSubmit={() => login.trim() !== '' && ask.mutate()}
        >
          <NameField label={t('login')} maxLength={254} value={login} onChange={setLogin} />
        </CredentialsForm>
      )}
      {back}
    </CenteredPage>
  )
}
