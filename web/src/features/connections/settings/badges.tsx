import type { Connection } from '@atrium/contract/connections'
import { KeyRound, LogIn, TriangleAlert, Users } from 'lucide-react'
import { Badge } from '../../../ui/badge.tsx'
import { useText } from 'virtual:words/connections'

/** Which key calls would carry, in a word or two. */
export function KeyBadge({ connection }: { connection: Connection }) {
  const t = useText('connections')
  switch (connection.keyState) {
    case 'saved':
      return (
        <Badge tone="ok" icon={<KeyRound />}>
          {t('key.stored')} {connection.keyEnding && <bdi dir="ltr">…{connection.keyEnding}</bdi>}
        </Badge>
      )
    case 'other-route':
      return (
        <Badge tone="warn" icon={<TriangleAlert />}>
          {t('key.otherRoute')}
        </Badge>
      )
    case 'shared':
      return (
        <Badge tone="info" icon={<KeyRound />}>
          {t('key.shared')}
        </Badge>
      )
    case 'environment':
      return <Badge tone="info">{t('key.environment')}</Badge>
    case 'sign-in':
      return (
        <Badge tone="info" icon={<LogIn />}>
          {t('key.signIn')}
        </Badge>
      )
    case 'missing':
      return <Badge tone="warn">{t('key.missing')}</Badge>
    case 'none-needed':
      return <Badge>{t('key.none')}</Badge>
  }
}

/** An administrator gave it to this account. */
export function SharedBadge() {
  const t = useText('connections')
  return (
    <Badge tone="info" icon={<Users />}>
      {t('shared')}
    </Badge>
  )
}

/** Where the definition comes from. */
export function SourceBadge({ source }: { source: Connection['source'] }) {
  const t = useText('connections')
  return <Badge tone={source === 'replacing' ? 'info' : 'plain'}>{t(`source.${source}`)}</Badge>
}
