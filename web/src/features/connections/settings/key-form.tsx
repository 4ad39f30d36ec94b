import { connectionsRoutes } from '@atrium/contract/connections'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { call } from '../../../api/client.ts'
import { wordsOf } from '../../../api/errors.ts'
import { Button } from '../../../ui/button.tsx'
import { Field } from '../../../ui/field.tsx'
import { PasswordInput } from '../../../ui/password-input.tsx'
import type { CatalogueCheck } from './state.ts'
import { useText } from 'virtual:words/connections'

/** Where a key is typed in: it goes to the server and is never shown again. */
export function KeyForm({
  id,
  autoFocus,
  onDone,
  onCancel,
}: {
  id: string
  autoFocus?: boolean
  onDone: (answer: CatalogueCheck) => void
  onCancel?: () => void
}) {
  const t = useText('connections')
  const [apiKey, setApiKey] = useState('')
  const save = useMutation({
    mutationFn: () => call(connectionsRoutes.saveKey, { params: { id }, body: { apiKey: apiKey.trim() } }),
    onSuccess: (answer) => {
      setApiKey('')
      onDone(answer)
    },
  })
  function submit(event: FormEvent) {
    event.preventDefault()
    save.mutate()
  }
  return (
    <form onSubmit={submit} className="flex flex-wrap items-end gap-2">
      <Field label={t('key.label')} error={save.isError && wordsOf(save.error)} className="min-w-48 flex-1">
        <PasswordInput
          autoComplete="off"
          autoFocus={autoFocus}
          required
          maxLength={4096}
          value={apiKey}
          onChange={(event) => setApiKey(event.target.value)}
        />
      </Field>
      {onCancel && <Button onClick={onCancel}>{t('cancel')}</Button>}
      <Button type="submit" tone="primary" busy={save.isPending} disabled={!apiKey.trim()}>
        {t('key.store')}
      </Button>
    </form>
  )
}
