import type { Webhook } from '@atrium/contract/webhooks'
import { History, KeyRound, MoreHorizontal, Pencil, Send, Trash2 } from 'lucide-react'
import { formatAgo, formatDateTime } from '../../../lib/format.ts'
import { Badge } from '../../../ui/badge.tsx'
import { Button } from '../../../ui/button.tsx'
import { IconButton } from '../../../ui/icon-button.tsx'
import { Menu, MenuItem, MenuSeparator } from '../../../ui/menu.tsx'
import { useText } from 'virtual:words/webhooks'

/** One webhook: where it leads, how it does, and what can be done with it. */
export function WebhookRow({
  webhook,
  onAsk,
}: {
  webhook: Webhook
  onAsk: (what: 'form' | 'test' | 'deliveries' | 'rotate' | 'remove') => void
}) {
  const t = useText('webhooks')
  const { name, url, enabled, off, failingSince, oldSecretUntil, content } = webhook
  return (
    <li className="flex flex-wrap items-start gap-x-4 gap-y-2.5 border-b border-line py-3.5">
      <div className="min-w-44 flex-1">
        <p className="flex flex-wrap items-center gap-2 font-medium">
          <bdi className="min-w-0 wrap-anywhere">{name}</bdi>
          {!enabled && <Badge tone={off ? 'danger' : 'plain'}>{t('off')}</Badge>}
          {enabled && failingSince && <Badge tone="warn">{t('failing')}</Badge>}
          {content && <Badge>{t('withContent')}</Badge>}
        </p>
        <p dir="ltr" className="truncate text-start font-mono text-xs text-muted">
          {url}
        </p>
        {off && <p className="mt-1 text-sm text-danger-ink">{t(`offWhy.${off}`)}</p>}
        {enabled && failingSince && (
          <p className="mt-1 text-sm text-muted" title={formatDateTime(failingSince)}>
            {t('failingSince', { when: formatAgo(failingSince) })}
          </p>
        )}
        {oldSecretUntil && (
          <p className="mt-1 text-sm text-muted">{t('oldSecret', { until: formatDateTime(oldSecretUntil) })}</p>
        )}
      </div>
      <div className="flex items-center gap-2">
        <Button
          size="small"
          icon={<Send className="size-3.5" />}
          aria-label={t('testNamed', { name })}
          onClick={() => onAsk('test')}
        >
          {t('test')}
        </Button>
        <Menu
          trigger={<IconButton label={t('menu', { name })} icon={<MoreHorizontal />} size="small" tooltipSide="none" />}
        >
          <MenuItem icon={<Pencil />} onSelect={() => onAsk('form')}>
            {t('edit')}
          </MenuItem>
          <MenuItem icon={<History />} onSelect={() => onAsk('deliveries')}>
            {t('deliveries')}
          </MenuItem>
          <MenuItem icon={<KeyRound />} onSelect={() => onAsk('rotate')}>
            {t('rotate.menu')}
          </MenuItem>
          <MenuSeparator />
          <MenuItem icon={<Trash2 />} danger onSelect={() => onAsk('remove')}>
            {t('remove.do')}
          </MenuItem>
        </Menu>
      </div>
    </li>
  )
}
