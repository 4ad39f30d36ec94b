import { type Channel, channelsRoutes, mostOthers } from '@atrium/contract/channels'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../../api/client.ts'
import { failureOf } from '../../../api/errors.ts'
import { Field } from '../../../ui/field.tsx'
import { FormDialog } from '../../../ui/form-dialog.tsx'
import { putChannel } from '../data/list.ts'
import { useText } from 'virtual:words/channels'
import { PeopleField, type Person } from './people-field.tsx'

const nobody: ReadonlySet<string> = new Set()

/** Opens the conversation with one person or some; the one that there is already, where there is one. */
export function DirectDialog({ onDone, onClose }: { onDone: (channel: Channel) => void; onClose: () => void }) {
  const t = useText('channels')
  const [people, setPeople] = useState<readonly Person[]>([])
  const open = useMutation({
    mutationFn: () => call(channelsRoutes.direct, { body: { userIds: people.map(({ id }) => id) } }),
    onSuccess: (channel) => {
      putChannel(channel)
      onDone(channel)
    },
  })
  return (
    <FormDialog
      title={t('dm.title')}
      description={t('dm.text')}
      submit={t('dm.submit')}
      busy={open.isPending}
      disabled={people.length === 0}
      error={failureOf(open.error)}
      onSubmit={() => open.mutate()}
      onClose={onClose}
    >
      <Field label={t('people.field')}>
        <PeopleField chosen={people} onChange={setPeople} without={nobody} most={mostOthers} />
      </Field>
    </FormDialog>
  )
}
