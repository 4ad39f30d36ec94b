import { Link } from '@tanstack/react-router'
import { links } from '../../lib/links.ts'
import { useText } from 'virtual:words/access'

/** The head of the pages about sharing, with the way to the others. */
export function SharedHeader({ title, note }: { title: string; note: string }) {
  const t = useText('access')
  const look = 'rounded-md px-3 py-1.5 text-muted hover:bg-hover'
  const current = { className: 'rounded-md px-3 py-1.5 bg-accent-soft font-medium text-accent-ink' }
  return (
    <header>
      <h1 className="text-xl font-semibold tracking-tight">{title}</h1>
      <p className="text-muted">{note}</p>
      <nav aria-label={t('pages')} className="mt-3 flex flex-wrap gap-1">
        {[
          [links.shared(), t('title')],
          [links.sharedByMe(), t('byMe.title')],
          [links.transfers(), t('transfers.title')],
        ].map(([to, name]) => (
          <Link
            key={to}
            to={to}
            activeOptions={{ exact: true }}
            activeProps={current}
            inactiveProps={{ className: look }}
          >
            {name}
          </Link>
        ))}
      </nav>
    </header>
  )
}
