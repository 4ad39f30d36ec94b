import { authentication, type MfaRequired, type User } from '@atrium/contract/authentication'
import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { meQuery } from '../../api/account.ts'
import { call } from '../../api/client.ts'
import { codeOf, isAboutPassword, Problem, wordsOf } from '../../api/errors.ts'
import { queryClient } from '../../api/query.ts'
import { SecondStep } from '../../blocks/door/second-step.tsx'
import { links } from '../../lib/links.ts'
import { useTitle } from '../../lib/title.ts'
import { Button } from '../../ui/button.tsx'
import { ErrorCard } from '../../ui/error-card.tsx'
import { Field } from '../../ui/field.tsx'
import { Input } from '../../ui/input.tsx'
import { LinkGate, type OpenLink } from './gate.tsx'
import { NewPassword } from './password-field.tsx'
import { useText } from './texts.ts'

/** Makes an account with an invitation, and goes in. */
export function InvitePage() {
  const t = useText('links')
  useTitle(t('invite'))
  return (
    <LinkGate purpose="invite" title={t('invite')} lead={t('inviteLead')} instead={t('askInviter')}>
      {(link) => <Form link={link} />}
    </LinkGate>
  )
}

function Form({ link }: { link: OpenLink }) {
  const t = useText('links')
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
        authentication.acceptLink,
        { body: { token: link.token, username: username.trim(), password } },
        { asGuest: true },
      ),
    onSuccess: (answer) => ('mfaRequired' in answer ? setAsked(answer) : enter(answer.user)),
  })
  const place = accept.isError ? fieldOf(accept.error) : null
  const words = accept.isError ? wordsOf(accept.error) : undefined
  function submit(event: FormEvent) {
    event.preventDefault()
    accept.mutate()
  }
  // The account is there; what is left is what every sign-in of it asks for.
  if (asked) return <SecondStep asked={asked} onSignedIn={enter} onBack={() => void navigate({ to: links.signIn() })} />
  return (
    <form onSubmit={submit} className="flex flex-col gap-4">
      {words && !place && <ErrorCard title={words} />}
      <Field label={t('username')} hint={t('usernameHint')} error={place === 'username' && words}>
        <Input
          name="username"
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          dir="auto"
          required
          maxLength={64}
          autoFocus
          value={username}
          onChange={(event) => setUsername(event.target.value)}
        />
      </Field>
      <NewPassword
        label={t('password')}
        value={password}
        onChange={setPassword}
        error={place === 'password' && words}
      />
      {link.email && (
        <p className="text-sm break-words text-muted" dir="auto">
          {t('inviteEmail', { email: link.email })}
        </p>
      )}
      <Button type="submit" tone="primary" size="large" busy={accept.isPending} className="mt-1">
        {t('makeAccount')}
      </Button>
    </form>
  )
}

/** Which field a refusal is about. */
function fieldOf(error: unknown): 'username' | 'password' | null {
  const code = codeOf(error)
  if (code === 'username_taken') return 'username'
  if (isAboutPassword(error)) return 'password'
  const name = error instanceof Problem ? error.fields[0]?.path.split('.').at(-1) : undefined
  return name === 'username' || name === 'password' ? name : null
}
