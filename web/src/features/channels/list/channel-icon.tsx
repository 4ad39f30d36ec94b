import type { Channel } from '@atrium/contract/channels'
import { Hash, Lock, UsersRound } from 'lucide-react'
import { PersonPicture } from '../../../blocks/presence/person-picture.tsx'
import { shownName } from '../names.ts'

/** A sign for a room, the picture of whom one talks with. */
export function ChannelIcon({ channel }: { channel: Pick<Channel, 'type' | 'people'> }) {
  const [other] = channel.people
  if (channel.type === 'dm' && other)
    return (
      <PersonPicture
        userId={other.id}
        name={shownName(other.name)}
        picture={other.avatar}
        className="size-5 text-2xs"
        says
      />
    )
  const Icon = channel.type === 'public' ? Hash : channel.type === 'private' ? Lock : UsersRound
  return (
    <span className="grid size-5 shrink-0 place-items-center text-muted">
      <Icon aria-hidden className="size-4" />
    </span>
  )
}
