import { accountsRoutes } from '@atrium/contract/accounts'
import { type ApiToken, apiTokensRoutes } from '@atrium/contract/api-tokens'
import { signInProvidersRoutes } from '@atrium/contract/sign-in-providers'
import { useMutation, useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { useMe } from '../../../api/account.ts'
import { call } from '../../../api/client.ts'
import { codeOf, isAboutPassword, wordsOf } from '../../../api/errors.ts'
import { queryOf, refresh } from '../../../api/query.ts'
import { Button } from '../../../ui/button.tsx'
import { Checkbox } from '../../../ui/checkbox.tsx'
import { ErrorCard } from '../../../ui/error-card.tsx'
import { Field } from '../../../ui/field.tsx'
import { PasswordInput } from '../../../ui/password-input.tsx'
import { toast } from '../../../ui/toaster.tsx'
import { useText } from 'virtual:words/settings'

/** Changes the own password; every other session ends with it. */
export function PasswordForm() {
  const t = useText('settings')
  const me = useMe()
  const identities = useQuery(queryOf(signInProvidersRoutes.identities))
  // Whoever comes in by another way may have none yet.
  const hasPassword = identities.data?.hasPassword ?? true
  const [current, setCurrent] = useState('')
  const [next, setNext] = useState('')
  const known = useQuery(queryOf(apiTokensRoutes.tokens, { query: { limit: 200 } }))
  const tokens = known.data?.items.filter(isLive).length ?? 0
  // Whoever changes it out of suspicion wants the door shut behind them; whoever does not takes the mark away.
  const [revokes, setRevokes] = useState(true)
  const change = useMutation({
    mutationFn: () =>
      call(accountsRoutes.changePassword, {
        body: {
          ...(hasPassword ? { currentPassword: current } : {}),
          newPassword: next,
          revokeTokens: tokens > 0 && revokes,
        },
      }),
    onSuccess: () => {
      setCurrent('')
      setNext('')
      void refresh(accountsRoutes.sessions)
      void refresh(apiTokensRoutes.tokens)
      void refresh(signInProvidersRoutes.identities)
      toast(t('security.passwordChanged'))
    },
  })
  const code = change.isError ? codeOf(change.error) : null
  const words = change.isError ? wordsOf(change.error) : undefined
  const isWeak = change.isError && isAboutPassword(change.error)
  function submit(event: FormEvent) {
    event.preventDefault()
    change.mutate()
  }
  return (
    <form onSubmit={submit} className="mt-3 flex max-w-sm flex-col gap-4">
      {/* Tells password managers whose password this is. */}
      <input type="text" name="username" autoComplete="username" value={me.username} readOnly hidden />
      {words && code !== 'wrong_password' && !isWeak && <ErrorCard title={words} />}
      {hasPassword ? (
        <Field label={t('security.currentPassword')} error={code === 'wrong_password' && words}>
          <PasswordInput
            autoComplete="current-password"
            required
            value={current}
            onChange={(event) => setCurrent(event.target.value)}
          />
        </Field>
      ) : (
        <p className="text-sm text-muted">{t('security.setPasswordHint')}</p>
      )}
      <Field label={t('security.newPassword')} hint={t('security.newPasswordHint')} error={isWeak && words}>
        <PasswordInput
          autoComplete="new-password"
          required
          maxLength={200}
          value={next}
          onChange={(event) => setNext(event.target.value)}
        />
      </Field>
      {tokens > 0 && (
        <label className="flex items-start gap-2 text-sm">
          <Checkbox checked={revokes} onChange={setRevokes} className="mt-0.5" />
          <span>{t('security.revokeTokens', { count: tokens })}</span>
        </label>
      )}
      <div>
        <Button type="submit" tone="primary" busy={change.isPending} disabled={(hasPassword && !current) || !next}>
          {t(hasPassword ? 'security.changePassword' : 'security.setPassword')}
        </Button>
      </div>
    </form>
  )
}

const isLive = ({ revokedAt, expiresAt }: ApiToken): boolean =>
  revokedAt === null && (expiresAt === null || Date.parse(expiresAt) > Date.now())
