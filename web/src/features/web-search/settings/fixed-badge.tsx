import { Badge } from '../../../ui/badge.tsx'
import { useText } from 'virtual:words/web-search'

/** Says that the environment decides, so that nobody looks for the way to change it here. */
export function FixedBadge() {
  return <Badge tone="info">{useText('web-search')('fromEnvironment')}</Badge>
}
