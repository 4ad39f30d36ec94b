import type { AuditEvent } from '@atrium/contract/audit'
import { factSeparator, formatAgo, formatDateTime } from '../../../lib/format.ts'
import { useResourceWords } from '../../../lib/resources.ts'
import { Badge } from '../../../ui/badge.tsx'
import { Button } from '../../../ui/button.tsx'
import { ExpandableRow, Fact, Facts } from '../../../ui/expandable-row.tsx'
import type { AuditFilter } from './filter.ts'
import { useText } from 'virtual:words/audit'
import { aboutOf, detailOf } from './words.ts'

const tones = { success: 'ok', denied: 'warn', failure: 'danger' } as const

/** Details that many entries have. */
const known: ReadonlySet<string> = new Set([
  ...['route', 'fields', 'reason', 'kind', 'principalId', 'right', 'expiresAt', 'accountId', 'ownerId', 'grantId'],
  ...['provider', 'groupsAdded', 'groupsRemoved', 'role', 'source', 'administratorId', 'setting'],
  ...['decision', 'toolCallId', 'changes'],
])

/** One thing that happened; the rest of it opens below. */
export function Entry({
  event,
  onActor,
}: {
  event: AuditEvent
  onActor: (actor: NonNullable<AuditFilter['actor']>) => void
}) {
  const t = useText('audit')
  const words = useResourceWords()
  const action = t(`action.${event.action.replaceAll('.', '_')}`)
  const actor = event.actorName ?? (event.actorUserId ? t('goneAccount') : t(`actor.${event.actorKind}`))
  // Whoever acts on the own account is named once.
  const changes = changesOf(event)
  // A change names its setting itself.
  const target = event.targetType === 'setting' && changes.length > 0 ? null : aboutOf(event, t, words)
  return (
    <li className="flex border-b border-line">
      <ExpandableRow
        name={action}
        about={[target ? t('byOn', { actor, target }) : t('by', { actor }), ...changes].join(factSeparator())}
        end={
          <>
            {event.unreadable && <Badge tone="warn">{t('unreadable')}</Badge>}
            {event.result !== 'success' && <Badge tone={tones[event.result]}>{t(`result.${event.result}`)}</Badge>}
            <time dateTime={event.occurredAt} title={formatDateTime(event.occurredAt)} className="text-sm text-muted">
              {formatAgo(event.occurredAt)}
            </time>
          </>
        }
      >
        <Facts>
          <Fact name={t('fact.when')}>{formatDateTime(event.occurredAt)}</Fact>
          <Fact name={t('fact.who')}>
            <bdi>{actor}</bdi> {event.actorKind === 'api-token' && <Badge>{t('actor.api-token')}</Badge>}
          </Fact>
          {event.unreadable && (
            <Fact name={t('fact.details')}>
              <span className="text-warn-ink">{t('unreadable')}</span>
            </Fact>
          )}
          {event.address && (
            <Fact name={t('fact.address')}>
              <bdi>{event.address}</bdi>
            </Fact>
          )}
          {event.targetType && (
            <Fact name={t('fact.target')}>
              {event.targetName && <bdi>{event.targetName} · </bdi>}
              <bdi className="text-muted">{[event.targetType, event.targetId].filter(Boolean).join(' ')}</bdi>
            </Fact>
          )}
          {detailsOf(event).map(([name, value]) => (
            <Fact key={name} name={known.has(name) ? t(`fact.${name}`) : name}>
              <bdi>{detailOf(name, value, event, t)}</bdi>
            </Fact>
          ))}
          {event.requestId && (
            <Fact name={t('fact.request')}>
              <bdi>{event.requestId}</bdi>
            </Fact>
          )}
          <Fact name={t('fact.place')}>{event.seq}</Fact>
        </Facts>
        {event.actorUserId && (
          <Button
            size="small"
            className="ms-7 mb-3 h-auto! min-h-control-small max-w-[calc(100%-1.75rem)] py-1 text-start whitespace-normal!"
            onClick={() => onActor({ id: event.actorUserId ?? '', name: actor })}
          >
            {t('showActor', { name: actor })}
          </Button>
        )}
      </ExpandableRow>
    </li>
  )
}

/** The first changes of settings, as they were written down; the rest stands below. */
const changesOf = ({ details }: AuditEvent): string[] => {
  const changes = details?.['changes']
  return Array.isArray(changes) ? changes.slice(0, 2) : []
}

/** Whether a share is for an account or a group is said by the name. */
const detailsOf = ({ details, names }: AuditEvent) =>
  Object.entries(details ?? {}).filter(
    ([name]) => name !== 'principalType' || names[String(details?.['principalId'])] === undefined,
  )
