import type { Discovery } from '@atrium/contract/connections'
import { CircleCheck, KeyRound, TriangleAlert } from 'lucide-react'
import { factSeparator } from '../../lib/format.ts'
import { classNames } from '../../lib/class-names.ts'
import { useText } from 'virtual:words/connect'

/** The outcome of asking a provider for its models, one of four, in words. */
export function Outcome({ discovery, className }: { discovery: Discovery; className?: string }) {
  const t = useText('connect')
  const fine = discovery.outcome === 'updated' || discovery.outcome === 'unchanged'
  const Icon = fine ? CircleCheck : discovery.outcome === 'missing_credentials' ? KeyRound : TriangleAlert
  return (
    <p className={classNames('flex items-start gap-1.5 text-sm', fine ? 'text-ok-ink' : 'text-warn-ink', className)}>
      <Icon aria-hidden className="mt-0.5 size-4 shrink-0" />
      <span className="min-w-0">
        <span className="font-medium">{t(`outcome.${discovery.outcome}`)}</span>
        {discovery.outcome === 'updated' && <> {figures(t, discovery.added, discovery.removed)}</>}
        {'reason' in discovery && (
          <>
            {' '}
            <bdi>{discovery.reason}</bdi>
          </>
        )}
      </span>
    </p>
  )
}

type Translate = ReturnType<typeof useText>

function figures(t: Translate, added: number, removed: number): string {
  const parts = [added > 0 && t('added', { count: added }), removed > 0 && t('removed', { count: removed })]
  return parts.filter(Boolean).join(factSeparator())
}
