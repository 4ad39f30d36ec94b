import { useQuery } from '@tanstack/react-query'
import { Megaphone, UserRound } from 'lucide-react'
import { useMemo } from 'react'
import type { TriggerSourceProps } from '../../../blocks/composer/triggers/types.ts'
import { everyMember } from '../data/members.ts'
import { handleOf, shownName } from '../names.ts'
import { isDirect } from '../rules.ts'
import { useChannel } from '../timeline/context.ts'
import { useText } from 'virtual:words/channels'

const nothing = () => undefined

/** The people of the channel, and all of them at once where one may. */
export function MentionEntries({ show }: TriggerSourceProps) {
  const t = useText('channels')
  const { channel, me } = useChannel()
  const members = useQuery(everyMember(channel.id)).data
  const entries = useMemo(() => {
    const people = (members ?? []).filter(({ user }) => user.id !== me.id)
    const mayCall = !isDirect(channel) && (channel.calling === 'members' || channel.role !== 'member')
    return [
      ...people.map(({ user }) => ({
        id: user.id,
        name: shownName(user.name),
        icon: UserRound,
        hint: `@${handleOf(user.name)}`,
        words: user.name,
        section: t('trigger.members'),
        inserts: `@${handleOf(user.name)} `,
        choose: nothing,
      })),
      ...(mayCall
        ? [
            {
              id: 'channel',
              name: '@channel',
              icon: Megaphone,
              hint: t('trigger.everyone'),
              section: t('trigger.groupCalls'),
              words: 'all everyone',
              inserts: '@channel ',
              choose: nothing,
            },
          ]
        : []),
    ]
  }, [members, me.id, channel, t])
  return show(entries)
}
