import { type ChannelMessage, mostMessageLetters } from '@atrium/contract/channels'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { usePreferences } from '../../../api/account.ts'
import { wordsOf } from '../../../api/errors.ts'
import { isComposing } from '../../../lib/composing.ts'
import { useTouch } from '../../../lib/media.ts'
import { Button } from '../../../ui/button.tsx'
import { Field } from '../../../ui/field.tsx'
import { TextArea } from '../../../ui/input.tsx'
import { useText } from 'virtual:words/channels'
import { editMessage } from '../open/changes.ts'
import { useChannel } from './context.ts'

/** Where a message is changed, in its place. */
export function EditBox({ message }: { message: ChannelMessage }) {
  const t = useText('channels')
  const { edit } = useChannel()
  const [content, setContent] = useState(message.content)
  const [error, setError] = useState<unknown>(null)
  const [busy, setBusy] = useState(false)
  const box = useRef<HTMLDivElement>(null)
  const area = useRef<HTMLTextAreaElement>(null)
  const sendsByEnter = usePreferences().chat.sendKey === 'enter'
  const touch = useTouch()
  useEffect(() => {
    area.current?.focus()
    area.current?.setSelectionRange(area.current.value.length, area.current.value.length)
  }, [])
  const isEmpty = content.trim() === '' && message.attachments.length === 0
  const close = () => {
    // Before the box goes: what is typed next is meant for the composer. A focus that went elsewhere meanwhile stays there.
    if (box.current?.contains(document.activeElement) || document.activeElement === document.body)
      document.getElementById('composer')?.focus()
    edit(null)
  }

  async function save() {
    if (isEmpty || busy) return
    if (content.trim() === message.content) return close()
    setBusy(true)
    setError(null)
    try {
      await editMessage(message, content.trim())
      close()
    } catch (failure) {
      setError(failure)
      setBusy(false)
    }
  }
  function onKeyDown(event: KeyboardEvent) {
    if (isComposing(event.nativeEvent)) return
    const mod = event.metaKey || event.ctrlKey
    if (event.key === 'Escape') close()
    else if (event.key === 'Enter' && !event.shiftKey && !event.altKey && (mod || (sendsByEnter && !touch))) void save()
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    <div
      ref={box}
      onKeyDown={onKeyDown}
      className="mt-1 flex flex-col gap-2 rounded-lg border border-accent-line bg-raised p-2.5"
    >
      <Field label={t('edit.label')} hideLabel error={error ? wordsOf(error) : null}>
        <TextArea
          ref={area}
          rows={1}
          value={content}
          maxLength={mostMessageLetters}
          onChange={(event) => setContent(event.target.value)}
          dir="auto"
          className="text-md"
        />
      </Field>
      <div className="flex flex-wrap items-center justify-end gap-2">
        {!touch && <p className="me-auto text-sm text-muted">{t(sendsByEnter ? 'edit.hint' : 'edit.hintMod')}</p>}
        <Button size="small" tone="quiet" onClick={close}>
          {t('edit.cancel')}
        </Button>
        <Button size="small" tone="primary" busy={busy} disabled={isEmpty} onClick={() => void save()}>
          {t('edit.save')}
        </Button>
      </div>
    </div>
  )
}
