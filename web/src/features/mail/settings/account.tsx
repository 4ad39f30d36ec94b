import { type FormEvent, useState } from 'react'
import { Button } from '../../../ui/button.tsx'
import { Field } from '../../../ui/field.tsx'
import { Input } from '../../../ui/input.tsx'
import { PasswordInput } from '../../../ui/password-input.tsx'
import { Row, useSave } from '../../../blocks/setting-row/row.tsx'
import type { MailSettings } from './page.tsx'
import { saveSettings } from './store.ts'
import { useText } from 'virtual:words/mail'

/** Name and password for the mail server: saved together, the password written once and never shown. */
export function Account({ settings }: { settings: MailSettings }) {
  const t = useText('mail')
  const { saving, save } = useSave()
  const [username, setUsername] = useState(settings.username)
  const [password, setPassword] = useState('')
  const isSaved = settings.passwordConfigured
  const isWhole = username.trim() !== '' && password !== ''
  function commit(event: FormEvent) {
    event.preventDefault()
    if (isWhole) void save(() => saveSettings({ username: username.trim(), password }))
  }
  return (
    <Row
      id="account"
      label={t('account')}
      help={isSaved ? t('accountSaved', { name: settings.username }) : t('accountMissing')}
      saving={saving}
      stacked
    >
      {() => (
        <form onSubmit={commit} className="flex flex-wrap items-end gap-3">
          <Field label={t('username')} className="w-48 max-w-full">
            <Input
              name="smtp-username"
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
              dir="ltr"
              maxLength={320}
              value={username}
              onChange={(event) => setUsername(event.target.value)}
            />
          </Field>
          <Field label={t('password')} className="w-48 max-w-full">
            <PasswordInput
              name="smtp-password"
              autoComplete="new-password"
              placeholder={isSaved ? '••••••••' : undefined}
              maxLength={1024}
              value={password}
              onChange={(event) => setPassword(event.target.value)}
            />
          </Field>
          <Button type="submit" disabled={!isWhole}>
            {t('saveAccount')}
          </Button>
          {isSaved && (
            <Button tone="quiet" onClick={() => void save(() => saveSettings({ username: '', password: '' }))}>
              {t('removeAccount')}
            </Button>
          )}
        </form>
      )}
    </Row>
  )
}
