import type { AuditEvent } from '@atrium/contract/audit'
import { ChevronRight } from 'lucide-react'
import type { ReactNode } from 'react'
import { formatAgo, formatDateTime } from '../../../lib/format.ts'
import { useResourceWords } from '../../../lib/resources.ts'
import { Badge } from '../../../ui/badge.tsx'
import { Button } from '../../../ui/button.tsx'
import type { AuditFilter } from './filter.ts'
import { useText } from 'virtual:words/audit'
import { aboutOf, detailOf } from './words.ts'

const tones = { success: 'ok', denied: 'warn', failure: 'danger' } as const

/** Details that many entries have. */
const known: ReadonlySet<string> = new Set([
  ...['route', 'fields', 'reason', 'kind', 'principalId', 'right', 'expiresAt', 'accountId', 'ownerId', 'grantId'],
  ...['provider', 'groupsAdded', 'groupsRemoved', 'role', 'source', 'administratorId', 'setting'],
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
  const target = aboutOf(event, t, words)
  return (
    <li className="border-b border-line">
      <details className="group">
        <summary className="flex min-h-11 cursor-pointer list-none flex-wrap items-center gap-x-3 gap-y-1 rounded-md py-2 focus-visible:outline-2 focus-visible:outline-accent [&::-webkit-details-marker]:hidden">
          <ChevronRight
            aria-hidden
            className="size-4 shrink-0 text-muted transition-transform group-open:rotate-90 rtl:-scale-x-100"
          />
          <span className="min-w-0 flex-1 basis-48">
            <span className="font-medium">{action}</span>{' '}
            <span className="text-muted">
              <bdi>{target ? t('byOn', { actor, target }) : t('by', { actor })}</bdi>
            </span>
          </span>
          <span className="flex items-center gap-3 max-tab:basis-full max-tab:ps-7">
            {event.unreadable && <Badge tone="warn">{t('unreadable')}</Badge>}
            {event.result !== 'success' && <Badge tone={tones[event.result]}>{t(`result.${event.result}`)}</Badge>}
            <time dateTime={event.occurredAt} title={formatDateTime(event.occurredAt)} className="text-sm text-muted">
              {formatAgo(event.occurredAt)}
            </time>
          </span>
        </summary>
        <dl className="mb-3 ms-7 grid grid-cols-[max-content_1fr] gap-x-4 gap-y-1 text-sm [overflow-wrap:anywhere]">
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
        </dl>
        {event.actorUserId && (
          <Button
            size="small"
            className="ms-7 mb-3 h-auto! min-h-control-small max-w-[calc(100%-1.75rem)] py-1 text-start whitespace-normal!"
            onClick={() => onActor({ id: event.actorUserId ?? '', name: actor })}
          >
            {t('showActor', { name: actor })}
          </Button>
        )}
      </details>
    </li>
  )
}

/** Whether a share is for an account or a group is said by the name. */
const detailsOf = ({ details, names }: AuditEvent) =>
  Object.entries(details ?? {}).filter(
    ([name]) => name !== 'principalType' || names[String(details?.['principalId'])] === undefined,
  )

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt className="text-muted">{name}</dt>
      <dd>{children}</dd>
    </>
  )
}
