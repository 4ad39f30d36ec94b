import type { ToolApproval, ToolCall } from '@atrium/contract/generation'
import { useEffect, useState } from 'react'
import { useMe } from '../../api/account.ts'
import { formatAgo, formatDateTime } from '../../lib/format.ts'
import { useText } from 'virtual:words/tool-calls'

/** On whose account, what it can reach, and why it is asked about. */
export function ApprovalFacts({ call, approval }: { call: ToolCall; approval: ToolApproval }) {
  const t = useText('tool-calls')
  const me = useMe()
  // Who runs tools of its own says nothing of them.
  if (!call.source) {
    return (
      <p>
        <span className="font-medium">{t('asks')}</span> <span className="text-muted">{t('asksAgent')}</span>
      </p>
    )
  }
  const { reaches } = approval
  return (
    <>
      <p className="font-medium">{t('asks')}</p>
      <dl className="mt-1 grid grid-cols-[max-content_minmax(0,1fr)] gap-x-3 gap-y-0.5">
        <dt className="text-muted">{t('fact.account')}</dt>
        <dd>
          <bdi>{me.displayName || me.username}</bdi>
        </dd>
        <dt className="text-muted">{t('fact.reaches')}</dt>
        <dd>
          {reaches ? (
            <bdi className="font-mono text-xs wrap-anywhere">{reaches}</bdi>
          ) : (
            t(reaches === null ? 'fact.here' : 'fact.elsewhere')
          )}
        </dd>
        {(approval.reasons ?? []).length > 0 && (
          <>
            <dt className="text-muted">{t('fact.why')}</dt>
            <dd>{approval.reasons?.map((reason) => t(`reason.${reason}`)).join(' ')}</dd>
          </>
        )}
      </dl>
    </>
  )
}

/** Until when it can be decided; it is told anew each half minute. */
export function TimeLeft({ until }: { until: number }) {
  const t = useText('tool-calls')
  const [now, setNow] = useState(Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 30_000)
    return () => clearInterval(timer)
  }, [])
  return (
    <span title={formatDateTime(until)} className="ms-auto shrink-0 text-xs text-muted">
      {until <= now ? t('expired') : t('expires', { when: formatAgo(until, now) })}
    </span>
  )
}
