/** Offers ownership of one thing, or of everything that is shared, to somebody. */
import type { Principal } from '@atrium/contract/access'
import type { KeptRight } from '@atrium/contract/transfers'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { detailsOf, wordsOf } from '../../api/errors.ts'
import { Field } from '../../ui/field.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { Select } from '../../ui/select.tsx'
import { toast } from '../../ui/toaster.tsx'
import { PrincipalField } from '../share/principal-field.tsx'
import { useText } from 'virtual:words/transfer'

export interface TransferOffer {
  readonly toAccountId: string
  readonly keeps: KeptRight | null
}

export function TransferDialog<R>({
  title,
  text,
  mayKeep,
  offer,
  done,
  onClose,
}: {
  title: string
  text: string
  /** Whether the former owner can go on using it. */
  mayKeep: boolean
  offer: (offer: TransferOffer) => Promise<R>
  /** What is said afterwards. */
  done: (answer: R, name: string) => string
  onClose: () => void
}) {
  const t = useText('transfer')
  const [who, setWho] = useState<Principal | null>(null)
  const [keeps, setKeeps] = useState<KeptRight | 'nothing'>(mayKeep ? 'read' : 'nothing')
  const act = useMutation({
    mutationFn: (to: Principal) => offer({ toAccountId: to.id, keeps: keeps === 'nothing' ? null : keeps }),
    onSuccess: (answer, to) => {
      toast(done(answer, to.name))
      onClose()
    },
  })
  return (
    <FormDialog
      title={title}
      description={text}
      submit={t('offer')}
      busy={act.isPending}
      disabled={who === null}
      error={act.error && { title: wordsOf(act.error), details: detailsOf(act.error) }}
      onSubmit={() => who && act.mutate(who)}
      onClose={onClose}
    >
      <Field label={t('who')} hint={t('whoHint')}>
        <PrincipalField value={who} onChange={setWho} taken={[]} accountsOnly />
      </Field>
      {mayKeep && (
        <Field label={t('keep')}>
          <Select
            value={keeps}
            onChange={setKeeps}
            options={(['read', 'write', 'nothing'] as const).map((value) => ({ value, label: t(`kept.${value}`) }))}
          />
        </Field>
      )}
    </FormDialog>
  )
}
