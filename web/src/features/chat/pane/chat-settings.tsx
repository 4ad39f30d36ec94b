import { chatRoutes as routes, type ChatSettings } from '@atrium/contract/chat'
import type { GenerationOptions } from '@atrium/contract/generation'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { RotateCcw, Tag } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { useIsAdmin, usePreferences } from '../../../api/account.ts'
import { wordsOf } from '../../../api/errors.ts'
import { queryOf } from '../../../api/query.ts'
import { links } from '../../../lib/links.ts'
import { ownOptions } from '../../../blocks/models.ts'
import { Button } from '../../../ui/button.tsx'
import { Field } from '../../../ui/field.tsx'
import { TextArea } from '../../../ui/input.tsx'
import { Switch } from '../../../ui/switch.tsx'
import { toast } from '../../../ui/toaster.tsx'
import type { Conversation } from '../open/conversation.ts'
import { foldersQuery } from '../list/cache.ts'
import { askForTags } from '../list/windows.tsx'
import { saveSettings } from '../open/edit.ts'
import { isCreated, type OpenChat } from '../open/store.ts'
import { TagLinks } from '../tags/tag-links.tsx'
import { useText } from 'virtual:words/chat'
import 'virtual:words/chat-tags'
import { OptionFields } from './option-fields.tsx'

type Edit = (now: ChatSettings) => ChatSettings

/** The settings of one chat; whatever is left empty comes from the person's own. Saved while one types. */
export function ChatSettingsForm({ chat, conversation }: { chat: OpenChat; conversation: Conversation }) {
  const t = useText('chat')
  const preferences = usePreferences()
  const { settings, folderId, selection } = conversation.head
  const project = useQuery(foldersQuery).data?.items.find(({ id }) => id === folderId)
  const [shown, setShown] = useState<ChatSettings>(settings)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  // What was changed here and not sent yet, to be done to the settings as they stand then.
  const waiting = useRef<Edit | null>(null)

  useEffect(() => {
    // The composer or another tab may have changed them; what is being typed here stays.
    setShown(waiting.current ? waiting.current(settings) : settings)
  }, [settings])
  const flush = () => {
    clearTimeout(timer.current)
    const next = waiting.current
    waiting.current = null
    if (next) saveSettings(chat, next).catch((error: unknown) => toast(wordsOf(error), { tone: 'danger' }))
  }
  const latest = useRef(flush)
  useEffect(() => {
    latest.current = flush
  })
  useEffect(() => () => latest.current(), [])
  function change(edit: Edit) {
    const before = waiting.current
    setShown(edit(shown))
    waiting.current = before ? (now) => edit(before(now)) : edit
    clearTimeout(timer.current)
    timer.current = setTimeout(() => latest.current(), 600)
  }
  const setOption = <K extends keyof GenerationOptions>(name: K, value: GenerationOptions[K] | undefined) =>
    change((now) => {
      const { [name]: _, ...rest } = now.generationOptions ?? {}
      return { ...now, generationOptions: value === undefined ? rest : { ...rest, [name]: value } }
    })

  return (
    <div className="flex flex-col gap-5">
      {conversation.head.expiresAt === null && isCreated(chat) && <Tags chat={chat} names={conversation.head.tags} />}
      <Field
        label={t('settings.system')}
        hint={
          project
            ? t('settings.projectHint', { name: project.name })
            : shown.systemMessage
              ? undefined
              : t('settings.systemHint')
        }
      >
        <TextArea
          dir="auto"
          rows={4}
          maxRows={14}
          maxLength={20_000}
          placeholder={preferences.systemMessage || t('settings.systemNone')}
          value={shown.systemMessage ?? ''}
          onChange={({ target: { value } }) => change((now) => ({ ...now, systemMessage: value || null }))}
          onBlur={flush}
        />
      </Field>
      <OptionFields
        options={shown.generationOptions ?? {}}
        defaults={ownOptions(preferences, selection)}
        onSet={setOption}
      />
      <Compaction
        on={shown.compaction !== false}
        onChange={(on) => change((now) => ({ ...now, compaction: on ? undefined : false }))}
      />
      {Object.values(shown).some((value) => value !== undefined && value !== null) && (
        <Button
          tone="quiet"
          size="small"
          icon={<RotateCcw className="size-3.5" />}
          className="self-start"
          onClick={() => change(() => ({}))}
        >
          {t('settings.reset')}
        </Button>
      )}
    </div>
  )
}

function Tags({ chat, names }: { chat: OpenChat; names: readonly string[] }) {
  const t = useText('chat')
  return (
    <div className="flex flex-col items-start gap-2">
      <p className="text-sm font-medium">{t('chat-tags:title')}</p>
      {names.length > 0 && <TagLinks names={names} label={t('chat-tags:ofChat')} />}
      <Button size="small" icon={<Tag className="size-3.5" />} onClick={() => askForTags([chat.id])}>
        {t(names.length > 0 ? 'chat-tags:edit' : 'chat-tags:add')}
      </Button>
    </div>
  )
}

/** Whether this chat may be summarised. Where the server never does it, that is what stands here, whatever the chat wants. */
function Compaction({ on, onChange }: { on: boolean; onChange: (on: boolean) => void }) {
  const t = useText('chat')
  const admin = useIsAdmin()
  const policy = useQuery(queryOf(routes.contextPolicy))
  const isOff = policy.data?.compaction === false
  return (
    <div className="flex items-start gap-3">
      <div className="min-w-0 flex-1">
        <p id="compaction-label" className="text-sm font-medium">
          {t('settings.compaction')}
        </p>
        <p id="compaction-hint" className="text-xs text-muted">
          {t(isOff ? 'settings.compactionOff' : 'settings.compactionHint')}{' '}
          {isOff && admin && (
            <Link
              to={links.settings('instance', 'compaction')}
              className="font-medium text-accent-ink underline underline-offset-2"
            >
              {t('settings.compactionChange')}
            </Link>
          )}
        </p>
      </div>
      <Switch
        aria-labelledby="compaction-label"
        aria-describedby="compaction-hint"
        checked={on && !isOff}
        disabled={isOff}
        onChange={onChange}
      />
    </div>
  )
}
