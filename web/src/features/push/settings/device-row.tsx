import { type PushDevice, pushRoutes } from '@atrium/contract/push'
import { useMutation } from '@tanstack/react-query'
import { Monitor, Send, Smartphone, Trash2 } from 'lucide-react'
import { call } from '../../../api/client.ts'
import { wordsOf } from '../../../api/errors.ts'
import { refresh } from '../../../api/query.ts'
import { deviceOf } from '../../../lib/device.ts'
import { factSeparator, formatAgo, formatDateTime } from '../../../lib/format.ts'
import { Badge } from '../../../ui/badge.tsx'
import { Button } from '../../../ui/button.tsx'
import { toast } from '../../../ui/toaster.tsx'
import { turnOff } from './this-browser.ts'
import { useText } from 'virtual:words/push'

/** One browser that takes push messages: a test for it, and its end. */
export function DeviceRow({ device }: { device: PushDevice }) {
  const t = useText('push')
  const { browser, system, phone } = deviceOf(device.userAgent)
  const name = [browser, system].filter(Boolean).join(factSeparator()) || t('unknownDevice')
  const Icon = phone ? Smartphone : Monitor
  const settle = {
    onError: (error: unknown) => toast(wordsOf(error), { tone: 'danger' }),
    onSettled: () => void refresh(pushRoutes.devices),
  }
  const test = useMutation({
    mutationFn: () => call(pushRoutes.test, { body: { id: device.id } }),
    onSuccess: ({ outcome, status }) =>
      toast(t(`tested.${outcome}`, { status: status ?? '–' }), outcome === 'sent' ? {} : { tone: 'danger' }),
    ...settle,
  })
  const remove = useMutation({
    mutationFn: async () => {
      if (device.current) await turnOff()
      await call(pushRoutes.unsubscribe, { body: { id: device.id } })
    },
    onSuccess: () => toast(t('removed', { name })),
    ...settle,
  })
  return (
    <li className="flex flex-wrap items-center gap-3 border-b border-line py-3">
      <Icon aria-hidden className="size-5 shrink-0 text-muted" />
      <div className="min-w-44 flex-1">
        <p className="flex flex-wrap items-center gap-2 font-medium">
          <bdi>{name}</bdi> {device.current && <Badge tone="accent">{t('current')}</Badge>}
        </p>
        <p className="text-sm text-muted">
          <span title={formatDateTime(device.createdAt)}>{t('since', { when: formatAgo(device.createdAt) })}</span>
          {' · '}
          {device.lastUsedAt ? (
            <span title={formatDateTime(device.lastUsedAt)}>{t('used', { when: formatAgo(device.lastUsedAt) })}</span>
          ) : (
            t('neverUsed')
          )}
        </p>
      </div>
      <div className="flex gap-2">
        <Button
          size="small"
          busy={test.isPending}
          icon={<Send className="size-3.5" />}
          aria-label={t('testNamed', { name })}
          onClick={() => test.mutate()}
        >
          {t('test')}
        </Button>
        <Button
          size="small"
          busy={remove.isPending}
          icon={<Trash2 className="size-3.5" />}
          aria-label={t('removeNamed', { name })}
          onClick={() => remove.mutate()}
        >
          {t('remove')}
        </Button>
      </div>
    </li>
  )
}
