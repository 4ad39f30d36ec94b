import { Sparkles } from 'lucide-react'
import { useMemo } from 'react'
import { usePreferences } from '../../../../api/account.ts'
import type { TriggerSourceProps } from '../../../../blocks/composer/triggers/types.ts'
import { modelKey, useModels } from '../../../../blocks/models.ts'
import { chooseModel } from '../../open/choose-model.ts'
import { useThread } from '../../thread/context.ts'
import { useText } from 'virtual:words/chat-compose'

/** The models, lately used and starred ones first. Choosing one does what the picker does. */
export function ModelEntries({ show }: TriggerSourceProps) {
  const t = useText('chat-compose')
  const { chat, attempt } = useThread()
  const models = useModels()
  const preferences = usePreferences()
  const entries = useMemo(() => {
    const { recentModels, favouriteModels } = preferences
    const near = [...new Set([...recentModels, ...favouriteModels])]
    const all = (models?.items ?? []).map((model) => {
      const id = modelKey(model.selection)
      return {
        id,
        name: model.name,
        icon: Sparkles,
        hint: model.providerName,
        section: near.includes(id) ? t('trigger.nearModels') : t('trigger.allModels'),
        words: `${model.selection.model} ${model.providerName}`,
        choose: () => attempt(() => chooseModel(chat, preferences, model.selection)),
      }
    })
    const first = near.flatMap((key) => all.find(({ id }) => id === key) ?? [])
    return [...first, ...all.filter(({ id }) => !near.includes(id))]
  }, [models, preferences, chat, attempt, t])
  return show(entries)
}
