import { accountsRoutes } from '@atrium/contract/accounts'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../../api/client.ts'
import { isAboutPassword, wordsOf } from '../../../api/errors.ts'
import { CredentialsForm } from '../../../blocks/sign-in/credentials-form.tsx'
import { NewPassword } from '../../../blocks/sign-in/new-password.tsx'
import { links } from '../../../lib/links.ts'
import { useTitle } from '../../../lib/title.ts'
import { CenteredPage } from '../../../ui/centered-page.tsx'
import { CheckedLink, TextLink } from './checked-link.tsx'
import { useText } from 'virtual:words/accounts-links'

/** Sets a new password with a link. Nobody is signed in by it. */
export function ResetPage() {
  const t = useText('accounts-links')
  useTitle(t('reset'))
  const [isDone, setDone] = useState(false)
  if (isDone) {
    return (
      <CenteredPage title={t('resetDone')} lead={t('resetDoneText')}>
        <TextLink to={links.signIn()}>{t('toSignIn')}</TextLink>
      </CenteredPage>
    )
  }
  return (
    <CheckedLink
      purpose="reset"
      title={t('reset')}
      lead={t('resetLead')}
      instead={<TextLink to={links.forgot()}>{t('askAgain')}</TextLink>}
    >
      {({ token }) => <Form token={token} onDone={() => setDone(true)} />}
    </CheckedLink>
  )
}

function Form({ token, onDone }: { token: string; onDone: () => void }) {
  const t = useText('accounts-links')
  const [password, setPassword] = useState('')
  const reset = useMutation({
    mutationFn: () => call(accountsRoutes.resetPassword, { body: { token, password } }, { asGuest: true }),
    onSuccess: () => {
      // The link is used; its address is not to be come back to.
      history.replaceState(history.state, '', location.pathname)
      onDone()
    },
  })
  const isWeak = reset.isError && isAboutPassword(reset.error)
  return (
    <CredentialsForm
      submit={t('setPassword')}
      busy={reset.isPending}
      failed={reset.isError && !isWeak && wordsOf(reset.error)}
      error={reset.error}
      onSubmit={() => reset.mutate()}
    >
      <NewPassword
        label={t('newPassword')}
        value={password}
        onChange={setPassword}
        error={isWeak && wordsOf(reset.error)}
        autoFocus
      />
    </CredentialsForm>
  )
}
