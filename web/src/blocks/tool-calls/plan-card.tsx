import type { ToolCall } from '@atrium/contract/generation'
import { Check, CircleDashed, ListChecks } from 'lucide-react'
import { useText } from 'virtual:words/tool-calls'

/** What is to be done, and how far it is. */
export function PlanCard({ steps }: { steps: NonNullable<ToolCall['steps']> }) {
  const t = useText('tool-calls')
  const done = steps.filter(({ state }) => state === 'done').length
  return (
    <section className="rounded-lg border border-line bg-sunken px-3 py-2 text-sm">
      <h4 className="flex items-center gap-2 font-medium">
        <ListChecks aria-hidden className="size-3.5 text-muted" />
        {t('plan', { done, count: steps.length })}
      </h4>
      <ul className="mt-1.5 flex flex-col gap-1">
        {steps.map(({ text, state }, index) => (
          // Steps have no id; they are told anew as a whole.
          // biome-ignore lint/suspicious/noArrayIndexKey: the place is what a step is known by
          <li key={index} className="flex items-start gap-2 [&_svg]:mt-0.5 [&_svg]:size-3.5 [&_svg]:shrink-0">
            {state === 'done' ? (
              <Check role="img" aria-label={t('step.done')} className="text-ok-ink" />
            ) : (
              <CircleDashed
                role="img"
                aria-label={t(`step.${state}`)}
                className={state === 'running' ? 'text-accent-ink' : 'text-muted'}
              />
            )}
            <span dir="auto" className={state === 'done' ? 'text-muted' : undefined}>
              {text}
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}
