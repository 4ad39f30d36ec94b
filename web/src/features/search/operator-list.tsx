import { TextSearch } from 'lucide-react'
import { EmptyState } from '../../ui/empty-state.tsx'
import { useText } from 'virtual:words/search'

const operators = [
  { name: 'in', examples: ['in:chats', 'in:documents', 'in:gallery', 'in:artifacts', 'in:calendar'] },
  { name: 'from', examples: ['from:me', 'from:model'] },
  { name: 'has', examples: ['has:code', 'has:attachment', 'has:source', 'has:image'] },
  { name: 'is', examples: ['is:pinned', 'is:shared', 'is:archived'] },
  { name: 'tag', examples: ['tag:'] },
  {
    name: 'channels',
    examples: ['in:channels', '#team', '@anna', 'is:mention', 'has:link', 'has:file', 'has:pin', 'has:thread'],
  },
  { name: 'model', examples: ['model:'] },
  { name: 'time', examples: ['before:2026-11-01', 'after:2026-10-01'] },
] as const

/** The operators in one row, so that a list that is too long can be narrowed without knowing them. */
export function Filters({ onAdd }: { onAdd: (operator: string) => void }) {
  const t = useText('search')
  return (
    <div
      role="group"
      aria-label={t('operators')}
      className="-mt-1 flex flex-wrap gap-1.5 max-tab:flex-nowrap max-tab:overflow-x-auto max-tab:py-1 max-tab:*:shrink-0"
    >
      {operators
        .flatMap(({ examples }) => examples)
        .map((example) => (
          <Operator key={example} example={example} onAdd={onAdd} />
        ))}
    </div>
  )
}

/** The same with what each is for. */
export function Begin({ onAdd }: { onAdd: (operator: string) => void }) {
  const t = useText('search')
  return (
    <>
      <EmptyState icon={<TextSearch />} title={t('begin')}>
        {t('beginHint')}
      </EmptyState>
      <section aria-label={t('operators')} className="flex flex-col gap-2 text-sm">
        <h2 className="font-semibold">{t('operators')}</h2>
        <dl className="grid gap-x-4 gap-y-2 tab:grid-cols-[auto_1fr]">
          {operators.map(({ name, examples }) => (
            <div key={name} className="contents">
              <dt className="flex flex-wrap content-start items-start gap-1.5">
                {examples.map((example) => (
                  <Operator key={example} example={example} onAdd={onAdd} />
                ))}
              </dt>
              <dd className="m-0 self-center text-muted">{t(`operator.${name}`)}</dd>
            </div>
          ))}
        </dl>
      </section>
    </>
  )
}

function Operator({ example, onAdd }: { example: string; onAdd: (operator: string) => void }) {
  return (
    <button type="button" dir="ltr" onClick={() => onAdd(example)} className={`${operatorClasses} border-line`}>
      {example}
    </button>
  )
}

export const operatorClasses =
  'hit relative min-h-6 max-w-full rounded-md border bg-sunken px-1.5 pointer-coarse:min-h-9 pointer-coarse:px-2.5 font-mono text-xs hover:bg-hover'
