import { type Channel, channelsRoutes as routes } from '@atrium/contract/channels'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { call } from '../../../api/client.ts'
import { failureOf } from '../../../api/errors.ts'
import { refresh } from '../../../api/query.ts'
import { Field } from '../../../ui/field.tsx'
import { FormDialog } from '../../../ui/form-dialog.tsx'
import { refreshChannels } from '../data/list.ts'
import { everyMember } from '../data/members.ts'
import { useText } from 'virtual:words/channels'
import { PeopleField, type Person } from './people-field.tsx'

/** Brings people into a channel; who was added before one of them is refused stays added. */
export function AddDialog({ channel, onClose }: { channel: Channel; onClose: () => void }) {
  const t = useText('channels')
  const [people, setPeople] = useState<readonly Person[]>([])
  const members = useQuery(everyMember(channel.id)).data
  const inside = useMemo(() => new Set((members ?? []).map(({ user }) => user.id)), [members])
  const add = useMutation({
    mutationFn: async () => {
      for (const person of people) {
        await call(routes.addMember, { params: { channelId: channel.id }, body: { userId: person.id } })
        setPeople((before) => before.filter(({ id }) => id !== person.id))
      }
    },
    onSuccess: onClose,
    onSettled: async () => {
      refreshChannels()
      await refresh(routes.members)
    },
  })
  return (
    <FormDialog
      title={t('members.add')}
      description={t('members.addText')}
      submit={t('members.add')}
      busy={add.isPending}
      disabled={people.length === 0}
      error={failureOf(add.error)}
      onSubmit={() => add.mutate()}
      onClose={onClose}
    >
      <Field label={t('people.field')}>
        <PeopleField chosen={people} onChange={setPeople} without={inside} most={50} />
      </Field>
    </FormDialog>
  )
}
