import { accountsRoutes } from '@atrium/contract/accounts'
import { call } from '../../api/client.ts'
import { BackButton } from './back-button.tsx'
import { CodeEntry } from './code-entry.tsx'
import { CredentialsForm } from './credentials-form.tsx'
import type { StepProps } from './step-props.ts'
import { useText } from 'virtual:words/sign-in'
import { useCode } from './use-code.ts'

/** The second step of a sign-in: a code of the authenticator app, or one of the recovery codes. */
export function CodeStep({ challengeToken, onSignedIn, onBack }: StepProps) {
  const t = useText('sign-in')
  const { code, setCode, tryCode, reset, busy, wrong, failure, error } = useCode(
    (typed) => call(accountsRoutes.verifyMfa, { body: { challengeToken, code: typed } }, { asGuest: true }),
    ({ user }) => onSignedIn(user),
  )
  return (
    <div className="flex flex-col gap-4">
      <CredentialsForm
        submit={t('code.submit')}
        label={t('code.title')}
        busy={busy}
        failed={failure?.title}
        error={error}
        onSubmit={() => tryCode(code)}
      >
        <CodeEntry value={code} onChange={setCode} onFull={tryCode} onTurn={reset} error={wrong} disabled={busy} />
      </CredentialsForm>
      <BackButton onBack={onBack} />
    </div>
  )
}
