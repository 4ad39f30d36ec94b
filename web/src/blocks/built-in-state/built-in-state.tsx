import type { BuiltInState as State } from '@atrium/contract/built-in'
import { formatNumber } from '../../lib/format.ts'
import { Badge } from '../../ui/badge.tsx'
import { useText } from 'virtual:words/built-in-state'

const tones = { unused: 'plain', ready: 'ok', busy: 'info', failed: 'danger' } as const

/** How something stands that the server does by itself, and how much memory it may take; nothing until it is known. */
export function BuiltInState({ of }: { of: State | undefined }) {
  const t = useText('built-in-state')
  if (!of) return null
  const size = formatNumber(of.memoryMb, { style: 'unit', unit: 'megabyte', unitDisplay: 'short' })
  return (
    <p className="flex flex-wrap items-center gap-2 text-sm text-muted">
      <Badge tone={tones[of.state]}>{t(`state.${of.state}`)}</Badge>
      {t('memory', { size })}
    </p>
  )
}
