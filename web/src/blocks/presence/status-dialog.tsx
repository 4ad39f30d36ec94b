import { mostStatusLetters } from '@atrium/contract/presence'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { wordsOf } from '../../api/errors.ts'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { Input } from '../../ui/input.tsx'
import { useText } from 'virtual:words/presence'
import { savePresence, useOwnPresence } from './use-presence.ts'

/** The line that others see beside the own name. */
export function StatusDialog({ userId, onClose }: { userId: string; onClose: () => void }) {
  const t = useText('presence')
  const own = useOwnPresence(userId)
  const [typed, type] = useState<string | null>(null)
  const text = typed ?? own?.status ?? ''
  const save = useMutation({
    mutationFn: async (status: string) => {
      if (own) await savePresence({ ...own, status: status.trim() === '' ? null : status.trim() })
    },
    onSuccess: onClose,
  })
  return (
    <FormDialog
      title={t('status.title')}
      description={t('status.text')}
      submit={t('status.save')}
      busy={save.isPending}
      disabled={!own}
      error={save.error && { title: wordsOf(save.error) }}
      onSubmit={() => save.mutate(text)}
      onClose={onClose}
    >
      <Field label={t('status.label')}>
        <Input
          dir="auto"
          autoFocus
          maxLength={mostStatusLetters}
          placeholder={t('status.example')}
          value={text}
          onChange={(event) => type(event.target.value)}
        />
      </Field>
      {text !== '' && (
        <Button tone="quiet" size="small" onClick={() => save.mutate('')}>
          {t('status.clear')}
        </Button>
      )}
    </FormDialog>
  )
}
