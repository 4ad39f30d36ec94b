import { type QuickAddProposal, calendarRoutes, mostQuickAddLetters } from '@atrium/contract/calendar'
import { useMutation } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { call } from '../../../api/client.ts'
import { failureOf } from '../../../api/errors.ts'
import { Field } from '../../../ui/field.tsx'
import { FormDialog } from '../../../ui/form-dialog.tsx'
import { Input } from '../../../ui/input.tsx'
import { useGrid } from '../grid/grid-context.ts'
import { useText } from 'virtual:words/calendar'

/** An event in words, which becomes a proposal for the editor. */
export function QuickAddDialog({
  text,
  onProposal,
  onClose,
}: {
  /** What was written elsewhere already; it is understood at once. */
  text: string
  onProposal: (proposal: QuickAddProposal) => void
  onClose: () => void
}) {
  const t = useText('calendar')
  const { zone } = useGrid()
  const [words, setWords] = useState(text)
  const [tried, setTried] = useState(false)
  const ask = useMutation({
    mutationFn: (given: string) => call(calendarRoutes.quickAdd, { body: { text: given, timeZone: zone } }),
    onSuccess: onProposal,
  })
  const isFirst = useRef(true)
  const { mutate } = ask
  useEffect(() => {
    if (isFirst.current && text.trim() !== '') mutate(text)
    isFirst.current = false
  }, [text, mutate])
  const missing = words.trim() === ''
  function submit() {
    setTried(true)
    if (!missing) ask.mutate(words)
  }
  return (
    <FormDialog
      width="narrow"
      title={t('quickAdd.title')}
      description={t('quickAdd.text')}
      submit={t('quickAdd.submit')}
      busy={ask.isPending}
      error={failureOf(ask.error)}
      onSubmit={submit}
      onClose={onClose}
    >
      <Field label={t('quickAdd.label')} error={tried && missing ? t('quickAdd.missingText') : null} required>
        <Input
          dir="auto"
          maxLength={mostQuickAddLetters}
          placeholder={t('quickAdd.placeholder')}
          value={words}
          onChange={({ target }) => setWords(target.value)}
        />
      </Field>
    </FormDialog>
  )
}
