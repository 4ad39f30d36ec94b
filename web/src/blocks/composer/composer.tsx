import { ArrowUp, ListPlus, Maximize2, Minimize2, Square } from 'lucide-react'
import {
  type ClipboardEvent,
  type KeyboardEvent,
  lazy,
  type ReactNode,
  Suspense,
  useEffect,
  useRef,
  useState,
} from 'react'
import { useStore } from 'zustand'
import { usePreferences } from '../../api/account.ts'
import { isComposing } from '../../lib/composing.ts'
import { classNames } from '../../lib/class-names.ts'
import { useTouch } from '../../lib/media.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import { Spinner } from '../../ui/spinner.tsx'
import { useText } from 'virtual:words/blocks'
import { DictationButton } from '../dictation/dictation-button.tsx'
import type { TalkingChat } from '../voice-mode/state.ts'
import { TalkButton } from '../voice-mode/talk-button.tsx'
import { Chips } from './chips.tsx'
import type { DraftBox } from './draft.ts'
import { isLongPaste } from './draft-rules.ts'
import { DropTarget } from './drop.tsx'
import { insertAtCaret } from './insert-at-caret.ts'
import { namePasted } from './paste/name-pasted.ts'
import type { PasteContent } from './paste/paste-offer.tsx'
import { pastedAddress, tableToCsv } from './paste/paste-rules.ts'
import { readTable } from './paste/read-table.ts'
import { PlusMenu } from './plus-menu.tsx'
import { roomBelow, withQuotes } from './quotes.ts'
import type { Trigger } from './triggers/types.ts'
import { prepareTriggers, useTrigger } from './triggers/use-trigger.tsx'
import { useSend } from './use-send.ts'

export interface ComposerProps {
  draft: DraftBox
  label: string
  placeholder: string
  /** An answer is being written: sending queues, and the button stops while the box is empty. */
  running: boolean
  stopping?: boolean
  /** Why nothing can be sent just now, in words. */
  blocked?: string | null
  onSend: () => void
  onStop: () => void
  /** The chat, for whoever talks with it. */
  onTalk: () => TalkingChat
  /** Up arrow in the empty box. */
  onEditLast?: () => void
  /** Shows all documents of the chat. */
  onOpenDocuments?: () => void
  /** Up to so many tokens the documents of the chat go whole with a question; absent: nothing goes whole. */
  wholeTokens?: number
  /** Between the buttons of the lower row. */
  tools?: ReactNode
  /** Above the text, inside the box. */
  above?: ReactNode
  autoFocus?: boolean
  /** Signs that open a list while one writes. The same value each time. */
  triggers?: readonly Trigger[]
}

const PasteOffer = lazy(() => import('./paste/paste-offer.tsx').then((module) => ({ default: module.PasteOffer })))
const noTriggers: readonly Trigger[] = []

