import { mostFileBytes, mostMessageFiles, mostMessageLetters, mostModels } from '@atrium/contract/channels'
import { ArrowUp, AtSign, Paperclip, Smile } from 'lucide-react'
import {
  type ClipboardEvent,
  type DragEvent,
  type KeyboardEvent,
  lazy,
  type ReactNode,
  Suspense,
  useEffect,
  useRef,
  useState,
} from 'react'
import { useStore } from 'zustand'
import { usePreferences } from '../../../api/account.ts'
import { insertAtCaret } from '../../../blocks/composer/insert-at-caret.ts'
import { namePasted } from '../../../blocks/composer/paste/name-pasted.ts'
import type { Trigger } from '../../../blocks/composer/triggers/types.ts'
import { prepareTriggers, useTrigger } from '../../../blocks/composer/triggers/use-trigger.tsx'
import { isComposing } from '../../../lib/composing.ts'
import { formatNumber, formatSize } from '../../../lib/format.ts'
import { useTouch } from '../../../lib/media.ts'
import { DropCard, useFileDrop } from '../../../ui/file-drop.tsx'
import { FilePicker } from '../../../ui/file-picker.tsx'
import { IconButton } from '../../../ui/icon-button.tsx'
import { Popover } from '../../../ui/popover.tsx'
import { toast } from '../../../ui/toaster.tsx'
import { useText } from 'virtual:words/channels'
import type { ChannelDraft } from './draft.ts'
import { DraftContext } from './draft-context.ts'
import { FileChips } from './file-chips.tsx'
import { ModelChips } from './model-chips.tsx'
import { useCalls } from './use-calls.tsx'

const EmojiPicker = lazy(() => import('../emoji/picker.tsx').then((module) => ({ default: module.EmojiPicker })))

const triggers: readonly Trigger[] = [
  {
    sign: '@',
    label: 'channels:trigger.people',
    Source: lazy(() => import('./mention-entries.tsx').then((module) => ({ default: module.MentionEntries }))),
  },
]

