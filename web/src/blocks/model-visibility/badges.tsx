import type { ShownVisibility } from '@atrium/contract/local-runtime'
import { EyeOff, MessageSquarePlus, Star, Users } from 'lucide-react'
import { Badge } from '../../ui/badge.tsx'
import { isDefaultOf } from './change.ts'
import { useText } from 'virtual:words/model-visibility'

/** How a model is shown to everybody, in a word each. */
export function VisibilityBadges({ modelKey, visibility }: { modelKey: string; visibility: ShownVisibility }) {
  const t = useText('model-visibility')
  const groups = visibility.groups[modelKey]
  return (
    <>
      {isDefaultOf(visibility, modelKey) && (
        <Badge tone="accent" icon={<MessageSquarePlus />}>
          {t('isDefault')}
        </Badge>
      )}
      {visibility.starred.includes(modelKey) && (
        <Badge tone="info" icon={<Star />}>
          {t('starred')}
        </Badge>
      )}
      {visibility.hidden.includes(modelKey) && <Badge icon={<EyeOff />}>{t('hidden')}</Badge>}
      {groups && <Badge icon={<Users />}>{t('groups.badge', { count: groups.length })}</Badge>}
    </>
  )
}
