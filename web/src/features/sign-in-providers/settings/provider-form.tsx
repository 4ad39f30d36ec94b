import { type IdentityProvider, signInProvidersRoutes } from '@atrium/contract/sign-in-providers'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../../api/client.ts'
import { codeOf, failureOf } from '../../../api/errors.ts'
import { refresh } from '../../../api/query.ts'
import { CopyButton } from '../../../blocks/copy-button.tsx'
import { CheckField } from '../../../ui/check-field.tsx'
import { Field } from '../../../ui/field.tsx'
import { FormDialog } from '../../../ui/form-dialog.tsx'
import { Input } from '../../../ui/input.tsx'
import { PasswordInput } from '../../../ui/password-input.tsx'
import { Select } from '../../../ui/select.tsx'
import { type ProviderDraft, bodyOf, draftOf, idOf, providerKinds } from './draft.ts'
import { useText } from 'virtual:words/sign-in-providers'

/** Adds a provider, changes one, or shows one of the environment as it is. */
export function ProviderForm({
  provider,
  taken,
  onClose,
}: {
  provider: IdentityProvider | null
  /** Ids that are in use. */
  taken: readonly string[]
  onClose: () => void
}) {
  const t = useText('sign-in-providers')
  const [draft, setDraft] = useState<ProviderDraft>(() => draftOf(provider))
  const [tried, setTried] = useState(false)
  const change = (part: Partial<ProviderDraft>) => setDraft((before) => ({ ...before, ...part }))
  const isFixed = provider?.source === 'environment'
  const id = provider?.id ?? idOf(draft, taken)
  const missing = (text: string) => (tried && text.trim() === '' ? t('needed') : undefined)
  const save = useMutation({
    mutationFn: () => {
      const body = bodyOf(draft)
      const { kind } = draft
      return provider
        ? call(signInProvidersRoutes.updateIdentityProvider, { params: { id: provider.id }, body })
        : call(signInProvidersRoutes.addIdentityProvider, { body: { ...body, id, kind } })
    },
    onSuccess: () => {
      void refresh(signInProvidersRoutes.identityProviders)
      void refresh(signInProvidersRoutes.externalProviders)
      onClose()
    },
  })
  const isPrivate = save.isError && codeOf(save.error) === 'url_not_allowed'
  function submit() {
    setTried(true)
    const needsIssuer = draft.kind === 'oidc' && draft.issuerUrl.trim() === ''
    if (draft.name.trim() && draft.clientId.trim() && !needsIssuer) save.mutate()
  }
  return (
    <FormDialog
      title={provider ? t('formTitle', { name: provider.name }) : t('add')}
      submit={isFixed ? undefined : t(provider ? 'save' : 'addDo')}
      busy={save.isPending}
      error={failureOf(save.error)}
      onSubmit={submit}
      onClose={onClose}
    >
      {isFixed && <p className="text-sm text-muted">{t('fixedText')}</p>}
      <fieldset disabled={isFixed} className="flex min-w-0 flex-col gap-4">
        {!provider && (
          <Field label={t('kind')}>
            <Select
              value={draft.kind}
              onChange={(kind) =>
                change({ kind, ...(draft.name === '' && kind !== 'oidc' ? { name: t(`kinds.${kind}`) } : {}) })
              }
              options={providerKinds.map((value) => ({ value, label: t(`kinds.${value}`) }))}
            />
          </Field>
        )}
        <Field label={t('name')} hint={t('nameHint')} error={missing(draft.name)}>
          <Input value={draft.name} maxLength={80} onChange={(event) => change({ name: event.target.value })} />
        </Field>
        {draft.kind !== 'huggingface' && (
          <Field
            label={t(draft.kind === 'oidc' ? 'issuer' : 'server')}
            hint={t(draft.kind === 'oidc' ? 'issuerHint' : 'serverHint')}
            error={draft.kind === 'oidc' && missing(draft.issuerUrl)}
          >
            <Input
              dir="ltr"
              inputMode="url"
              value={draft.issuerUrl}
              maxLength={2000}
              onChange={(event) => change({ issuerUrl: event.target.value })}
            />
          </Field>
        )}
        <Field label={t('clientId')} error={missing(draft.clientId)}>
          <Input
            dir="ltr"
            value={draft.clientId}
            maxLength={500}
            onChange={(event) => change({ clientId: event.target.value })}
          />
        </Field>
        {!isFixed && (
          <Field label={t('clientSecret')} hint={provider?.hasSecret ? t('secretKept') : t('secretHint')}>
            <PasswordInput
              autoComplete="new-password"
              value={draft.clientSecret}
              maxLength={2000}
              onChange={(event) => change({ clientSecret: event.target.value })}
            />
          </Field>
        )}
        <Addresses id={id} provider={provider} />
        <Field label={t('signUp')} hint={t('signUpHint')}>
          <Select
            value={draft.signUp}
            onChange={(signUp) => change({ signUp })}
            options={(['off', 'pending', 'active'] as const).map((value) => ({
              value,
              label: t(`signUps.${value}`),
            }))}
          />
        </Field>
        <Field label={t('domains')} hint={t('domainsHint')}>
          <Input
            dir="ltr"
            value={draft.allowedDomains}
            onChange={(event) => change({ allowedDomains: event.target.value })}
          />
        </Field>
        {draft.kind === 'oidc' && <OidcFields draft={draft} change={change} />}
        <CheckField label={t('enabled')} checked={draft.enabled} onChange={(enabled) => change({ enabled })} />
      </fieldset>
      {isPrivate && (
        <CheckField
          label={t('allowPrivate')}
          checked={draft.allowPrivate}
          onChange={(allowPrivate) => change({ allowPrivate })}
        />
      )}
    </FormDialog>
  )
}

