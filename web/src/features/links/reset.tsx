import { authentication } from '@atrium/contract/authentication'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { call } from '../../api/client.ts'
import { isAboutPassword, wordsOf } from '../../api/errors.ts'
import { links } from '../../lib/links.ts'
import { useTitle } from '../../lib/title.ts'
import { Button } from '../../ui/button.tsx'
import { ErrorCard } from '../../ui/error-card.tsx'
import { GatePage } from '../../ui/gate-page.tsx'
import { LinkGate, Way } from './gate.tsx'
import { NewPassword } from './password-field.tsx'
import { useText } from './texts.ts'

/** Sets a new password with a link. Nobody is signed in by it. */
export function ResetPage() {
  const t = useText('links')
  useTitle(t('reset'))
  const [isDone, setDone] = useState(false)
  if (isDone) {
    return (
      <GatePage title={t('resetDone')} lead={t('resetDoneText')}>
        <Way to={links.signIn()}>{t('toSignIn')}</Way>
      </GatePage>
    )
  }
  return (
    <LinkGate
      purpose="reset"
      title={t('reset')}
      lead={t('resetLead')}
      instead={<Way to={links.forgot()}>{t('askAgain')}</Way>}
    >
      {({ token }) => <Form token={token} onDone={() => setDone(true)} />}
    </LinkGate>
  )
}

function Form({ token, onDone }: { token: string; onDone: () => void }) {
  const t = useText('links')
  const [password, setPassword] = useState('')
  const reset = useMutation({
    mutationFn: () => call(authentication.resetPassword, { body: { token, password } }, { asGuest: true }),
    onSuccess: () => {
      // The link is used; its address is not to be come back to.
      history.replaceState(history.state, '', location.pathname)
      onDone()
    },
  })
  const isWeak = reset.isError && isAboutPassword(reset.error)
  function submit(event: FormEvent) {
    event.preventDefault()
    reset.mutate()
  }
  return (
    <form onSubmit={submit} className="flex flex-col gap-4">
      {reset.isError && !isWeak && <ErrorCard title={wordsOf(reset.error)} />}
      <NewPassword
        label={t('newPassword')}
        value={password}
        onChange={setPassword}
        error={isWeak && wordsOf(reset.error)}
        autoFocus
      />
      <Button type="submit" tone="primary" size="large" busy={reset.isPending} className="mt-1">
        {t('setPassword')}
      </Button>
    </form>
  )
}
