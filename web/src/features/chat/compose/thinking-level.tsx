import type { ChatSettings } from '@atrium/contract/chat'
import type { Selection } from '@atrium/contract/common'
import { Brain } from 'lucide-react'
import { usePreferences } from '../../../api/account.ts'
import { findModel, ownOptions, useModels } from '../../../blocks/models.ts'
import { Menu, MenuChoice, MenuLabel } from '../../../ui/menu.tsx'
import { saveSettings } from '../open/edit.ts'
import type { OpenChat } from '../open/store.ts'
import { useThread } from '../thread/context.ts'
import { useText } from 'virtual:words/chat-compose'

type Level = 'default' | 'off' | 'on' | 'low' | 'medium' | 'high'
const levels: readonly Level[] = ['default', 'off', 'on', 'low', 'medium', 'high']

/** How much the model thinks before it answers; only where it can. */
export function ThinkingLevel({
  chat,
  selection,
  settings,
}: {
  chat: OpenChat
  /** The model that will be asked. */
  selection: Selection | null
  settings: ChatSettings
}) {
  const t = useText('chat-compose')
  const { attempt } = useThread()
  const models = useModels()
  const defaults = ownOptions(usePreferences(), selection)
  if (!findModel(models, selection)?.features.includes('thinking')) return null
  const options = settings.generationOptions ?? {}
  const level = levelOf(options.think)
  const shown = level === 'default' ? levelOf(defaults.think) : level
  const label = t('thinkingLevel.label', { level: t(`thinkingLevel.${shown}`).toLocaleLowerCase() })
  const choose = (next: string) => {
    const think = thinkOf(next as Level)
    attempt(() =>
      saveSettings(chat, (now) => {
        const { think: _, ...rest } = now.generationOptions ?? {}
        return { ...now, generationOptions: think === undefined ? rest : { ...rest, think } }
      }),
    )
  }
  return (
    <Menu
      align="start"
      side="top"
      trigger={
        <button
          type="button"
          aria-label={label}
          className="hit flex h-control items-center gap-1.5 rounded-md px-2 text-sm text-muted hover:bg-hover hover:text-ink"
        >
          <Brain aria-hidden className="size-4" />
          <span className="max-tab:sr-only">{label}</span>
        </button>
      }
    >
      <MenuLabel>{t('thinkingLevel.title')}</MenuLabel>
      <MenuChoice
        value={level}
        onChange={choose}
        options={levels.map((value) => ({ value, label: t(`thinkingLevel.${value}`) }))}
      />
    </Menu>
  )
}

export const levelOf = (think: boolean | 'low' | 'medium' | 'high' | undefined): Level =>
  think === undefined ? 'default' : think === true ? 'on' : think === false ? 'off' : think

export const thinkOf = (level: Level): boolean | 'low' | 'medium' | 'high' | undefined =>
  level === 'default' ? undefined : level === 'on' ? true : level === 'off' ? false : level
