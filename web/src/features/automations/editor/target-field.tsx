import type { AutomationContent } from '@atrium/contract/automations'
import { type Channel, channelsRoutes } from '@atrium/contract/channels'
import { useQuery } from '@tanstack/react-query'
import { queryOf } from '../../../api/query.ts'
import { Field } from '../../../ui/field.tsx'
import { Select } from '../../../ui/select.tsx'
import { useText } from 'virtual:words/automations'

type Target = AutomationContent['target']

/** Where the result goes: a chat, or a channel besides. `missing`: one has to be chosen. */
export function TargetField({
  target,
  missing,
  onChange,
}: {
  target: Target
  missing: boolean
  onChange: (target: Target) => void
}) {
  const t = useText('automations')
  const isChannel = target.kind === 'channel'
  const channels = useQuery({ ...queryOf(channelsRoutes.list, { query: { limit: 200 } }), enabled: isChannel })
  const writable = (channels.data?.items ?? []).filter(mayPost)
  const chosen = isChannel ? target.channelId : ''
  const isKnown = chosen === '' || !channels.data || writable.some(({ id }) => id === chosen)
  return (
    <div className="grid gap-4 tab:grid-cols-2">
      <Field label={t('target.label')} hint={isChannel ? t('target.channelHint') : undefined}>
        <Select
          className="w-full"
          value={isChannel ? 'channel' : target.sessionId === null ? 'new' : 'same'}
          onChange={(kind) => {
            if (kind === 'channel') onChange({ kind, channelId: '' })
            else if (kind === 'new') onChange({ kind: 'chat', sessionId: null })
          }}
          options={[
            { value: 'new', label: t('target.newChat') },
            ...(target.kind === 'chat' && target.sessionId !== null
              ? [{ value: 'same', label: t('target.sameChat') }]
              : []),
            { value: 'channel', label: t('target.channel') },
          ]}
        />
      </Field>
      {isChannel && (
        <Field
          label={t('target.channelLabel')}
          error={missing ? t('target.channelMissing') : null}
          hint={channels.data && writable.length === 0 ? t('target.noChannels') : undefined}
          required
        >
          <Select
            className="w-full"
            name="channel"
            value={chosen}
            onChange={(channelId) => onChange({ kind: 'channel', channelId })}
            options={[
              ...(chosen === '' ? [{ value: '', label: '' }] : []),
              ...(isKnown ? [] : [{ value: chosen, label: t('target.unknownChannel') }]),
              ...writable.map((channel) => ({ value: channel.id, label: nameOfChannel(channel) })),
            ]}
          />
        </Field>
      )}
    </div>
  )
}

const mayPost = ({ role, posting, archivedAt }: Channel): boolean =>
  archivedAt === null && (posting === 'members' || role !== 'member')

/** Direct messages are called by their people. */
export const nameOfChannel = ({ name, people }: Channel): string =>
  name === '' ? people.map((one) => one.name).join(', ') : name
