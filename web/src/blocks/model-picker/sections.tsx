import type { ModelList, ModelProvider } from '@atrium/contract/connections'
import { CircleAlert, CircleCheck, CircleDashed, KeyRound, PowerOff } from 'lucide-react'
import type { ReactNode } from 'react'
import { classNames } from '../../lib/class-names.ts'
import { formatNumber } from '../../lib/format.ts'
import { MakerMark } from '../maker-mark/maker-mark.tsx'
import { makerOfProvider } from '../maker-mark/makers.ts'
import { providerKey } from '../models.ts'
import { useText } from 'virtual:words/blocks'

const marks = {
  ready: CircleCheck,
  unreachable: CircleAlert,
  'key-needed': KeyRound,
  'not-checked': CircleDashed,
  disabled: PowerOff,
} as const

const colours = {
  ready: 'text-ok-ink',
  unreachable: 'text-danger-ink',
  'key-needed': 'text-warn-ink',
  'not-checked': 'text-muted',
  disabled: 'text-muted',
} as const

/** Favourites, recent, and each provider with its state and how many of its models the search finds. */
export function Sections({
  list,
  value,
  onChange,
  counts,
}: {
  list: ModelList | undefined
  value: string
  onChange: (section: string) => void
  counts: ReadonlyMap<string, number>
}) {
  const t = useText('blocks')
  const entry = (section: string, name: string, by?: ReactNode, mark?: ReactNode) => (
    <button
      key={section}
      type="button"
      aria-pressed={value === section}
      onClick={() => onChange(section)}
      className={classNames(
        'flex h-8 shrink-0 items-center gap-2 rounded-md px-2 text-start text-sm tab:w-full',
        value === section ? 'bg-accent-soft font-medium text-accent-ink' : 'text-muted hover:bg-hover hover:text-ink',
      )}
    >
      {by}
      <span dir="auto" className="min-w-0 flex-1 truncate">
        {name}
      </span>
      {mark}
      <span className="text-xs tabular-nums">{formatNumber(counts.get(section) ?? 0)}</span>
    </button>
  )
  const providerEntry = (provider: ModelProvider) =>
    entry(
      providerKey(provider),
      provider.name,
      <MakerMark maker={makerOfProvider(provider, provider.name)} className="size-4" />,
      <StateMark provider={provider} />,
    )
  const agents = list?.providers.filter((provider) => provider.providerType === 'agent') ?? []
  return (
    <div
      role="group"
      aria-label={t('models.sections')}
      className="flex shrink-0 gap-0.5 overflow-auto border-line p-1.5 tab:w-44 tab:flex-col tab:border-e max-tab:border-b"
    >
      {entry('all', t('models.all'))}
      {entry('favourites', t('models.favourites'))}
      {entry('recent', t('models.recent'))}
      <span role="separator" className="my-1 shrink-0 border-line max-tab:mx-1 max-tab:border-s tab:border-t" />
      {list?.providers.filter((provider) => provider.providerType !== 'agent').map(providerEntry)}
      {agents.length > 0 && (
        <span className="shrink-0 px-2 pt-2 pb-0.5 text-xs font-medium text-muted max-tab:self-center max-tab:pt-0.5">
          {t('models.agents')}
        </span>
      )}
      {agents.map(providerEntry)}
    </div>
  )
}

function StateMark({ provider }: { provider: ModelProvider }) {
  const t = useText('blocks')
  // The built-in model is not asked for anything, so there is nothing to tell.
  if (provider.providerType === 'builtin') return null
  const Icon = marks[provider.state]
  return (
    <Icon
      role="img"
      aria-label={t(`models.state.${provider.state}`)}
      className={classNames('size-3.5 shrink-0', colours[provider.state])}
    />
  )
}
