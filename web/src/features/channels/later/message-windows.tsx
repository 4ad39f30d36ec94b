import { type ChannelMessage, channelsRoutes as routes, mostMessageLetters } from '@atrium/contract/channels'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { call } from '../../../api/client.ts'
import { failureOf } from '../../../api/errors.ts'
import { links } from '../../../lib/links.ts'
import { Field } from '../../../ui/field.tsx'
import { FormDialog } from '../../../ui/form-dialog.tsx'
import { TextArea } from '../../../ui/input.tsx'
import { Select } from '../../../ui/select.tsx'
import { toast } from '../../../ui/toaster.tsx'
import { channelsQuery } from '../data/list.ts'
import { findSilence, nameOfChannel } from '../rules.ts'
import { useText } from 'virtual:words/channels-later'
import { closeAsked, useAskedMessage } from './asked.ts'
import { remindOf } from './changes.ts'
import { isLater, TimeField, toLocalValue } from './time-field.tsx'

/** The windows that the menu of a message opens. */
export function MessageWindows() {
  const { asked } = useAskedMessage()
  if (asked?.what === 'forward') return <ForwardDialog message={asked.message} />
  if (asked?.what === 'remind') return <RemindDialog message={asked.message} />
  return null
}

function RemindDialog({ message }: { message: ChannelMessage }) {
  const t = useText('channels-later')
  const [time, setTime] = useState(() => toLocalValue(new Date(Date.now() + 3600_000)))
  return (
    <FormDialog
      title={t('remindTitle')}
      submit={t('save')}
      width="narrow"
      disabled={!isLater(time)}
      onSubmit={() => {
        closeAsked()
        void remindOf(message, new Date(time))
      }}
      onClose={closeAsked}
    >
      <TimeField value={time} onChange={setTime} />
    </FormDialog>
  )
}

function ForwardDialog({ message }: { message: ChannelMessage }) {
  const t = useText('channels-later')
  const navigate = useNavigate()
  const channels = (useQuery(channelsQuery).data ?? []).filter((channel) => findSilence(channel) === null)
  const [chosen, setChosen] = useState('')
  const [note, setNote] = useState('')
  const channelId = chosen || (channels[0]?.id ?? '')
  const forward = useMutation({
    mutationFn: () =>
      call(routes.forward, { params: { messageId: message.id }, body: { channelId, content: note.trim() } }),
    onSuccess: ({ id }) => {
      closeAsked()
      const open = () => void navigate({ to: links.channel(channelId, { message: id }) })
      toast(t('forwarded'), { action: { label: t('openThere'), onClick: open } })
    },
  })
  return (
    <FormDialog
      title={t('forwardTitle')}
      description={t('forwardText')}
      submit={t('forwardSubmit')}
      busy={forward.isPending}
      disabled={channelId === ''}
      error={failureOf(forward.error)}
      onSubmit={() => forward.mutate()}
      onClose={closeAsked}
    >
      <Field label={t('forwardTo')} required>
        <Select
          value={channelId}
          onChange={setChosen}
          options={channels.map((channel) => ({ value: channel.id, label: nameOfChannel(channel, t('nobody')) }))}
        />
      </Field>
      <Field label={t('forwardNote')}>
        <TextArea
          dir="auto"
          rows={2}
          value={note}
          maxLength={mostMessageLetters}
          onChange={(event) => setNote(event.target.value)}
        />
      </Field>
      <blockquote dir="auto" className="line-clamp-6 border-s-2 border-line-strong ps-3 whitespace-pre-line text-muted">
        {message.content || message.forwarded?.content}
      </blockquote>
    </FormDialog>
  )
}
