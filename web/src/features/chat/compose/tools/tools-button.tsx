import type { Chat, ChatSettings } from '@atrium/contract/chat'
import type { Answer } from '@atrium/contract/route'
import { toolsRoutes } from '@atrium/contract/tools'
import { Link } from '@tanstack/react-router'
import { ShieldQuestionMark, Wrench } from 'lucide-react'
import { useState } from 'react'
import { onAccountEvent } from '../../../../api/account-events.ts'
import { refresh } from '../../../../api/query.ts'
import { findModel, useModels } from '../../../../blocks/models.ts'
import { ToolIcon, toolName } from '../../../../blocks/tool-calls/tool-words.tsx'
import { useIsAdmin } from '../../../../api/account.ts'
import { useAction } from '../../../../lib/actions.ts'
import { classNames } from '../../../../lib/class-names.ts'
import { links } from '../../../../lib/links.ts'
import { CheckField } from '../../../../ui/check-field.tsx'
import { Popover } from '../../../../ui/popover.tsx'
import { SegmentedControl } from '../../../../ui/segmented-control.tsx'
import { useText as useToolWords } from 'virtual:words/tool-calls'
import { useText } from 'virtual:words/chat-compose-tools'
import { saveSettings } from '../../open/edit.ts'
import type { OpenChat } from '../../open/store.ts'
import { useThread } from '../../thread/context.ts'
import { forceTools, useToolsForced } from './forced-tools.ts'
import { asksFirst, isPicked, picksOf, toggleAskFirst, togglePick, type ToolPick } from './tool-picks.ts'

type Choice = 'off' | 'auto' | 'force'
const choices: readonly Choice[] = ['off', 'auto', 'force']

onAccountEvent('tools-changed', () => void refresh(toolsRoutes.catalog))
onAccountEvent('tool-servers-changed', () => void refresh(toolsRoutes.catalog))

/** The wrench: whether the model uses tools, which of them, and whether it must for the next message. */
export function ToolsButton({
  chat,
  selection,
  settings: { tools },
  catalog,
}: {
  chat: OpenChat
  /** The model that will be asked. */
  selection: Chat['selection']
  settings: ChatSettings
  catalog: Answer<typeof toolsRoutes.catalog>
}) {
  const t = useText('chat-compose-tools')
  const { attempt } = useThread()
  const models = useModels()
  const isForced = useToolsForced(chat.id)
  const model = findModel(models, selection)
  // Of models of other providers nobody knows what they can't do.
  const isAble = !model || selection?.providerType !== 'local' || model.features.includes('tools')
  const picks = picksOf(catalog.tools)
  const chosen = picks.filter(({ id }) => isPicked(tools, id)).length
  const choice: Choice = tools?.choice === 'off' ? 'off' : isForced ? 'force' : 'auto'
  const label = isAble ? t(`label.${choice}`, { chosen, all: picks.length }) : t('label.unable')
  const choose = (next: Choice): void => {
    forceTools(chat.id, next === 'force')
    const isOff = next === 'off'
    if (isOff === (tools?.choice === 'off')) return
    attempt(() => saveSettings(chat, (now) => ({ ...now, tools: { ...now.tools, choice: isOff ? 'off' : 'auto' } })))
  }
  const toggle = (id: string, on: boolean): void =>
    attempt(() => saveSettings(chat, (now) => ({ ...now, tools: togglePick(now.tools, picks, id, on) })))
  const toggleAsk = (id: string, on: boolean): void =>
    attempt(() => saveSettings(chat, (now) => ({ ...now, tools: toggleAskFirst(now.tools, picks, id, on) })))
  const [open, setOpen] = useState(false)
  useAction('chat.tools', () => setOpen(true))
  return (
    <Popover
      label={t('title')}
      open={open}
      onOpenChange={setOpen}
      side="top"
      className="w-80"
      trigger={
        <button
          type="button"
          aria-label={label}
          title={label}
          className={classNames(
            'hit flex h-control items-center gap-1.5 rounded-md px-2 text-sm',
            choice === 'force' && isAble
              ? 'bg-accent-soft text-accent-ink'
              : 'text-muted hover:bg-hover hover:text-ink',
            (choice === 'off' || !isAble) && 'opacity-70',
          )}
        >
          <Wrench aria-hidden className="size-4" />
          {choice === 'force' && isAble && <span className="max-tab:sr-only">{t('word.force')}</span>}
        </button>
      }
    >
      <h2 className="mb-2 font-medium">{t('title')}</h2>
      {!isAble && <p className="mb-2 text-sm text-warn-ink">{t('unable', { name: model?.name ?? '' })}</p>}
      <SegmentedControl
        label={t('title')}
        value={choice}
        onChange={choose}
        options={choices.map((value) => ({ value, label: t(`choice.${value}`) }))}
      />
      <p className="mt-1.5 text-sm text-muted">{t(`help.${choice}`)}</p>
      {choice !== 'off' && (
        <fieldset className="mt-3 flex max-h-72 flex-col gap-2 overflow-y-auto">
          <legend className="sr-only">{t('which')}</legend>
          {picks.map((pick) => (
            <Pick
              key={pick.id}
              pick={pick}
              checked={isPicked(tools, pick.id)}
              asks={asksFirst(tools, pick.id)}
              onChange={(on) => toggle(pick.id, on)}
              onAsk={(on) => toggleAsk(pick.id, on)}
            />
          ))}
        </fieldset>
      )}
      <Notes notes={catalog.notes} />
      <Settings />
    </Popover>
  )
}

