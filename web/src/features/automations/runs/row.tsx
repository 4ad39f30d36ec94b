import type { AutomationRun } from '@atrium/contract/automations'
import { Link } from '@tanstack/react-router'
import { MessageSquare, RotateCcw, Square } from 'lucide-react'
import { factSeparator, formatDateTime, formatMoney, formatSpan } from '../../../lib/format.ts'
import { links } from '../../../lib/links.ts'
import { Button } from '../../../ui/button.tsx'
import { IconButton } from '../../../ui/icon-button.tsx'
import { useText } from 'virtual:words/automations'
import { cancelRun, retryRun } from '../changes.ts'
import { StateBadge } from '../state-badge.tsx'

/** One run: when, what started it, how it went and why, and where its answer is. */
export function RunRow({ run, name }: { run: AutomationRun; name: string | null }) {
  const t = useText('automations')
  const { state, trigger, scheduledFor, startedAt, endedAt, reason, cost, sessionId, messageId, seen } = run
  const isOpen = state === 'queued' || state === 'running' || state === 'waiting'
  const tookMs = startedAt && endedAt ? Date.parse(endedAt) - Date.parse(startedAt) : 0
  const took = tookMs >= 1000 ? formatSpan(tookMs) : null
  const when = formatDateTime(scheduledFor)
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1 px-3.5 py-2.5">
      <div className="min-w-0 flex-1 basis-60">
        <p className="flex min-w-0 flex-wrap items-center gap-x-2 gap-y-1">
          <StateBadge state={state} />
          {name !== null && (
            <Link to={links.automation(run.automationId)} dir="auto" className="truncate font-medium hover:underline">
              {name}
            </Link>
          )}
          <time dateTime={scheduledFor}>{when}</time>
          {!seen && <span className="size-2 rounded-full bg-accent" title={t('notSeen')} />}
          {!seen && <span className="sr-only">{t('notSeen')}</span>}
        </p>
        <p className="text-sm text-muted">
          {[
            t(`startedBy.${trigger}`),
            took && t('took', { time: took }),
            cost && Number(cost.amount) > 0 && formatMoney(cost.amount, cost.currency),
            reason && t(`reason.${reason}`),
          ]
            .filter(Boolean)
            .join(factSeparator())}
        </p>
      </div>
      {sessionId && (
        <Button size="small" icon={<MessageSquare className="size-4" />} asChild>
          <Link to={links.chat(sessionId, messageId ?? undefined)}>{t('openChat')}</Link>
        </Button>
      )}
      {isOpen ? (
        <IconButton label={t('cancelRun', { when })} icon={<Square />} onClick={() => void cancelRun(run)} />
      ) : (
        <IconButton label={t('retryRun', { when })} icon={<RotateCcw />} onClick={() => void retryRun(run)} />
      )}
    </li>
  )
}
