import { Link } from '@tanstack/react-router'
import { BookOpen, CalendarRange, ChartNoAxesColumn, ListTodo, Newspaper, Webhook } from 'lucide-react'
import { links } from '../../lib/links.ts'
import { useText } from 'virtual:words/automations'
import { type TemplateName, templateNames } from './drafts.ts'

const icons = {
  news: Newspaper,
  week: CalendarRange,
  words: BookOpen,
  tasks: ListTodo,
  recap: ChartNoAxesColumn,
  webhook: Webhook,
} as const satisfies Record<TemplateName, unknown>

/** Six automations to begin with. */
export function Templates() {
  const t = useText('automations')
  return (
    <section aria-labelledby="templates">
      <h2 id="templates" className="mb-2 text-sm font-semibold text-muted">
        {t('templates')}
      </h2>
      <ul className="grid gap-2 tab:grid-cols-2">
        {templateNames.map((name) => {
          const Icon = icons[name]
          return (
            <li
              key={name}
              className="relative flex gap-3 rounded-lg border border-line bg-raised p-3 hover:bg-hover has-focus-visible:outline-2 has-focus-visible:outline-ring"
            >
              <Icon aria-hidden className="mt-0.5 size-4 shrink-0 text-muted" />
              <div className="min-w-0">
                <Link
                  to={links.automation('new', name)}
                  className="font-medium outline-none after:absolute after:inset-0"
                >
                  {t(`template.${name}.name`)}
                </Link>
                <p className="text-sm text-muted">{t(`template.${name}.about`)}</p>
              </div>
            </li>
          )
        })}
      </ul>
    </section>
  )
}