function Pick({
  pick,
  checked,
  asks,
  onChange,
  onAsk,
}: {
  pick: ToolPick
  checked: boolean
  /** In this chat, whatever holds elsewhere. */
  asks: boolean
  onChange: (on: boolean) => void
  onAsk: (on: boolean) => void
}) {
  const t = useText('chat-compose-tools')
  const words = useToolWords('tool-calls')
  const { tool, count } = pick
  const isServer = tool.serverId !== null
  const name = isServer ? (tool.serverName ?? '') : toolName(words, tool)
  const askLabel = t('askFirst', { name })
  return (
    <div className="flex items-center justify-between gap-2">
      <CheckField
        label={
          <span className="inline-flex min-w-0 items-center gap-2">
            <ToolIcon tool={tool} className="size-4 shrink-0 text-muted" />
            <bdi className="wrap-anywhere">{name}</bdi>
            {isServer && <span className="text-sm text-muted">{t('tools', { count })}</span>}
            {(asks || (!isServer && tool.mode === 'ask')) && <span className="text-sm text-muted">{t('asks')}</span>}
          </span>
        }
        checked={checked}
        onChange={onChange}
      />
      {checked && (isServer || tool.mode === 'allow') && (
        <button
          type="button"
          aria-label={askLabel}
          aria-pressed={asks}
          title={askLabel}
          onClick={() => onAsk(!asks)}
          className="hit grid size-7 shrink-0 place-items-center rounded-md text-muted hover:bg-hover hover:text-ink aria-pressed:bg-accent-soft aria-pressed:text-accent-ink"
        >
          <ShieldQuestionMark aria-hidden className="size-4" />
        </button>
      )}
    </div>
  )
}

/** What is wrong with servers, as the server says it. */
function Notes({ notes }: { notes: readonly string[] }) {
  if (notes.length === 0) return null
  return (
    <ul className="mt-3 flex flex-col gap-1 text-sm text-warn-ink">
      {notes.map((note) => (
        <li key={note} dir="auto" className="wrap-anywhere">
          {note}
        </li>
      ))}
    </ul>
  )
}

/** Where it is decided about them for all chats. */
function Settings() {
  const t = useText('chat-compose-tools')
  const isAdmin = useIsAdmin()
  return (
    <Link
      to={links.settings(isAdmin ? 'tool-access' : 'tools')}
      className="mt-3 block text-sm text-accent-ink hover:underline"
    >
      {t(isAdmin ? 'settings' : 'ownSettings')}
    </Link>
  )
}
