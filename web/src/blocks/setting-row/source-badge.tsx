import { Badge } from '../../ui/badge.tsx'
import { useText } from 'virtual:words/setting-row'

/** Where the value of a setting of the instance comes from. */
export function SourceBadge({ setting }: { setting: { source: string; variable: string | null } }) {
  const t = useText('setting-row')
  if (setting.source === 'default') return <Badge>{t('source.default')}</Badge>
  if (setting.source === 'saved') return <Badge>{t('source.saved')}</Badge>
  if (setting.source === 'unreadable') return <Badge tone="warn">{t('source.unreadable')}</Badge>
  return <Badge tone="info">{t('source.environment', { variable: setting.variable ?? '' })}</Badge>
}
