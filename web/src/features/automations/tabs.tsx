import { Link } from '@tanstack/react-router'
import { classNames } from '../../lib/class-names.ts'
import { links } from '../../lib/links.ts'
import { useText } from 'virtual:words/automations'

const tabs = { automations: links.automations(), runs: links.automationRuns() }

/** The two pages of the area. */
export function Tabs({ shown }: { shown: keyof typeof tabs }) {
  const t = useText('automations')
  return (
    <nav aria-label={t('title')} className="flex gap-4 border-b border-line">
      {(Object.keys(tabs) as (keyof typeof tabs)[]).map((name) => (
        <Link
          key={name}
          to={tabs[name]}
          aria-current={name === shown ? 'page' : undefined}
          className={classNames(
            '-mb-px border-b-2 px-1 py-2 text-sm font-medium',
            name === shown ? 'border-accent text-ink' : 'border-transparent text-muted hover:text-ink',
          )}
        >
          {t(`tab.${name}`)}
        </Link>
      ))}
    </nav>
  )
}
