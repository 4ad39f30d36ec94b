import type { Message } from '@atrium/contract/chat'
import { Info } from 'lucide-react'
import { providerKey } from '../../../blocks/models.ts'
import { formatDateTime, formatMoney, formatNumber } from '../../../lib/format.ts'
import { IconButton } from '../../../ui/icon-button.tsx'
import { Popover } from '../../../ui/popover.tsx'
import { useText } from 'virtual:words/chat'
import { useThread } from './context.ts'
import { formatElapsed } from './duration.ts'

/** When, by which model, how fast and from how much text an answer was made. */
export function InfoPopover({ message, who }: { message: Message; who: string }) {
  const t = useText('chat')
  const { models } = useThread()
  const { usage, context, selection } = message
  const provider = selection && models?.providers.find((one) => providerKey(one) === providerKey(selection))
  const rows: [string, string | null][] = [
    [t('info.time'), formatDateTime(message.createdAt)],
    [t('info.edited'), message.editedAt && formatDateTime(message.editedAt)],
    [t('info.model'), who],
    [t('info.provider'), provider?.name ?? null],
    [t('info.inputTokens'), known(usage?.inputTokens)],
    [t('info.cachedTokens'), usage?.cachedTokens ? formatNumber(usage.cachedTokens) : null],
    [t('info.outputTokens'), known(usage?.outputTokens)],
    [t('info.cost'), usage?.cost ? formatMoney(usage.cost.amount, usage.cost.currency) : null],
    [t('info.firstToken'), usage?.firstTokenMs == null ? null : formatElapsed(usage.firstTokenMs)],
    [t('info.duration'), usage ? formatElapsed(usage.durationMs) : null],
    [
      t('info.speed'),
      usage?.tokensPerSecond == null
        ? null
        : t('info.perSecond', { tokens: formatNumber(usage.tokensPerSecond, { maximumFractionDigits: 1 }) }),
    ],
    [t('info.finish'), message.finishReason && finishWords(message.finishReason, t)],
    [t('info.included'), context ? formatNumber(context.includedMessages) : null],
    [t('info.dropped'), context?.droppedMessages ? formatNumber(context.droppedMessages) : null],
    [t('info.readImages'), context?.readImages ? formatNumber(context.readImages) : null],
    [t('info.droppedImages'), context?.droppedImages ? formatNumber(context.droppedImages) : null],
    [t('info.summarised'), context?.summarisedMessages ? formatNumber(context.summarisedMessages) : null],
    [t('info.window'), known(context?.windowTokens)],
  ]
  return (
    <Popover
      label={t('info.label')}
      trigger={<IconButton label={t('info.label')} icon={<Info />} size="small" />}
      className="w-72"
    >
      <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1.5 text-sm">
        {rows.map(([name, value]) =>
          value ? (
            <div key={name} className="contents">
              <dt className="text-muted">{name}</dt>
              <dd className="text-end break-words tabular-nums">
                <bdi>{value}</bdi>
              </dd>
            </div>
          ) : null,
        )}
      </dl>
      {usage && usage.outputTokens === null && <p className="mt-2 text-xs text-muted">{t('info.notReported')}</p>}
    </Popover>
  )
}

const known = (count: number | null | undefined) => (count == null ? null : formatNumber(count))

const finishes = ['stop', 'length', 'tool_calls', 'content_filter'] as const

/** Why an answer ended, in words; what only its provider says stands as it says it. */
function finishWords(reason: string, t: ReturnType<typeof useText>): string {
  const known = finishes.find((one) => one === reason)
  return known ? t(`info.finished.${known}`) : reason
}
