import { useQuery } from '@tanstack/react-query'
import { accessRoutes } from '@atrium/contract/access'
import { groupHandle } from '@atrium/contract/group-handle'
import { Megaphone, Radio, Sparkles, UserRound, UsersRound } from 'lucide-react'
import { useMemo } from 'react'
import { usePreferences } from '../../../api/account.ts'
import type { TriggerEntry, TriggerSourceProps } from '../../../blocks/composer/triggers/types.ts'
import { modelKey, useModels } from '../../../blocks/models.ts'
import { queryOf } from '../../../api/query.ts'
import { everyMember } from '../data/members.ts'
import { handleOf, shownName } from '../names.ts'
import { isDirect } from '../rules.ts'
import { useChannel } from '../timeline/context.ts'
import { useText } from 'virtual:words/channels'
import { useDraft } from './draft-context.ts'

const nothing = () => undefined

/** The people of the channel, all of them at once where one may, and the models that answer there. */
export function MentionEntries({ show }: TriggerSourceProps) {
  const t = useText('channels')
  const { channel, me } = useChannel()
  const members = useQuery(everyMember(channel.id)).data
  const models = useModelEntries()
  const mayCall = !isDirect(channel) && (channel.calling === 'members' || channel.role !== 'member')
  const groups = useQuery({
    ...queryOf(accessRoutes.principalGroups, { query: { limit: 200 } }),
    enabled: mayCall,
  }).data
  const entries = useMemo(() => {
    const people = (members ?? []).filter(({ user }) => user.id !== me.id)
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
            {
              id: 'here',
              name: '@here',
              icon: Radio,
              hint: t('trigger.here'),
              section: t('trigger.groupCalls'),
              words: 'present online active',
              inserts: '@here ',
              choose: nothing,
            },
            ...(groups?.items ?? []).flatMap(({ id, name }) => {
              const handle = groupHandle(name)
              if (handle === '') return []
              return {
                id: `group-${id}`,
                name,
                icon: UsersRound,
                hint: `@${handle}`,
                words: `${name} ${handle}`,
                section: t('trigger.groups'),
                inserts: `@${handle} `,
                choose: nothing,
              }
            }),
          ]
        : []),
      ...models,
    ]
  }, [members, groups, mayCall, me.id, models, t])
  return show(entries)
}

/** The models, lately used ones first; choosing one has it answer. */
function useModelEntries(): TriggerEntry[] {
  const t = useText('channels')
  const draft = useDraft()
  const models = useModels()
  const { recentModels } = usePreferences()
  return useMemo(() => {
    const all = (models?.items ?? [])
      // Agents work in folders of whoever asks, and excerpts come from their files.
      .filter(({ selection: { providerType } }) => providerType === 'local' || providerType === 'plugin')
      .map(({ selection, name, providerName }) => ({
        id: modelKey(selection),
        name,
        icon: Sparkles,
        hint: providerName,
        words: `${selection.model} ${providerName}`,
        section: t('trigger.models'),
        choose: () => draft.pickModel({ selection, name }),
      }))
    const recent = recentModels.flatMap((key) => all.find(({ id }) => id === key) ?? [])
    return [...recent, ...all.filter((one) => !recent.includes(one))]
  }, [models, recentModels, draft, t])
}
