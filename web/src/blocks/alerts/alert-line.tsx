/** What is wrong with the instance, for administrators: one line that leads to what can be done. */
import { Link } from '@tanstack/react-router'
import { TriangleAlert } from 'lucide-react'
import { links } from '../../lib/links.ts'
import { Button } from '../../ui/button.tsx'
import { useAlerts } from './use-alerts.ts'
import { useText } from 'virtual:words/alerts'

export function AlertLine() {
  const t = useText('alerts')
  const count = useAlerts().data?.items.length ?? 0
  if (count === 0) return null
  return (
    <div className="flex min-h-8 items-center justify-center gap-2.5 bg-warn-soft px-4 py-1 text-sm text-warn-ink [&_svg]:size-4">
      <TriangleAlert aria-hidden />
      <span>{t('line', { count })}</span>
      <Button size="small" asChild>
        <Link to={links.settings('overview')}>{t('look')}</Link>
      </Button>
    </div>
  )
}
