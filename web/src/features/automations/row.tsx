import type { Automation } from '@atrium/contract/automations'
import { Link } from '@tanstack/react-router'
import { MoreHorizontal, Pause, Play, Trash2, Webhook, Zap } from 'lucide-react'
import { factSeparator, formatDateTime, formatMoney } from '../../lib/format.ts'
import { links } from '../../lib/links.ts'
import { Badge } from '../../ui/badge.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { Menu, MenuItem, MenuSeparator } from '../../ui/menu.tsx'
import { useText } from 'virtual:words/automations'
import { runNow, setPaused } from './changes.ts'
import { StateBadge } from './state-badge.tsx'
import { triggerWords } from './trigger-words.ts'
import { useOwnTime } from './own-time.ts'

/** One automation: what starts it, when it runs next, and how it went last. */
export function AutomationRow({ automation, onRemove }: { automation: Automation; onRemove: () => void }) {
  const t = useText('automations')
  const own = useOwnTime()
  const { id, name, triggers, webhookEnabled, status, nextRunAt, lastRun, monthCost } = automation
  const isPaused = status === 'paused'
  const starts = triggers.map((trigger) => triggerWords(trigger, t, own))
  return (
    <li className="relative flex items-center gap-3 px-3.5 py-2.5 hover:bg-hover">
      <div className="min-w-0 flex-1">
        <p className="flex min-w-0 flex-wrap items-center gap-x-2 gap-y-1">
          <Link
            to={links.automation(id)}
            dir="auto"
            className="max-w-full truncate font-medium after:absolute after:inset-0"
          >
            {name}
          </Link>
          {isPaused && <Badge tone="warn">{t(automation.pausedByFailures ? 'pausedByFailures' : 'paused')}</Badge>}
          {lastRun && !isPaused && <StateBadge state={lastRun.state} />}
        </p>
        <p className="line-clamp-2 text-sm wrap-anywhere text-muted">
          {starts.join(factSeparator())}
          {starts.length === 0 && !webhookEnabled && t('byHand')}
          {webhookEnabled && (
            <span className="ms-1 inline-flex items-center gap-1">
              <Webhook aria-hidden className="size-3.5" />
              {t('byWebhook')}
            </span>
          )}
        </p>
        <p className="text-sm text-muted empty:hidden">
          {[
            nextRunAt && t('next', { time: formatDateTime(nextRunAt) }),
            monthCost &&
              Number(monthCost.amount) > 0 &&
              t('monthCost', { cost: formatMoney(monthCost.amount, monthCost.currency) }),
          ]
            .filter(Boolean)
            .join(factSeparator())}
        </p>
      </div>
      <div className="relative flex">
        <IconButton label={t('runNow', { name })} icon={<Zap />} onClick={() => void runNow(automation)} />
        <Menu trigger={<IconButton label={t('menu', { name })} icon={<MoreHorizontal />} tooltipSide="none" />}>
          <MenuItem icon={isPaused ? <Play /> : <Pause />} onSelect={() => void setPaused(automation, !isPaused)}>
            {t(isPaused ? 'resume' : 'pause')}
          </MenuItem>
          <MenuSeparator />
          <MenuItem icon={<Trash2 />} danger onSelect={onRemove}>
            {t('delete')}
          </MenuItem>
        </Menu>
      </div>
    </li>
  )
}
