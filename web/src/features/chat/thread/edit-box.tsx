import type { Message } from '@atrium/contract/chat'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { wordsOf } from '../../../api/errors.ts'
import { isComposing } from '../../../lib/composing.ts'
import { Button } from '../../../ui/button.tsx'
import { Field } from '../../../ui/field.tsx'
import { TextArea } from '../../../ui/input.tsx'
import { editQuestion } from '../open/ask.ts'
import { rewriteMessage } from '../open/edit.ts'
import { useText } from 'virtual:words/chat'
import { useThread } from './context.ts'

/** Where a message is changed: a question can be asked anew, an answer also shows its thinking. */
export function EditBox({ message }: { message: Message }) {
  const t = useText('chat')
  const { chat, edit } = useThread()
  const [content, setContent] = useState(unsent.get(message.id)?.content ?? message.content)
  const [reasoning, setReasoning] = useState(message.reasoning ?? '')
  const [error, setError] = useState<unknown>(unsent.get(message.id)?.error ?? null)
  const [busy, setBusy] = useState(false)
  const area = useRef<HTMLTextAreaElement>(null)
  useEffect(() => void unsent.delete(message.id), [message.id])
  useEffect(() => {
    area.current?.focus()
    area.current?.setSelectionRange(message.content.length, message.content.length)
  }, [message.content.length])
  const isQuestion = message.role === 'user'
  const empty = content.trim() === ''

  async function attempt(work: () => Promise<unknown>) {
    setBusy(true)
    setError(null)
    try {
      await work()
      edit(null)
    } catch (failure) {
      setError(failure)
      setBusy(false)
    }
  }
  const save = () =>
    attempt(() => rewriteMessage(chat, message, content, message.reasoning === null ? undefined : reasoning))
  const rerun = () => {
    // Asked anew is a new message; the box belongs to the old one.
    edit(null)
    void editQuestion(chat, message, content).catch((failure: unknown) => {
      unsent.set(message.id, { content, error: failure })
      edit(message.id)
    })
  }
  function onKeyDown(event: KeyboardEvent) {
    if (isComposing(event.nativeEvent)) return
    const mod = event.metaKey || event.ctrlKey
    if (event.key === 'Escape') edit(null)
    else if (mod && event.key.toLowerCase() === 's' && !empty) void save()
    else if (mod && event.key === 'Enter' && !empty) isQuestion ? rerun() : void save()
    else return
    event.preventDefault()
    event.stopPropagation()
  }

  return (
    <div onKeyDown={onKeyDown} className="flex flex-col gap-2 rounded-xl border border-accent-line bg-raised p-3">
      {message.reasoning !== null && (
        <Field label={t('edit.thinking')}>
          <TextArea value={reasoning} onChange={(event) => setReasoning(event.target.value)} maxRows={8} dir="auto" />
        </Field>
      )}
      <Field
        label={isQuestion ? t('edit.question') : t('edit.answer')}
        hideLabel={message.reasoning === null}
        error={error ? wordsOf(error) : null}
      >
        <TextArea
          ref={area}
          value={content}
          onChange={(event) => setContent(event.target.value)}
          maxRows={20}
          dir="auto"
          className="text-md"
        />
      </Field>
      <div className="flex flex-wrap items-center justify-end gap-2">
        {isQuestion && <p className="me-auto text-sm text-muted">{t('edit.hint')}</p>}
        <Button size="small" tone="quiet" onClick={() => edit(null)}>
          {t('cancel')}
        </Button>
        <Button
          size="small"
          tone={isQuestion ? 'plain' : 'primary'}
          busy={busy}
          disabled={empty}
          onClick={() => void save()}
        >
          {t('edit.save')}
        </Button>
        {isQuestion && (
          <Button size="small" tone="primary" disabled={empty || busy} onClick={rerun}>
            {t('edit.rerun')}
          </Button>
        )}
      </div>
    </div>
  )
}

/** What was written anew and refused, by message: the box it was written in is gone by then. */
const unsent = new Map<string, { content: string; error: unknown }>()
