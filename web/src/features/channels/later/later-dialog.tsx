import {
  type ChannelAttachment,
  channelsRoutes as routes,
  mostMessageLetters,
  type ScheduledMessage,
} from '@atrium/contract/channels'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { AlarmClock, Clock, Ellipsis, Paperclip, Pencil, SendHorizontal, Trash2 } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { call } from '../../../api/client.ts'
import { failureOf, wordsOf } from '../../../api/errors.ts'
import { queryOf } from '../../../api/query.ts'
import { formatDateTime } from '../../../lib/format.ts'
import { links } from '../../../lib/links.ts'
import { Dialog } from '../../../ui/dialog.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { ErrorCard } from '../../../ui/error-card.tsx'
import { Field } from '../../../ui/field.tsx'
import { FormDialog } from '../../../ui/form-dialog.tsx'
import { IconButton } from '../../../ui/icon-button.tsx'
import { TextArea } from '../../../ui/input.tsx'
import { Menu, MenuItem } from '../../../ui/menu.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { channelsQuery } from '../data/list.ts'
import { nameOfChannel } from '../rules.ts'
import { useText } from 'virtual:words/channels-later'
import { deleteScheduled, forgetReminder, refreshLater, sendNow } from './changes.ts'
import { isLater, TimeField, toLocalValue } from './time-field.tsx'

const reasons = [
  'channel_not_found',
  'channel_muted',
  'channel_archived',
  'channel_message_not_found',
  'channel_attachment_not_found',
]

/** What one sends later, what could not be sent, and what one is reminded of. */
export function LaterDialog({ onClose }: { onClose: () => void }) {
  const t = useText('channels-later')
  const scheduled = useQuery({ ...queryOf(routes.scheduled), staleTime: 0 })
  const reminders = useQuery({ ...queryOf(routes.reminders), staleTime: 0 })
  const channels = useQuery(channelsQuery).data ?? []
  const [edited, edit] = useState<ScheduledMessage | null>(null)
  const problem = scheduled.error ?? reminders.error
  const nameOf = (channelId: string) => {
    const channel = channels.find(({ id }) => id === channelId)
    return channel ? nameOfChannel(channel, t('nobody')) : t('gone')
  }
  const stateOf = ({ state, failure, sendAt }: ScheduledMessage) =>
    state === 'failed'
      ? t('notSent', { reason: t(`reason.${reasons.includes(failure ?? '') ? failure : 'other'}`) })
      : state === 'sending'
        ? t('sending')
        : t('at', { when: formatDateTime(sendAt) })
  return (
    <Dialog open onOpenChange={onClose} title={t('title')}>
      {problem ? (
        <ErrorCard title={t('failed')} onRetry={() => void refreshLater()}>
          {wordsOf(problem)}
        </ErrorCard>
      ) : !scheduled.data || !reminders.data ? (
        <Skeleton lines={4} />
      ) : scheduled.data.items.length + reminders.data.items.length === 0 ? (
        <EmptyState icon={<Clock />} title={t('none')}>
          {t('noneText')}
        </EmptyState>
      ) : (
        <div className="flex flex-col gap-5">
          <Group title={t('scheduled')}>
            {scheduled.data.items.map((one) => (
              <Item
                key={one.id}
                icon={<Clock />}
                about={nameOf(one.channelId)}
                text={one.content}
                files={one.attachments}
                models={one.models.map(({ model }) => model)}
                when={stateOf(one)}
              >
                <MenuItem icon={<Pencil />} onSelect={() => setTimeout(() => edit(one), 50)}>
                  {t('edit')}
                </MenuItem>
                <MenuItem icon={<SendHorizontal />} onSelect={() => void sendNow(one)}>
                  {t('sendNow')}
                </MenuItem>
                <MenuItem icon={<Trash2 />} danger onSelect={() => void deleteScheduled(one)}>
                  {t('delete')}
                </MenuItem>
              </Item>
            ))}
          </Group>
          <Group title={t('reminders')}>
            {reminders.data.items.map(({ message, remindAt }) => (
              <Item
                key={message.id}
                icon={<AlarmClock />}
                about={nameOf(message.channelId)}
                text={message.content || (message.forwarded?.content ?? '')}
                when={t('remindsAt', { when: formatDateTime(remindAt) })}
                link={links.channel(
                  message.channelId,
                  message.parentId === null
                    ? { message: message.id }
                    : { message: message.id, thread: message.parentId },
                )}
                onOpen={onClose}
              >
                <MenuItem icon={<Trash2 />} onSelect={() => void forgetReminder(message)}>
                  {t('forget')}
                </MenuItem>
              </Item>
            ))}
          </Group>
        </div>
      )}
      {edited && <EditDialog one={edited} onClose={() => edit(null)} />}
    </Dialog>
  )
}