/** Where questions are written. */
export function Composer(props: ComposerProps) {
  const { draft, running, onSend, onStop } = props
  const t = useText('blocks')
  const preferences = usePreferences().chat
  const touch = useTouch()
  const { content, quotes, chips } = useStore(draft.store)
  const [tall, setTall] = useState(false)
  const area = useRef<HTMLTextAreaElement>(null)
  const [pasted, setPasted] = useState<PasteContent | null>(null)
  const inline = useRef(false)
  const trigger = useTrigger(area, draft, props.triggers ?? noTriggers)
  const writes = content !== ''
  useEffect(() => {
    if (writes) prepareTriggers()
  }, [writes])

  const something = content.trim() !== '' || quotes.length > 0 || chips.some((chip) => chip.attachment)
  const reason = something ? (props.blocked ?? null) : t('composer.empty')
  const { isUploading, isWaiting, send, keep } = useSend(
    { content: withQuotes(content, quotes), chips, reason },
    () => {
      setTall(false)
      setPasted(null)
      onSend()
    },
  )
  const sendWords = isWaiting
    ? t('composer.waitForFiles')
    : isUploading
      ? t('composer.sendWithFiles')
      : (reason ?? (running ? t('composer.queue') : t('composer.send')))
  function onKeyDown(event: KeyboardEvent<HTMLTextAreaElement>) {
    // Enter belongs to the input method while it composes.
    if (isComposing(event.nativeEvent)) return
    if (trigger.onKeyDown(event)) {
      event.preventDefault()
      return event.stopPropagation()
    }
    const mod = event.metaKey || event.ctrlKey
    if (mod && event.shiftKey && event.key.toLowerCase() === 'v') inline.current = true
    if (event.key === 'ArrowUp' && content === '' && !mod && !event.shiftKey && !event.altKey && props.onEditLast) {
      event.preventDefault()
      return props.onEditLast()
    }
    if (event.key !== 'Enter' || event.shiftKey || event.altKey) return
    if (mod || (preferences.sendKey === 'enter' && !touch)) {
      event.preventDefault()
      // A key that is held repeats.
      if (!event.repeat) send()
    }
  }
  function onPaste(event: ClipboardEvent<HTMLTextAreaElement>) {
    const asText = inline.current
    inline.current = false
    const files = [...event.clipboardData.files]
    const text = event.clipboardData.getData('text/plain')
    // Programs that copy a table offer a picture of it as well; the text is what was meant.
    if (files.length > 0 && text === '') {
      event.preventDefault()
      return draft.attach(files.map(namePasted))
    }
    const table = asText ? null : readTable(event.clipboardData.getData('text/html'), text)
    const address = asText ? null : pastedAddress(text)
    const isLong = preferences.pasteAsFile && isLongPaste(text, preferences.pasteThreshold)
    // Line ends as the box has them.
    if (table && !isLong) setPasted({ kind: 'table', table, text: text.replace(/\r\n?/g, '\n') })
    if (address) setPasted({ kind: 'page', address })
    if (asText || !isLong) return
    event.preventDefault()
    if (table) return draft.attach([new File([tableToCsv(table)], 'pasted-table.csv', { type: 'text/csv' })])
    draft.attach([new File([text], 'pasted-text.txt', { type: 'text/plain' })], text)
  }

  return (
    <div
      data-composer
      className={classNames(
        'relative flex flex-col rounded-xl border border-line-strong/60 bg-raised shadow-low transition-colors focus-within:border-accent-line',
      )}
    >
      <DropTarget onFiles={(files) => draft.attach(files)} />
      {props.above}
      <Chips chips={chips} draft={draft} onOpenDocuments={props.onOpenDocuments} wholeTokens={props.wholeTokens ?? 0} />
      <textarea
        ref={area}
        id="composer"
        rows={1}
        dir="auto"
        aria-label={props.label}
        placeholder={props.placeholder}
        value={content}
        maxLength={roomBelow(quotes)}
        enterKeyHint={touch ? 'enter' : 'send'}
        autoFocus={props.autoFocus}
        aria-autocomplete={props.triggers ? 'list' : undefined}
        {...trigger.field}
        onChange={(event) => {
          draft.type(event.target.value)
          trigger.look(event.target)
        }}
        onKeyDown={onKeyDown}
        onPaste={onPaste}
        className={classNames(
          'field-sizing-content w-full resize-none bg-transparent px-4 pt-3.5 pb-1.5 text-md outline-none!',
          tall ? 'h-[60dvh]' : 'max-h-[calc(12*1.5rem+1.25rem)] min-h-12',
        )}
      />
      {trigger.list}
      {pasted && (
        <Suspense>
          <PasteOffer
            pasted={pasted}
            draft={draft}
            onDone={() => {
              setPasted(null)
              area.current?.focus()
            }}
          />
        </Suspense>
      )}
      <div className="flex items-center gap-1 px-2 pb-2">
        <PlusMenu
          draft={draft}
          signs={(props.triggers ?? noTriggers).map(({ sign }) => sign)}
          onSign={(sign) => trigger.begin(sign)}
        />
        <div className="flex min-w-0 flex-1 items-center gap-1">{props.tools}</div>
        <DictationButton area={area} onText={(text) => insertAtCaret(area.current, draft, text)} />
        <TalkButton chat={props.onTalk} blocked={props.blocked ?? null} />
        {(tall || content.split('\n').length > 6 || content.length > 700) && (
          <IconButton
            label={tall ? t('composer.shrink') : t('composer.enlarge')}
            icon={tall ? <Minimize2 /> : <Maximize2 />}
            tooltipSide="top"
            pressed={tall}
            onClick={() => {
              setTall(!tall)
              area.current?.focus()
            }}
          />
        )}
        {running && (
          <IconButton
            label={props.stopping ? t('composer.stopping') : t('composer.stop')}
            icon={<Square className="fill-current" />}
            tone={something ? 'plain' : 'primary'}
            tooltipSide="top"
            aria-disabled={props.stopping || undefined}
            onClick={onStop}
            className="rounded-lg"
          />
        )}
        <span role="status" className="sr-only">
          {isWaiting && sendWords}
        </span>
        {(!running || something || isWaiting) && (
          <IconButton
            label={sendWords}
            keys={preferences.sendKey === 'enter' ? 'Enter' : 'Mod+Enter'}
            icon={isWaiting ? <Spinner /> : running ? <ListPlus /> : <ArrowUp />}
            tone="primary"
            tooltipSide="top"
            aria-disabled={(!isUploading && reason !== null) || undefined}
            onClick={isWaiting ? keep : send}
            className="rounded-lg aria-disabled:opacity-45"
          />
        )}
      </div>
    </div>
  )
}