/** Where messages are written: in the channel, or in a thread of it. */
export function ChannelComposer({
  draft,
  id,
  label,
  placeholder,
  wholeWindow,
  autoFocus,
  later,
  onSend,
  onEditLast,
}: {
  draft: ChannelDraft
  /** Of the text area. */
  id: string
  label: string
  placeholder: string
  /** Takes what is dropped anywhere on the window, not on itself alone. */
  wholeWindow: boolean
  autoFocus?: boolean
  /** Stands beside the button that sends. */
  later?: ReactNode
  onSend: () => void
  /** Up arrow in the empty box. */
  onEditLast: () => void
}) {
  const t = useText('channels')
  const { sendKey } = usePreferences().chat
  const touch = useTouch()
  const { content, files, models } = useStore(draft.store)
  const area = useRef<HTMLTextAreaElement>(null)
  const picker = useRef<HTMLInputElement>(null)
  const [choosing, setChoosing] = useState(false)
  const trigger = useTrigger(area, draft, triggers)
  const writes = content !== ''
  useEffect(() => {
    if (writes) prepareTriggers()
  }, [writes])

  const over = content.trim().length - mostMessageLetters
  const isUploading = files.some(({ state }) => state === 'uploading')
  const hasSomething = content.trim() !== '' || files.some(({ state }) => state === 'ready')
  const reason = !hasSomething
    ? t('composer.empty')
    : over > 0
      ? t('composer.tooLong', { over: formatNumber(over) })
      : isUploading
        ? t('composer.waitForFiles')
        : models.length > mostModels
          ? t('composer.tooManyModels')
          : null

  const calls = useCalls(onSend)
  function send() {
    if (reason === null) calls.send(content)
    area.current?.focus()
  }
  function attach(given: readonly File[]) {
    const room = mostMessageFiles - draft.store.getState().files.length
    if (given.length > room) toast(t('composer.tooManyFiles', { most: mostMessageFiles }), { tone: 'danger' })
    draft.attach(given.slice(0, Math.max(0, room)))
  }
  function onKeyDown(event: KeyboardEvent<HTMLTextAreaElement>) {
    // Enter belongs to the input method while it composes.
    if (isComposing(event.nativeEvent)) return
    if (trigger.onKeyDown(event)) {
      event.preventDefault()
      return event.stopPropagation()
    }
    const mod = event.metaKey || event.ctrlKey
    if (event.key === 'ArrowUp' && content === '' && !mod && !event.shiftKey && !event.altKey) {
      event.preventDefault()
      return onEditLast()
    }
    if (event.key !== 'Enter' || event.shiftKey || event.altKey) return
    if (mod || (sendKey === 'enter' && !touch)) {
      event.preventDefault()
      send()
    }
  }
  function onPaste(event: ClipboardEvent<HTMLTextAreaElement>) {
    const pasted = [...event.clipboardData.files]
    // Programs that copy a table offer a picture of it as well; the text is what was meant.
    if (pasted.length === 0 || event.clipboardData.getData('text/plain') !== '') return
    event.preventDefault()
    attach(pasted.map(namePasted))
  }
  function onDrop(event: DragEvent) {
    if (event.dataTransfer.files.length === 0) return
    event.preventDefault()
    attach([...event.dataTransfer.files])
  }

  return (
    <div
      data-composer
      onDrop={onDrop}
      className="relative flex flex-col rounded-xl border border-line-strong/60 bg-raised shadow-low transition-colors focus-within:border-accent-line"
    >
      {wholeWindow && <DropTarget onFiles={attach} />}
      <FilePicker picker={picker} accept="" onFiles={attach} />
      <ModelChips models={models} draft={draft} />
      <FileChips files={files} draft={draft} />
      <textarea
        ref={area}
        id={id}
        rows={1}
        dir="auto"
        aria-label={label}
        placeholder={placeholder}
        value={content}
        enterKeyHint={touch ? 'enter' : 'send'}
        autoFocus={autoFocus}
        aria-autocomplete="list"
        {...trigger.field}
        onChange={(event) => {
          draft.type(event.target.value)
          trigger.look(event.target)
        }}
        onKeyDown={onKeyDown}
        onPaste={onPaste}
        className="field-sizing-content max-h-[calc(12*1.5rem+1.25rem)] min-h-11 w-full resize-none bg-transparent px-4 pt-3 pb-1 text-md outline-none!"
      />
      {calls.window}
      <DraftContext value={draft}>{trigger.list}</DraftContext>
      <div className="flex items-center gap-1 px-2 pb-2">
        <IconButton
          label={t('composer.attach')}
          icon={<Paperclip />}
          tooltipSide="top"
          onClick={() => picker.current?.click()}
        />
        <Popover
          label={t('composer.emoji')}
          side="top"
          className="p-0!"
          open={choosing}
          onOpenChange={setChoosing}
          trigger={<IconButton label={t('composer.emoji')} icon={<Smile />} tooltipSide="top" />}
        >
          <Suspense>
            <EmojiPicker
              onPick={(emoji) => {
                setChoosing(false)
                insertAtCaret(area.current, draft, emoji)
                area.current?.focus()
              }}
            />
          </Suspense>
        </Popover>
        <IconButton
          label={t('composer.mention')}
          keys="@"
          icon={<AtSign />}
          tooltipSide="top"
          onClick={() => trigger.begin('@')}
        />
        <span className="flex-1" />
        {over > 0 && (
          <span className="text-sm text-danger-ink">{t('composer.tooLong', { over: formatNumber(over) })}</span>
        )}
        {later}
        <IconButton
          label={reason ?? t('composer.send')}
          keys={sendKey === 'enter' ? 'Enter' : 'Mod+Enter'}
          icon={<ArrowUp />}
          tone="primary"
          tooltipSide="top"
          aria-disabled={reason !== null || undefined}
          onClick={send}
          className="rounded-lg aria-disabled:opacity-45"
        />
      </div>
    </div>
  )
}

function DropTarget({ onFiles }: { onFiles: (files: readonly File[]) => void }) {
  const t = useText('channels')
  const over = useFileDrop((transfer) => onFiles([...transfer.files]))
  if (!over) return null
  return (
    <DropCard title={t('composer.drop')}>
      <p className="text-muted">
        {t('composer.dropHint', { most: mostMessageFiles, size: formatSize(mostFileBytes) })}
      </p>
    </DropCard>
  )
}