function Group({ title, children }: { title: string; children: ReactNode[] }) {
  if (children.length === 0) return null
  return (
    <section aria-label={title}>
      <h3 className="pb-1 text-sm font-medium text-muted">{title}</h3>
      <ul>{children}</ul>
    </section>
  )
}

function Item({
  icon,
  about,
  text,
  files = [],
  models = [],
  when,
  link,
  onOpen,
  children,
}: {
  icon: ReactNode
  about: string
  text: string
  files?: readonly ChannelAttachment[]
  /** Those that answer it, by their names. */
  models?: readonly string[]
  when: string
  link?: string
  onOpen?: () => void
  children: ReactNode
}) {
  const t = useText('channels-later')
  return (
    <li className="flex items-start gap-3 border-b border-line py-2.5 [&>svg]:mt-0.5 [&>svg]:size-4 [&>svg]:shrink-0 [&>svg]:text-muted">
      {icon}
      <div className="min-w-0 flex-1">
        <p className="truncate text-sm text-muted">
          <bdi>{about}</bdi> · {when}
        </p>
        <p dir="auto" className="line-clamp-3 wrap-anywhere whitespace-pre-line">
          {text}
        </p>
        {files.length > 0 && (
          <ul className="text-sm text-muted" aria-label={t('files')}>
            {files.map(({ id, name }) => (
              <li key={id} className="flex items-center gap-1.5">
                <Paperclip aria-hidden className="size-3.5 shrink-0" />
                <bdi className="min-w-0 truncate">{name}</bdi>
              </li>
            ))}
          </ul>
        )}
        {models.length > 0 && (
          <p className="wrap-anywhere text-sm text-muted">{t('asks', { models: models.join(', ') })}</p>
        )}
        {link !== undefined && (
          <Link
            to={link}
            {...(onOpen ? { onClick: onOpen } : {})}
            className="text-sm text-accent-ink underline underline-offset-2"
          >
            {t('show')}
          </Link>
        )}
      </div>
      <Menu trigger={<IconButton label={t('edit')} icon={<Ellipsis />} size="small" tooltipSide="none" />}>
        {children}
      </Menu>
    </li>
  )
}

function EditDialog({ one, onClose }: { one: ScheduledMessage; onClose: () => void }) {
  const t = useText('channels-later')
  const [content, setContent] = useState(one.content)
  const [time, setTime] = useState(() => toLocalValue(new Date(Math.max(Date.parse(one.sendAt), Date.now() + 60_000))))
  const save = useMutation({
    mutationFn: () =>
      call(routes.reschedule, {
        params: { scheduledId: one.id },
        body: { content: content.trim(), sendAt: new Date(time).toISOString(), version: one.version },
      }),
    onSuccess: async () => {
      onClose()
      await refreshLater()
    },
  })
  return (
    <FormDialog
      title={t('editTitle')}
      submit={t('save')}
      busy={save.isPending}
      disabled={(content.trim() === '' && one.attachments.length === 0) || !isLater(time)}
      error={failureOf(save.error)}
      onSubmit={() => save.mutate()}
      onClose={onClose}
    >
      <Field label={t('text')} required={one.attachments.length === 0}>
        <TextArea
          dir="auto"
          rows={4}
          value={content}
          maxLength={mostMessageLetters}
          onChange={(event) => setContent(event.target.value)}
        />
      </Field>
      <TimeField value={time} onChange={setTime} />
    </FormDialog>
  )
}
