import type { Capability, Connection } from '@atrium/contract/connections'
import {
  AudioLines,
  Binary,
  Image,
  KeyRound,
  LogIn,
  type LucideIcon,
  MessageSquare,
  Mic,
  TriangleAlert,
  Video,
  Volume2,
} from 'lucide-react'
import { Badge } from '../../../ui/badge.tsx'
import { Tooltip } from '../../../ui/tooltip.tsx'
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

const icons: Record<Capability, LucideIcon> = {
  chat: MessageSquare,
  embedding: Binary,
  image: Image,
  tts: Volume2,
  stt: Mic,
  audio: AudioLines,
  video: Video,
}

/** What a provider can do, as a small sign with its word for pointers and screen readers. */
export function CapabilityIcon({ kind }: { kind: Capability }) {
  const t = useText('connections')
  const Icon = icons[kind]
  const word = t(`capability.${kind}`)
  return (
    <Tooltip text={word}>
      <span role="img" aria-label={word} className="text-muted">
        <Icon aria-hidden className="size-4" />
      </span>
    </Tooltip>
  )
}

/** Where the definition comes from. */
export function SourceBadge({ source }: { source: Connection['source'] }) {
  const t = useText('connections')
  return <Badge tone={source === 'replacing' ? 'info' : 'plain'}>{t(`source.${source}`)}</Badge>
}
