import { type MfaRequired, type User, accountsRoutes } from '@atrium/contract/accounts'
import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { meQuery } from '../../../api/account.ts'
import { call } from '../../../api/client.ts'
import { wordsOf } from '../../../api/errors.ts'
import { queryClient } from '../../../api/query.ts'
import { CredentialsForm } from '../../../blocks/sign-in/credentials-form.tsx'
import { NameField } from '../../../blocks/sign-in/name-field.tsx'
import { NewPassword } from '../../../blocks/sign-in/new-password.tsx'
import { refusedField } from '../../../blocks/sign-in/refused-field.ts'
import { SecondStep } from '../../../blocks/sign-in/second-step.tsx'
import { links } from '../../../lib/links.ts'
import { useTitle } from '../../../lib/title.ts'
import { CheckedLink, type OpenLink } from './checked-link.tsx'
import { useText } from 'virtual:words/accounts-links'

/** Makes an account with an invitation, and goes in. */
export function InvitePage() {
  const t = useText('accounts-links')
  useTitle(t('invite'))
  return (
    <CheckedLink
      purpose="invite"
      title={t('invite')}
      lead={t('inviteLead')}
      leadOf={({ invitedBy }) =>
        invitedBy ? `${t('invitedBy', { name: invitedBy, host: location.host })} ${t('inviteLead')}` : t('inviteLead')
      }
      instead={t('askInviter')}
    >
      {(link) => <Form link={link} />}
    </CheckedLink>
  )
}

function Form({ link }: { link: OpenLink }) {
  const t = useText('accounts-links')
  const navigate = useNavigate()
  const [username, setUsername] = useState('')
  const [password, setPassword] = useState('')
  const [asked, setAsked] = useState<MfaRequired | null>(null)
  const enter = (user: User) => {
    queryClient.clear()
    queryClient.setQueryData(meQuery.queryKey, user)
    void navigate({ to: links.newChat(), replace: true })
  }
  const accept = useMutation({
    mutationFn: () =>
      call(
        accountsRoutes.acceptLink,
        { body: { token: link.token, username: username.trim(), password } },
        { asGuest: true },
      ),
    onSuccess: (answer) => ('mfaRequired' in answer ? setAsked(answer) : enter(answer.user)),
  })
  const place = refusedField(accept.error)
  const words = accept.isError && wordsOf(accept.error)
  // The account is there; what is left is what every sign-in of it asks for.
  if (asked) return <SecondStep asked={asked} onSignedIn={enter} onBack={() => void navigate({ to: links.signIn() })} />
  return (
    <CredentialsForm
      submit={t('makeAccount')}
      busy={accept.isPending}
      failed={!place && words}
      error={accept.error}
      onSubmit={() => accept.mutate()}
    >
      <NameField
        hint={t('sign-in:usernameHint')}
        error={place === 'username' && words}
        value={username}
        onChange={setUsername}
      />
      <NewPassword
        label={t('sign-in:password')}
        value={password}
        onChange={setPassword}
        error={place === 'password' && words}
      />
      {link.email && (
        <p className="text-sm break-words text-muted" dir="auto">
          {t('inviteEmail', { email: link.email })}
        </p>
      )}
    </CredentialsForm>
  )
}
