import { type LdapDraft, type LdapTrial, signInProvidersRoutes } from '@atrium/contract/sign-in-providers'
import { useMutation } from '@tanstack/react-query'
import { Check, X } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { call } from '../../../api/client.ts'
import { detailsOf, wordsOf } from '../../../api/errors.ts'
import { isComposing } from '../../../lib/composing.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { ErrorCard } from '../../../ui/error-card.tsx'
import { Field } from '../../../ui/field.tsx'
import { Input } from '../../../ui/input.tsx'
import { PasswordInput } from '../../../ui/password-input.tsx'
import { useText } from 'virtual:words/sign-in-providers-ldap'

/** Tries the saved settings in a window of its own. */
export function LdapTrialDialog({ onClose }: { onClose: () => void }) {
  const t = useText('sign-in-providers-ldap')
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={t('trial.title')}
      description={t('trial.text')}
      footer={<Button onClick={onClose}>{t('close')}</Button>}
    >
      <LdapTrialFields />
    </Dialog>
  )
}

/** Tries settings, with a name and a password where they are given; nothing is changed by it. It may stand in a form. */
export function LdapTrialFields({ settings }: { settings?: LdapDraft }) {
  const t = useText('sign-in-providers-ldap')
  const [username, setUsername] = useState('')
  const [password, setPassword] = useState('')
  const trial = useMutation({
    mutationFn: (draft: LdapDraft | undefined) =>
      call(signInProvidersRoutes.testLdap, {
        body: {
          ...(username.trim() ? { username: username.trim() } : {}),
          ...(password ? { password } : {}),
          ...(draft ? { settings: draft } : {}),
        },
      }),
  })
  // What was found out about other values than those that stand there now says nothing.
  const isCurrent = JSON.stringify(trial.variables) === JSON.stringify(settings)
  return (
    <div
      onKeyDown={(event) => {
        if (event.key !== 'Enter' || isComposing(event.nativeEvent) || !(event.target instanceof HTMLInputElement))
          return
        event.preventDefault()
        if (!trial.isPending) trial.mutate(settings)
      }}
    >
      <div className="flex flex-col gap-4 pb-2">
        <div className="grid gap-3 tab:grid-cols-2">
          <Field label={t('trial.username')}>
            <Input
              value={username}
              onChange={(event) => setUsername(event.target.value)}
              dir="ltr"
              autoComplete="off"
            />
          </Field>
          <Field label={t('trial.password')}>
            <PasswordInput
              value={password}
              onChange={(event) => setPassword(event.target.value)}
              autoComplete="new-password"
            />
          </Field>
        </div>
        <Button
          tone={settings ? undefined : 'primary'}
          busy={trial.isPending}
          className="self-start"
          onClick={() => trial.mutate(settings)}
        >
          {t('trial.do')}
        </Button>
      </div>
      <div aria-live="polite">
        {isCurrent && trial.isError && <ErrorCard title={wordsOf(trial.error)} details={detailsOf(trial.error)} />}
        {isCurrent && trial.data && <Outcome trial={trial.data} />}
      </div>
    </div>
  )
}

function Outcome({ trial: { steps, entry, mapping } }: { trial: LdapTrial }) {
  const t = useText('sign-in-providers-ldap')
  return (
    <div className="mt-4 flex flex-col gap-5 border-t border-line pt-4">
      <ol className="flex flex-col gap-1.5">
        {steps.map(({ step, ok, detail }) => (
          <li key={step} className="flex items-start gap-2 text-sm">
            {ok ? (
              <Check aria-hidden className="mt-0.5 size-4 shrink-0 text-ok-ink" />
            ) : (
              <X aria-hidden className="mt-0.5 size-4 shrink-0 text-danger-ink" />
            )}
            <span className="shrink-0 font-medium">
              {t(`trial.step.${step}`)}
              <span className="sr-only">: {t(ok ? 'trial.ok' : 'trial.failed')}</span>
            </span>
            <bdi dir="ltr" className="min-w-0 text-muted wrap-anywhere">
              {detail}
            </bdi>
          </li>
        ))}
      </ol>
      {mapping && (
        <Part title={t('trial.mapping')}>
          <p className="mb-2 text-sm">{t(`trial.outcome.${mapping.outcome}`)}</p>
          <Facts
            facts={[
              [t('ldap.attribute.username'), mapping.username],
              [t('ldap.attribute.displayName'), mapping.displayName ?? ''],
              [t('ldap.attribute.email'), mapping.email ?? ''],
              [t('trial.role'), mapping.role ? t(`trial.roles.${mapping.role}`) : t('trial.roleStays')],
              [t('ldap.groups'), mapping.groups.join(', ')],
            ]}
          />
        </Part>
      )}
      {entry && (
        <Part title={t('trial.received')}>
          <Facts
            facts={[
              ['dn', entry.dn],
              ...entry.attributes.map(({ name, values }): [string, string] => [name, values.join(', ')]),
              [t('ldap.groups'), entry.groups.join(', ')],
            ]}
          />
        </Part>
      )}
    </div>
  )
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section>
      <h3 className="mb-1.5 text-sm font-semibold">{title}</h3>
      {children}
    </section>
  )
}

function Facts({ facts }: { facts: readonly (readonly [string, string])[] }) {
  return (
    <dl className="grid grid-cols-[minmax(6rem,auto)_1fr] gap-x-4 gap-y-1 text-sm">
      {facts.map(([name, value]) => (
        <div key={name} className="contents">
          <dt className="text-muted">{name}</dt>
          <dd className="min-w-0 wrap-anywhere">
            <bdi>{value || '–'}</bdi>
          </dd>
        </div>
      ))}
    </dl>
  )
}
