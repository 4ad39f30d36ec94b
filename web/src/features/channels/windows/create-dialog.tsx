import { type Channel, channelsRoutes, mostChannelNameLetters, mostDescriptionLetters } from '@atrium/contract/channels'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../../api/client.ts'
import { failureOf } from '../../../api/errors.ts'
import { Field } from '../../../ui/field.tsx'
import { FormDialog } from '../../../ui/form-dialog.tsx'
import { Input, TextArea } from '../../../ui/input.tsx'
import { SegmentedControl } from '../../../ui/segmented-control.tsx'
import { putChannel } from '../data/list.ts'
import { useText } from 'virtual:words/channels'
import { PeopleField, type Person } from './people-field.tsx'

const nobody: ReadonlySet<string> = new Set()

/** Makes a channel, with its first people. */
export function CreateDialog({ onDone, onClose }: { onDone: (channel: Channel) => void; onClose: () => void }) {
  const t = useText('channels')
  const [type, setType] = useState<'public' | 'private'>('public')
  const [name, setName] = useState('')
  const [description, setDescription] = useState('')
  const [people, setPeople] = useState<readonly Person[]>([])
  const create = useMutation({
    mutationFn: () =>
      call(channelsRoutes.create, {
        body: {
          type,
          name: name.trim(),
          description: description.trim() || null,
          memberIds: people.map(({ id }) => id),
        },
      }),
    onSuccess: (channel) => {
      putChannel(channel)
      onDone(channel)
    },
  })
  return (
    <FormDialog
      title={t('create.title')}
      submit={t('create.submit')}
      busy={create.isPending}
      disabled={name.trim() === ''}
      error={failureOf(create.error)}
      onSubmit={() => create.mutate()}
      onClose={onClose}
    >
      <Field label={t('create.name')} hint={t('create.nameHint')} required>
        <Input
          dir="auto"
          value={name}
          maxLength={mostChannelNameLetters}
          onChange={(event) => setName(event.target.value)}
        />
      </Field>
      <div className="flex flex-col items-start gap-1.5">
        <p className="text-sm font-medium">{t('create.visibility')}</p>
        <SegmentedControl
          label={t('create.visibility')}
          value={type}
          onChange={setType}
          options={[
            { value: 'public', label: t('create.public') },
            { value: 'private', label: t('create.private') },
          ]}
        />
        <p className="text-xs text-muted">{t(type === 'public' ? 'create.publicText' : 'create.privateText')}</p>
      </div>
      <Field label={t('create.description')} hint={t('create.optional')}>
        <TextArea
          dir="auto"
          rows={2}
          value={description}
          maxLength={mostDescriptionLetters}
          onChange={(event) => setDescription(event.target.value)}
        />
      </Field>
      <Field label={t('create.people')} hint={t('create.optionalPeople')}>
        <PeopleField chosen={people} onChange={setPeople} without={nobody} most={200} />
      </Field>
    </FormDialog>
  )
}
