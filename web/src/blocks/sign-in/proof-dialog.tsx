import { type Proof, accountsRoutes } from '@atrium/contract/accounts'
import { useMutation, useQuery } from '@tanstack/react-query'
import { KeyRound } from 'lucide-react'
import type { ReactNode } from 'react'
import { useMe } from '../../api/account.ts'
import { wordsOf } from '../../api/errors.ts'
import { queryOf } from '../../api/query.ts'
import { Button } from '../../ui/button.tsx'
import { ErrorCard } from '../../ui/error-card.tsx'
import { Field } from '../../ui/field.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { PasswordInput } from '../../ui/password-input.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { PasskeyError, passkeyUnavailableReason } from '../passkeys.ts'
import { CodeEntry } from './code-entry.tsx'
import { useText } from 'virtual:words/sign-in'
import { useCode } from './use-code.ts'

/**
 * Before something that only the owner of the account may do: asks for a code where one-time codes are on, else for
 * the password, and hands it to `act`. What `act` throws is told here; where it comes through, `onDone` gets its answer.
 */
export function ProofDialog<R>({
  title,
  text,
  confirm,
  danger = false,
  act,
  byPasskey,
  otherWay,
  onDone,
  onClose,
}: {
  title: string
  /** Why it is asked. Codes are asked for each time, a password only after a while: the reason may differ. */
  text?: string | ((byCode: boolean) => string)
  /** The word on the button. */
  confirm: string
  danger?: boolean
  act: (proof: Proof) => Promise<R>
  /** Does the same with a passkey, where the account has one. */
  byPasskey?: () => Promise<R>
  /** For who has none of these. */
  otherWay?: ReactNode
  onDone: (result: R) => void
  onClose: () => void
}) {
  const t = useText('sign-in')
  const me = useMe()
  const mfa = useQuery({ ...queryOf(accountsRoutes.mfa), staleTime: 0 })
  const byCode = mfa.data?.totpEnabled ?? false
  const {
    code: typed,
    setCode: setTyped,
    ...run
  } = useCode((given) => act(byCode ? { code: given } : { password: given }), onDone)
  const passkey = useMutation({
    mutationFn: async () => await byPasskey?.(),
    onSuccess: (done) => done && onDone(done),
  })
  const hasPasskey =
    byPasskey !== undefined && passkeyUnavailableReason() === null && (mfa.data?.passkeys.length ?? 0) > 0
  return (
    <FormDialog
      width="narrow"
      title={title}
      description={typeof text === 'function' ? (mfa.data ? text(byCode) : undefined) : text}
      submit={confirm}
      busy={run.busy}
      tone={danger ? 'danger' : 'primary'}
      error={run.failure}
      disabled={!mfa.data}
      onSubmit={() => run.tryCode(typed)}
      onClose={onClose}
    >
      <input type="text" name="username" autoComplete="username" value={me.username} readOnly hidden />
      {mfa.isPending && <Skeleton lines={2} />}
      {mfa.isError && <ErrorCard title={wordsOf(mfa.error)} onRetry={() => void mfa.refetch()} />}
      {mfa.data &&
        (byCode ? (
          <CodeEntry
            value={typed}
            onChange={setTyped}
            onFull={run.tryCode}
            onTurn={run.reset}
            error={run.wrong}
            disabled={run.busy}
          />
        ) : (
          <Field label={t('password')} hint={otherWay ? undefined : t('proofHint')} error={run.wrong}>
            <PasswordInput
              name="password"
              autoComplete="current-password"
              required
              autoFocus
              value={typed}
              onChange={(event) => setTyped(event.target.value)}
            />
          </Field>
        ))}
      {passkey.isError && (
        <ErrorCard title={passkey.error instanceof PasskeyError ? t('passkeyRefused') : wordsOf(passkey.error)} />
      )}
      {hasPasskey && (
        <Button icon={<KeyRound className="size-4" />} busy={passkey.isPending} onClick={() => passkey.mutate()}>
          {t('prove.passkey')}
        </Button>
      )}
      {otherWay}
    </FormDialog>
  )
}
