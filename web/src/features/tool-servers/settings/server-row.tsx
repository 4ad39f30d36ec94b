import type { ToolServer } from '@atrium/contract/tool-servers'
import { Link } from '@tanstack/react-router'
import { ChevronRight } from 'lucide-react'
import { links } from '../../../lib/links.ts'
import { Badge } from '../../../ui/badge.tsx'
import { useText } from 'virtual:words/tool-servers'
import { HealthBadge, HealthProblem } from './health.tsx'

/** One server in the list: where it is, who may use it, how it does, and what waits for an administrator. */
export function ServerRow({ server }: { server: ToolServer }) {
  const t = useText('tool-servers')
  const { id, name, enabled, toolCount, specRevision, details } = server
  return (
    <li className="border-b border-line py-3">
      <div className="flex items-start gap-3">
        <div className="min-w-0 flex-1">
          <p className="flex flex-wrap items-center gap-2 font-medium">
            <Link to={links.toolServer(id)} className="min-w-0 wrap-anywhere hover:underline">
              <bdi>{name}</bdi>
            </Link>
            {!enabled && <Badge>{t('off')}</Badge>}
            {enabled && <HealthBadge id={id} />}
            {(details?.changeCount ?? 0) > 0 && specRevision > 0 && (
              <Badge tone="warn">{t('changesWait', { count: details?.changeCount ?? 0 })}</Badge>
            )}
          </p>
          {details && (
            <p dir="ltr" className="truncate text-start font-mono text-xs text-muted">
              {details.baseUrl}
            </p>
          )}
          <p className="mt-0.5 text-sm text-muted">
            {specRevision === 0 ? t('neverAsked') : t('tools', { count: toolCount })}
            {details && ` · ${t(`access.short.${details.accessMode}`)}`}
          </p>
          {enabled && <HealthProblem id={id} />}
        </div>
        <Link
          to={links.toolServer(id)}
          aria-label={t('openNamed', { name })}
          className="hit grid size-control place-items-center rounded-md text-muted hover:bg-hover hover:text-ink"
        >
          <ChevronRight aria-hidden className="size-4" />
        </Link>
      </div>
    </li>
  )
}
