import type { Message } from '@atrium/contract/chat'
import type { ContextPlan } from '@atrium/contract/generation'
import { useState } from 'react'
import { wordsOf } from '../../../api/errors.ts'
import { resetDay, strictestBudget, useOwnBudgets } from '../../../blocks/budgets.ts'
import { classNames } from '../../../lib/class-names.ts'
import { formatMoney, formatNumber } from '../../../lib/format.ts'
import { Button } from '../../../ui/button.tsx'
import { Popover } from '../../../ui/popover.tsx'
import { useText } from 'virtual:words/chat'

/** A ring with the share of the model's window that the next request would fill; opened, what fills it. */
export function Gauge({
  plan,
  messages,
  canCompact,
  onCompact,
}: {
  plan: ContextPlan | null
  /** Of which the answers tell what they cost. */
  messages: readonly Message[]
  canCompact: boolean
  onCompact: () => Promise<unknown>
}) {
  const t = useText('chat')
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>(null)
  if (!plan) return null
  const parts = [
    ['system', plan.systemTokens],
    ['summary', plan.summaryTokens],
    ['attachments', plan.attachmentTokens],
    ...(plan.excerptTokens ? [['excerpts', plan.excerptTokens] as const] : []),
    ['history', plan.historyTokens],
    ['reserve', plan.reserveTokens],
  ] as const
  // The plan is that of the next request, which counts the question that is not asked yet.
  const earlier = Math.max(0, plan.includedMessages - 1)
  const used = parts.reduce((sum, [name, tokens]) => (name === 'reserve' ? sum : sum + tokens), 0)
  const share = plan.windowTokens ? Math.min(1, used / plan.windowTokens) : null
  const percent = share === null ? null : formatNumber(share, { style: 'percent' })
  async function run() {
    setBusy(true)
    setError(null)
    await onCompact().catch(setError)
    setBusy(false)
  }
  return (
    <Popover
      label={t('gauge.title')}
      side="top"
      align="end"
      className="w-72"
      trigger={
        <button
          type="button"
          aria-label={percent ? t('gauge.label', { percent }) : t('gauge.unknown')}
          className="hit grid size-control shrink-0 place-items-center rounded-md text-muted hover:bg-hover"
        >
          <Ring share={share} />
        </button>
      }
    >
      <h3 className="mb-2 font-semibold">{t('gauge.title')}</h3>
      <p className="mb-2 text-sm text-muted">
        {plan.windowTokens
          ? t('gauge.used', { used: formatNumber(used), window: formatNumber(plan.windowTokens), percent })
          : t('gauge.usedOnly', { used: formatNumber(used) })}{' '}
        {t(`gauge.source.${plan.windowSource}`)}
      </p>
      <dl className="mb-2 grid grid-cols-[1fr_auto] gap-y-1 text-sm">
        {parts.map(([name, tokens]) => (
          <div key={name} className="contents">
            <dt className="text-muted">{t(`gauge.part.${name}`)}</dt>
            <dd className="text-end tabular-nums">{formatNumber(tokens)}</dd>
          </div>
        ))}
      </dl>
      <p className="text-sm text-muted">
        {earlier > 0 && t('gauge.messages', { count: earlier })}
        {plan.summarisedMessages > 0 && ` ${t('gauge.summarised', { count: plan.summarisedMessages })}`}
        {plan.droppedMessages > 0 && (
          <span className="text-warn-ink"> {t('gauge.dropped', { count: plan.droppedMessages })}</span>
        )}
      </p>
      <Spending messages={messages} />
      {error !== null && (
        <p role="alert" className="mt-2 text-sm text-danger-ink">
          {wordsOf(error)}
        </p>
      )}
      <Button size="small" className="mt-3 w-full" busy={busy} disabled={!canCompact} onClick={() => void run()}>
        {busy ? t('gauge.compacting') : t('gauge.compact')}
      </Button>
    </Popover>
  )
}

/** What the last answer cost, and what is left of the budget that ends first. */
function Spending({ messages }: { messages: readonly Message[] }) {
  const t = useText('chat')
  const budgets = useOwnBudgets()
  const budget = strictestBudget(budgets?.items ?? [])
  const last = messages.findLast((message) => message.role === 'assistant')?.usage?.cost
  if (!last && !budget) return null
  const amount = (value: string) =>
    budget?.unit === 'money'
      ? formatMoney(value, budgets?.currency ?? '')
      : t('gauge.tokens', { count: Number(value), amount: formatNumber(Number(value)) })
  return (
    <div className="mt-2 flex flex-col gap-1 border-t border-line pt-2 text-sm text-muted">
      {last && <p>{t('gauge.lastCost', { amount: formatMoney(last.amount, last.currency) })}</p>}
      {budget && (
        <p className={budget.state === 'normal' ? undefined : 'text-warn-ink'}>
          {budget.remaining !== null && budget.amount !== null
            ? t('gauge.left', {
                name: budget.name,
                when: resetDay(budget),
                left: amount(budget.remaining),
                amount: amount(budget.amount),
              })
            : t(`gauge.state.${budget.state}`, { name: budget.name, when: resetDay(budget) })}
        </p>
      )}
    </div>
  )
}

/** Full, nearly full and unknown differ by form as well: a thick ring, a dashed ring. */
function Ring({ share }: { share: number | null }) {
  const length = 2 * Math.PI * 7
  const tone =
    share === null ? '' : share > 0.98 ? 'text-danger-ink' : share > 0.8 ? 'text-warn-ink' : 'text-accent-ink'
  return (
    <svg viewBox="0 0 20 20" className={classNames('size-4.5 -rotate-90', tone)} aria-hidden>
      <circle
        cx="10"
        cy="10"
        r="7"
        fill="none"
        stroke="var(--line-strong)"
        strokeOpacity="0.45"
        strokeWidth="2.5"
        strokeDasharray={share === null ? '2.5 2.5' : undefined}
      />
      {share !== null && (
        <circle
          cx="10"
          cy="10"
          r="7"
          fill="none"
          stroke="currentColor"
          strokeWidth={share > 0.8 ? 4 : 2.5}
          strokeDasharray={`${share * length} ${length}`}
        />
      )}
    </svg>
  )
}
