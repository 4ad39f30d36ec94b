import { Minus, PenLine, Plus } from 'lucide-react'
import { classNames } from '../../../lib/class-names.ts'
import type { DefinitionChange } from './difference.ts'
import { useText } from 'virtual:words/connections'

const icons = { added: Plus, removed: Minus, changed: PenLine } as const
const colours = { added: 'text-ok-ink', removed: 'text-danger-ink', changed: 'text-warn-ink' } as const

/** Changes one below the other: where, what stood there, what will. */
export function DifferenceView({ changes }: { changes: readonly DefinitionChange[] }) {
  const t = useText('connections')
  return (
    // Scrolled by keys, too, also where the browser does not see to it.
    <section
      aria-label={t('import.changes')}
      tabIndex={0}
      className="relative max-h-80 overflow-y-auto rounded-lg border border-line bg-raised text-sm"
    >
      <ul aria-label={t('import.changes')} className="divide-y divide-line">
        {changes.map((change) => {
          const Icon = icons[change.kind]
          return (
            <li key={change.path} className="flex items-start gap-2.5 px-3 py-2">
              <Icon aria-hidden className={classNames('mt-0.75 size-3.5 shrink-0', colours[change.kind])} />
              <div className="min-w-0 flex-1">
                <p>
                  <span className={classNames('font-medium', colours[change.kind])}>
                    {t(`import.change.${change.kind}`)}
                  </span>{' '}
                  <bdi dir="ltr" className="font-mono text-xs break-all">
                    {change.path}
                  </bdi>
                </p>
                {change.kind === 'changed' ? (
                  <>
                    <Value mark="−" label={t('import.was')} text={change.before} className="bg-danger-soft" />
                    <Value mark="+" label={t('import.becomes')} text={change.after} className="bg-ok-soft" />
                  </>
                ) : (
                  !change.path.endsWith(change.value) && (
                    <Value
                      mark={change.kind === 'added' ? '+' : '−'}
                      label={t(`import.change.${change.kind}`)}
                      text={change.value}
                      className={change.kind === 'added' ? 'bg-ok-soft' : 'bg-danger-soft'}
                    />
                  )
                )}
              </div>
            </li>
          )
        })}
      </ul>
    </section>
  )
}

function Value({ mark, label, text, className }: { mark: string; label: string; text: string; className: string }) {
  return (
    <p
      dir="ltr"
      className={classNames(
        'mt-1 line-clamp-6 rounded-sm px-2 py-0.5 text-start font-mono text-xs break-all',
        className,
      )}
    >
      <span className="sr-only">{label}: </span>
      <span aria-hidden>{mark} </span>
      {text}
    </p>
  )
}
