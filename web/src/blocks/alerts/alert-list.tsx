/** The open alerts, oldest first. */
import { Link } from '@tanstack/react-router'
import { CircleAlert, TriangleAlert } from 'lucide-react'
import { formatDateTime } from '../../lib/format.ts'
import { links } from '../../lib/links.ts'
import { useAlerts } from './use-alerts.ts'
import { useText } from 'virtual:words/alerts'

/** Nothing where all is well, and while they are not known. `linked`: each leads to what can be done about it. */
export function AlertList({ linked = false }: { linked?: boolean }) {
  const t = useText('alerts')
  const items = useAlerts().data?.items ?? []
  if (items.length === 0) return null
  return (
    <section aria-label={t('title')} className="mt-4 rounded-md border border-line bg-raised px-3">
      <h2 className="pt-3 font-semibold">{t('title')}</h2>
      <ul className="divide-y divide-line">
        {items.map(({ id, host, status, message, since }) => (
          <li key={`${id} ${host}`} className="flex gap-3 py-3 text-sm [&_svg]:mt-0.5 [&_svg]:size-4 [&_svg]:shrink-0">
            {status === 'fail' ? (
              <CircleAlert aria-hidden className="text-danger-ink" />
            ) : (
              <TriangleAlert aria-hidden className="text-warn-ink" />
            )}
            <div className="min-w-0">
              {/* What was seen comes from the server, in the language of its log. */}
              <p lang="en" dir="ltr" className="[overflow-wrap:anywhere]">
                {message}
              </p>
              <p className="text-muted">
                {host === null
                  ? t('since', { time: formatDateTime(since) })
                  : t('sinceOn', { time: formatDateTime(since), host })}
                {linked && (
                  <>
                    {' · '}
                    <Link className="text-accent-ink underline" to={links.settings('doctor')} hash={id}>
                      {t('fix')}
                    </Link>
                  </>
                )}
              </p>
            </div>
          </li>
        ))}
      </ul>
    </section>
  )
}
