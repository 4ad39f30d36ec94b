import { type ToolServer, toolServersRoutes as routes } from '@atrium/contract/tool-servers'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { call } from '../../../api/client.ts'
import { wordsOf } from '../../../api/errors.ts'
import { Button } from '../../../ui/button.tsx'
import { Field } from '../../../ui/field.tsx'
import { PasswordInput } from '../../../ui/password-input.tsx'
import { toast } from '../../../ui/toaster.tsx'
import { useText } from 'virtual:words/tool-servers'
import { refreshServers } from './state.ts'

/** One's own secret for a server: written once, and never shown. */
export function CredentialForm({ server: { id, name, hasCredential, authMode } }: { server: ToolServer }) {
  const t = useText('tool-servers')
  const [secret, setSecret] = useState('')
  const params = { id }
  const save = useMutation({
    mutationFn: () => call(routes.saveCredential, { params, body: { secret: secret.trim() } }),
    onSuccess: () => {
      setSecret('')
      toast(t('credential.saved', { name }))
    },
    onSettled: () => void refreshServers(),
  })
  const remove = useMutation({
    mutationFn: () => call(routes.removeCredential, { params }),
    onSuccess: () => toast(t('credential.removed', { name })),
    onError: (error) => toast(wordsOf(error), { tone: 'danger' }),
    onSettled: () => void refreshServers(),
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (secret.trim() !== '') save.mutate()
  }
  return (
    <form onSubmit={submit} className="mt-2 flex flex-wrap items-end gap-2">
      <Field
        label={t(`credential.label.${authMode}`)}
        hint={t(hasCredential ? 'credential.there' : 'credential.missing')}
        error={save.error && wordsOf(save.error)}
        className="min-w-56 flex-1"
      >
        <PasswordInput
          autoComplete="off"
          maxLength={4096}
          value={secret}
          onChange={(event) => setSecret(event.target.value)}
        />
      </Field>
      <Button type="submit" tone="primary" busy={save.isPending} disabled={secret.trim() === ''}>
        {t('credential.save')}
      </Button>
      {hasCredential && (
        <Button busy={remove.isPending} onClick={() => remove.mutate()}>
          {t('credential.remove')}
        </Button>
      )}
    </form>
  )
}
