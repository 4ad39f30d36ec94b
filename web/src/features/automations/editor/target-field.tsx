import type { AutomationContent } from '@atrium/contract/automations'
import { type Channel, channelsRoutes } from '@atrium/contract/channels'
import { webhooksRoutes } from '@atrium/contract/webhooks'
import { useQuery } from '@tanstack/react-query'
import { queryOf } from '../../../api/query.ts'
import { Field } from '../../../ui/field.tsx'
import { Select } from '../../../ui/select.tsx'
import { useText } from 'virtual:words/automations'

type Target = AutomationContent['target']

/** Where the result goes: a chat, or a channel, a letter or a webhook besides. `missing`: one has to be chosen. */
export function TargetField({
  target,
  asksModel,
  missing,
  onChange,
}: {
  target: Target
  asksModel: boolean
  missing: boolean
  onChange: (target: Target) => void
}) {
  const t = useText('automations')
  const goesOn = target.kind === 'chat' && target.sessionId !== null
  return (
    <div className="grid gap-4 tab:grid-cols-2">
      <Field label={t('target.label')} hint={hintOf(target, asksModel, t)}>
        <Select
          className="w-full"
          value={target.kind === 'chat' ? (goesOn ? 'same' : 'new') : target.kind}
          onChange={(kind) => {
            const other = emptyTarget(kind)
            if (other) onChange(other)
          }}
          options={[
            ...(asksModel ? [{ value: 'new', label: t('target.newChat') }] : []),
            ...(asksModel && goesOn ? [{ value: 'same', label: t('target.sameChat') }] : []),
            { value: 'channel', label: t('target.channel') },
            { value: 'mail', label: t('target.mail') },
            { value: 'webhook', label: t('target.webhook') },
          ]}
        />
      </Field>
      {target.kind === 'channel' && (
        <ChannelField
          channelId={target.channelId}
          missing={missing}
          onChange={(channelId) => onChange({ kind: 'channel', channelId })}
        />
      )}
      {target.kind === 'webhook' && (
        <WebhookField
          webhookId={target.webhookId}
          missing={missing}
          onChange={(webhookId) => onChange({ kind: 'webhook', webhookId })}
        />
      )}
    </div>
  )
}

/** null: it stays as it is. */
export function emptyTarget(kind: string): Target | null {
  switch (kind) {
    case 'new':
      return { kind: 'chat', sessionId: null }
    case 'channel':
      return { kind, channelId: '' }
    case 'mail':
      return { kind }
    case 'webhook':
      return { kind, webhookId: '' }
    default:
      return null
  }
}

const hintOf = (target: Target, asksModel: boolean, t: (key: string) => string): string | undefined => {
  if (target.kind === 'channel') return t(asksModel ? 'target.channelHint' : 'target.channelTextHint')
  return target.kind === 'chat' ? undefined : t(`target.${target.kind}Hint`)
}

interface Choice {
  missing: boolean
  onChange: (id: string) => void
}

function ChannelField({ channelId, missing, onChange }: Choice & { channelId: string }) {
  const t = useText('automations')
  const channels = useQuery(queryOf(channelsRoutes.list, { query: { limit: 200 } }))
  const writable = channels.data?.items.filter(mayPost)
  return (
    <ChoiceField
      name="channel"
      chosen={channelId}
      known={writable?.map((channel) => ({ value: channel.id, label: nameOfChannel(channel) }))}
      words={{
        label: t('target.channelLabel'),
        missing: t('target.channelMissing'),
        none: t('target.noChannels'),
        unknown: t('target.unknownChannel'),
      }}
      missing={missing}
      onChange={onChange}
    />
  )
}

function WebhookField({ webhookId, missing, onChange }: Choice & { webhookId: string }) {
  const t = useText('automations')
  const webhooks = useQuery(queryOf(webhooksRoutes.webhooks, { query: { of: 'account' } }))
  return (
    <ChoiceField
      name="webhook"
      chosen={webhookId}
      known={webhooks.data?.items.filter(({ enabled }) => enabled).map(({ id, name }) => ({ value: id, label: name }))}
      words={{
        label: t('target.webhookLabel'),
        missing: t('target.webhookMissing'),
        none: t('target.noWebhooks'),
        unknown: t('target.unknownWebhook'),
      }}
      missing={missing}
      onChange={onChange}
    />
  )
}

/** `known`: undefined until they are there. */
function ChoiceField({
  name,
  chosen,
  known,
  words,
  missing,
  onChange,
}: Choice & {
  name: string
  chosen: string
  known: readonly { value: string; label: string }[] | undefined
  words: { label: string; missing: string; none: string; unknown: string }
}) {
  const isKnown = chosen === '' || !known || known.some(({ value }) => value === chosen)
  return (
    <Field
      label={words.label}
      error={missing ? words.missing : null}
      hint={known?.length === 0 ? words.none : undefined}
      required
    >
      <Select
        className="w-full"
        name={name}
        value={chosen}
        onChange={onChange}
        options={[
          ...(chosen === '' ? [{ value: '', label: '' }] : []),
          ...(isKnown ? [] : [{ value: chosen, label: words.unknown }]),
          ...(known ?? []),
        ]}
      />
    </Field>
  )
}

const mayPost = ({ role, posting, archivedAt }: Channel): boolean =>
  archivedAt === null && (posting === 'members' || role !== 'member')

/** Direct messages are called by their people. */
export const nameOfChannel = ({ name, people }: Channel): string =>
  name === '' ? people.map((one) => one.name).join(', ') : name
