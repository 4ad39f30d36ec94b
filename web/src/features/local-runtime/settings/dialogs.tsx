import { connectionsRoutes } from '@atrium/contract/connections'
import { localRuntimeRoutes } from '@atrium/contract/local-runtime'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../../api/client.ts'
import { failureOf } from '../../../api/errors.ts'
import { refresh } from '../../../api/query.ts'
import { Field } from '../../../ui/field.tsx'
import { FormDialog } from '../../../ui/form-dialog.tsx'
import { Input } from '../../../ui/input.tsx'
import { toast } from '../../../ui/toaster.tsx'
import { useText } from 'virtual:words/local-runtime'

/** A second name for a model. */
export function CopyDialog({ source, onClose }: { source: string; onClose: () => void }) {
  const t = useText('local-runtime')
  const [name, setName] = useState('')
  const [tried, setTried] = useState(false)
  const fault = isValidName(name) ? null : t('fault.name')
  const copy = useMutation({
    mutationFn: () => call(localRuntimeRoutes.copy, { body: { source, destination: name.trim() } }),
    onSuccess: () => {
      toast(t('copied', { name: name.trim() }))
      void refresh(localRuntimeRoutes.models)
      void refresh(connectionsRoutes.models)
      onClose()
    },
  })
  return (
    <FormDialog
      title={t('copyTitle', { name: source })}
      description={t('copyText')}
      submit={t('copyDo')}
      busy={copy.isPending}
      error={failureOf(copy.error)}
      onClose={onClose}
      onSubmit={() => {
        setTried(true)
        if (!fault) copy.mutate()
      }}
    >
      <Field label={t('copyName')} error={tried && fault} required>
        <NameInput value={name} onChange={setName} />
      </Field>
    </FormDialog>
  )
}

export function NameInput({ value, onChange }: { value: string; onChange: (name: string) => void }) {
  return (
    <Input
      dir="ltr"
      maxLength={200}
      spellCheck={false}
      autoCapitalize="none"
      autoComplete="off"
      value={value}
      onChange={(event) => onChange(event.target.value)}
    />
  )
}

/** The runtime is the judge of names; what it could never take is said at once. */
export const isValidName = (name: string): boolean => /^[^\s]+$/.test(name.trim())
