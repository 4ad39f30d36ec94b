import { authentication, type Proof } from '@atrium/contract/authentication'
import { useMutation, useQuery } from '@tanstack/react-query'
import { KeyRound } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { useMe } from '../../api/account.ts'
import { codeOf, failureOf, wordsOf } from '../../api/errors.ts'
import { queryOf } from '../../api/query.ts'
import { Button } from '../../ui/button.tsx'
import { ErrorCard } from '../../ui/error-card.tsx'
import { Field } from '../../ui/field.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { PasswordInput } from '../../ui/password-input.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { PasskeyRefused, passkeyObstacle } from '../passkeys.ts'
import { CodeEntry } from './code-entry.tsx'
import { useText } from './texts.ts'

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
  text?: string
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
  const t = useText('door')
  const me = useMe()
  const mfa = useQuery({ ...queryOf(authentication.mfa), staleTime: 0 })
  const [typed, setTyped] = useState('')
  const byCode = mfa.data?.totpEnabled ?? false
  const run = useMutation({
    mutationFn: (given: string) => act(byCode ? { code: given } : { password: given }),
    onSuccess: onDone,
    onError: () => setTyped(''),
  })
  const passkey = useMutation({
    mutationFn: async () => await byPasskey?.(),
    onSuccess: (done) => done && onDone(done),
  })
  const hasPasskey = byPasskey !== undefined && passkeyObstacle() === null && (mfa.data?.passkeys.length ?? 0) > 0
  const code = run.isError ? codeOf(run.error) : null
  const isWrong = code === 'wrong_code' || code === 'wrong_password'
  const words = run.isError ? wordsOf(run.error) : undefined
  function submit() {
    if (typed.trim()) run.mutate(typed)
  }
  return (
    <FormDialog
      width="narrow"
      title={title}
      description={text}
      submit={confirm}
      busy={run.isPending}
      tone={danger ? 'danger' : 'primary'}
      error={isWrong ? null : failureOf(run.error)}
      disabled={!mfa.data}
      onSubmit={submit}
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
            onFull={(full) => run.mutate(full)}
            onTurn={run.reset}
            error={isWrong && words}
            disabled={run.isPending}
          />
        ) : (
          <Field label={t('password')} hint={otherWay ? undefined : t('proofHint')} error={isWrong && words}>
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
        <ErrorCard title={passkey.error instanceof PasskeyRefused ? t('passkeyRefused') : wordsOf(passkey.error)} />
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