/** What an OpenID provider can say besides. */
function OidcFields({ draft, change }: { draft: ProviderDraft; change: (part: Partial<ProviderDraft>) => void }) {
  const t = useText('sign-in-providers')
  return (
    <>
      <CheckField
        label={t('trustsEmail')}
        hint={t('trustsEmailHint')}
        checked={draft.trustsEmail}
        onChange={(trustsEmail) => change({ trustsEmail })}
      />
      <Field label={t('scopes')} hint={t('scopesHint')}>
        <Input dir="ltr" value={draft.scopes} onChange={(event) => change({ scopes: event.target.value })} />
      </Field>
      <Field label={t('groupClaim')} hint={t('groupClaimHint')}>
        <Input dir="ltr" value={draft.groupClaim} onChange={(event) => change({ groupClaim: event.target.value })} />
      </Field>
      {draft.groupClaim.trim() !== '' && (
        <>
          <Field label={t('adminGroups')} hint={t('adminGroupsHint')}>
            <Input value={draft.adminGroups} onChange={(event) => change({ adminGroups: event.target.value })} />
          </Field>
          <CheckField
            label={t('syncGroups')}
            hint={t('syncGroupsHint')}
            checked={draft.syncGroups}
            onChange={(syncGroups) => change({ syncGroups })}
          />
        </>
      )}
    </>
  )
}

/** What has to be registered with the provider. */
function Addresses({ id, provider }: { id: string; provider: IdentityProvider | null }) {
  const t = useText('sign-in-providers')
  const base = `${location.origin}/api/auth/oauth/${id}`
  const rows = [
    [t('callbackUrl'), provider?.callbackUrl ?? `${base}/callback`],
    ...(provider?.logoutUrl ? [[t('logoutUrl'), provider.logoutUrl] as const] : []),
  ] as const
  return (
    <dl className="flex flex-col gap-3 rounded-lg bg-sunken px-3.5 py-3 text-sm">
      {rows.map(([label, address]) => (
        <div key={label}>
          <dt className="text-muted">{label}</dt>
          <dd className="flex items-center gap-2">
            <code dir="ltr" className="min-w-0 flex-1 break-all">
              {address}
            </code>
            <CopyButton text={address} label={t('copyNamed', { name: label })} />
          </dd>
        </div>
      ))}
    </dl>
  )
}
