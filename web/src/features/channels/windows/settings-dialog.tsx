import {
  type Channel,
  type ChannelCircle,
  channelsRoutes as routes,
  mostChannelNameLetters,
  mostDescriptionLetters,
  mostTopicLetters,
} from '@atrium/contract/channels'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../../api/client.ts'
import { failureOf } from '../../../api/errors.ts'
import { Field } from '../../../ui/field.tsx'
import { FormDialog } from '../../../ui/form-dialog.tsx'
import { Input, TextArea } from '../../../ui/input.tsx'
import { Select } from '../../../ui/select.tsx'
import { putChannel } from '../data/list.ts'
import { useText } from 'virtual:words/channels'
import { EndOfChannel } from './end-of-channel.tsx'

const never = 'never'
/** The days that are offered, and those that are set already. */
const spansWith = (set: number | null): number[] =>
  [...new Set([7, 30, 90, 365, ...(set === null ? [] : [set])])].toSorted((a, b) => a - b)

/** What a channel is called, who may do what in it, and its end; for its owners. */
export function SettingsDialog({ channel, onClose }: { channel: Channel; onClose: () => void }) {
  const t = useText('channels')
  const [name, setName] = useState(channel.name)
  const [topic, setTopic] = useState(channel.topic ?? '')
  const [description, setDescription] = useState(channel.description ?? '')
  const [posting, setPosting] = useState(channel.posting)
  const [calling, setCalling] = useState(channel.calling)
  const [history, setHistory] = useState(channel.history)
  const [retention, setRetention] = useState(String(channel.retentionDays ?? never))
  const save = useMutation({
    mutationFn: () =>
      call(routes.update, {
        params: { channelId: channel.id },
        body: {
          name: name.trim(),
          topic: topic.trim() || null,
          description: description.trim() || null,
          posting,
          calling,
          history,
          retentionDays: retention === never ? null : Number(retention),
        },
      }),
    onSuccess: (changed) => {
      putChannel(changed)
      onClose()
    },
  })
  const circles = [
    { value: 'members' as const, label: t('settings.everyone') },
    { value: 'moderators' as const, label: t('settings.moderators') },
  ]
  const circle = (label: string, value: ChannelCircle, set: (next: ChannelCircle) => void) => (
    <Field label={label}>
      <Select value={value} onChange={set} options={circles} />
    </Field>
  )
  return (
    <FormDialog
      title={t('settings.title')}
      submit={t('settings.save')}
      busy={save.isPending}
      disabled={name.trim() === ''}
      error={failureOf(save.error)}
      onSubmit={() => save.mutate()}
      onClose={onClose}
    >
      <Field label={t('settings.name')} required>
        <Input
          dir="auto"
          value={name}
          maxLength={mostChannelNameLetters}
          onChange={(event) => setName(event.target.value)}
        />
      </Field>
      <Field label={t('settings.topic')} hint={t('settings.topicHint')}>
        <Input
          dir="auto"
          value={topic}
          maxLength={mostTopicLetters}
          onChange={(event) => setTopic(event.target.value)}
        />
      </Field>
      <Field label={t('settings.description')}>
        <TextArea
          dir="auto"
          rows={2}
          value={description}
          maxLength={mostDescriptionLetters}
          onChange={(event) => setDescription(event.target.value)}
        />
      </Field>
      <div className="grid gap-4 tab:grid-cols-2">
        {circle(t('settings.posting'), posting, setPosting)}
        {circle(t('settings.calling'), calling, setCalling)}
      </div>
      <Field label={t('settings.history')} hint={t('settings.historyHint')}>
        <Select
          value={history}
          onChange={setHistory}
          options={(['everything', 'since-joining'] as const).map((value) => ({
            value,
            label: t(`settings.historyOf.${value}`),
          }))}
        />
      </Field>
      <Field label={t('settings.retention')} hint={t('settings.retentionHint')}>
        <Select
          value={retention}
          onChange={setRetention}
          options={[
            { value: never, label: t('settings.never') },
            ...spansWith(channel.retentionDays).map((days) => ({
              value: String(days),
              label: t('settings.days', { count: days }),
            })),
          ]}
        />
      </Field>
      <EndOfChannel channel={channel} onDone={onClose} />
    </FormDialog>
  )
}
