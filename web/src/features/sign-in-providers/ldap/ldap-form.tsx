import { type LdapSettings, signInProvidersRoutes } from '@atrium/contract/sign-in-providers'
import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { call } from '../../../api/client.ts'
import { failureOf } from '../../../api/errors.ts'
import { keyOf, queryClient } from '../../../api/query.ts'
import { CheckField } from '../../../ui/check-field.tsx'
import { Field } from '../../../ui/field.tsx'
import { FormDialog } from '../../../ui/form-dialog.tsx'
import { Input, TextArea } from '../../../ui/input.tsx'
import { PasswordInput } from '../../../ui/password-input.tsx'
import { Select } from '../../../ui/select.tsx'
import { LdapTrialFields } from './ldap-trial.tsx'
import { useText } from 'virtual:words/sign-in-providers-ldap'

/** Everything about the directory. The password is only ever written. */
export function LdapForm({ settings, onClose }: { settings: LdapSettings; onClose: () => void }) {
  const t = useText('sign-in-providers-ldap')
  const { hasPassword, ...saved } = settings
  const [draft, setDraft] = useState(saved)
  const [password, setPassword] = useState('')
  const change = (part: Partial<typeof draft>) => setDraft((before) => ({ ...before, ...part }))
  const body = { ...draft, ...(password ? { password } : {}) }
  // The saved password is told to nobody else just for a try.
  const moved = draft.url !== saved.url || draft.ca !== saved.ca || draft.allowPlain !== saved.allowPlain
  const passwordAsked = hasPassword && draft.bindDn !== '' && password === '' && moved
  const save = useMutation({
    mutationFn: () => call(signInProvidersRoutes.updateLdap, { body }),
    onSuccess: (answer) => {
      queryClient.setQueryData(keyOf(signInProvidersRoutes.ldap), answer)
      onClose()
    },
  })
  const text = (value: string, set: (value: string) => void) => (
    <Input
      value={value}
      onChange={(event) => set(event.target.value)}
      dir="ltr"
      autoComplete="off"
      spellCheck={false}
    />
  )
  const { attributes, groups } = draft
  return (
    <FormDialog
      title={t('ldap.formTitle')}
      submit={t('save')}
      busy={save.isPending}
      error={failureOf(save.error)}
      onSubmit={() => save.mutate()}
      onClose={onClose}
    >
      <CheckField label={t('ldap.enabled')} checked={draft.enabled} onChange={(enabled) => change({ enabled })} />
      <Field label={t('ldap.url')} hint={t('ldap.urlHint')}>
        {text(draft.url, (url) => change({ url }))}
      </Field>
      {/^ldap:/i.test(draft.url) && (
        <CheckField
          label={t('ldap.allowPlain')}
          checked={draft.allowPlain}
          onChange={(allowPlain) => change({ allowPlain })}
        />
      )}
      <Field label={t('ldap.ca')} hint={t('ldap.caHint')}>
        <TextArea
          value={draft.ca ?? ''}
          onChange={(event) => change({ ca: event.target.value.trim() === '' ? null : event.target.value })}
          dir="ltr"
          spellCheck={false}
          className="font-mono text-xs"
        />
      </Field>
      <Field label={t('ldap.bindDn')} hint={t('ldap.bindDnHint')}>
        {text(draft.bindDn, (bindDn) => change({ bindDn }))}
      </Field>
      <Field label={t('ldap.password')} hint={t(hasPassword ? 'ldap.passwordKept' : 'ldap.passwordHint')}>
        <PasswordInput
          value={password}
          onChange={(event) => setPassword(event.target.value)}
          autoComplete="new-password"
        />
      </Field>
      <Field label={t('ldap.baseDn')}>{text(draft.baseDn, (baseDn) => change({ baseDn }))}</Field>
      <Field label={t('ldap.userFilter')} hint={t('ldap.userFilterHint', { name: '{{username}}' })}>
        {text(draft.userFilter, (userFilter) => change({ userFilter }))}
      </Field>
      <Set legend={t('ldap.attributes')}>
        {(['username', 'email', 'displayName', 'id'] as const).map((name) => (
          <Field key={name} label={t(`ldap.attribute.${name}`)}>
            {text(attributes[name], (value) => change({ attributes: { ...attributes, [name]: value } }))}
          </Field>
        ))}
      </Set>
      <Set legend={t('ldap.groups')}>
        <Field label={t('ldap.groupBase')}>
          {text(groups.baseDn, (baseDn) => change({ groups: { ...groups, baseDn } }))}
        </Field>
        <Field label={t('ldap.groupName')}>
          {text(groups.attribute, (attribute) => change({ groups: { ...groups, attribute } }))}
        </Field>
      </Set>
      <Field label={t('ldap.groupFilter')} hint={t('ldap.groupFilterHint', { dn: '{{dn}}' })}>
        {text(groups.filter, (filter) => change({ groups: { ...groups, filter } }))}
      </Field>
      <Field label={t('ldap.administratorGroups')} hint={t('ldap.administratorGroupsHint')}>
        <Lines value={draft.administratorGroups} onChange={(administratorGroups) => change({ administratorGroups })} />
      </Field>
      <Field label={t('ldap.syncGroups')} hint={t('ldap.syncGroupsHint')}>
        <Lines value={draft.syncGroups} onChange={(syncGroups) => change({ syncGroups })} />
      </Field>
      <Field label={t('ldap.signUp')}>
        <Select
          value={draft.signUp}
          onChange={(signUp) => change({ signUp })}
          options={(['off', 'pending', 'active'] as const).map((value) => ({
            value,
            label: t(`ldap.signUps.${value}`),
          }))}
        />
      </Field>
      <section className="border-t border-line pt-4">
        <h3 className="text-sm font-semibold">{t('trial.titleBefore')}</h3>
        <p className="mt-0.5 mb-3 text-sm text-muted">
          {t('trial.textBefore')} {passwordAsked && t('trial.passwordAgain')}
        </p>
        <LdapTrialFields settings={body} />
      </section>
    </FormDialog>
  )
}

function Set({ legend, children }: { legend: string; children: ReactNode }) {
  return (
    <fieldset>
      <legend className="mb-2 text-sm font-semibold">{legend}</legend>
      <div className="grid gap-3 tab:grid-cols-2">{children}</div>
    </fieldset>
  )
}

/** One to a line. */
function Lines({ value, onChange }: { value: readonly string[]; onChange: (value: string[]) => void }) {
  const [text, setText] = useState(value.join('\n'))
  return (
    <TextArea
      value={text}
      rows={2}
      spellCheck={false}
      onChange={(event) => {
        setText(event.target.value)
        onChange(event.target.value.split('\n').flatMap((line) => line.trim() || []))
      }}
    />
  )
}
