import { type User, accountsRoutes } from '@atrium/contract/accounts'
import { call } from '../../api/client.ts'
import { BackButton } from './back-button.tsx'
import { CodeEntry } from './code-entry.tsx'
import { DoorForm } from './door-form.tsx'
import { useText } from 'virtual:words/door'
import { useCode } from './use-code.ts'

/** The second step of a sign-in: a code of the authenticator app, or one of the recovery codes. */
export function CodeStep({
  challengeToken,
  onSignedIn,
  onBack,
}: {
  challengeToken: string
  onSignedIn: (user: User) => void
  onBack: () => void
}) {
  const t = useText('door')
  const { code, setCode, tryCode, reset, busy, wrong, failure } = useCode(
    (typed) => call(accountsRoutes.verifyMfa, { body: { challengeToken, code: typed } }, { asGuest: true }),
    ({ user }) => onSignedIn(user),
  )
  return (
    <div className="flex flex-col gap-4">
      <DoorForm
        submit={t('code.submit')}
        label={t('code.title')}
        busy={busy}
        failed={failure?.title}
        onSubmit={() => tryCode(code)}
      >
        <CodeEntry value={code} onChange={setCode} onFull={tryCode} onTurn={reset} error={wrong} disabled={busy} />
      </DoorForm>
      <BackButton onBack={onBack} />
    </div>
  )
}
