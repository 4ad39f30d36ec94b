import { mostTagLetters, mostTagsOfChat } from '@atrium/contract/tag-name'
import { useQuery } from '@tanstack/react-query'
import { type KeyboardEvent, useId, useState } from 'react'
import { wordsOf } from '../../../api/errors.ts'
import { isComposing } from '../../../lib/composing.ts'
import { matchesQuery } from '../../../lib/match.ts'
import { Checkbox } from '../../../ui/checkbox.tsx'
import { Field } from '../../../ui/field.tsx'
import { FormDialog } from '../../../ui/form-dialog.tsx'
import { Input } from '../../../ui/input.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { useText } from 'virtual:words/chat-tags'
import { cachedChat } from '../list/cache.ts'
import { changesBetween, choicesOf, addTyped, namesIn, type TagChoice } from './choice.ts'
import { tagChats, tagsQuery } from './data.ts'

/** Asks which tags chats have: those that there are, and new ones. */
export function TagsDialog({ ids, onClose }: { ids: readonly string[]; onClose: () => void }) {
  const t = useText('chat-tags')
  const tags = useQuery(tagsQuery)
  const [chats] = useState(() => ids.map((id) => cachedChat(id)?.tags ?? []))
  const before = choicesOf(tags.data?.items.map(({ name }) => name) ?? [], chats)
  const [changed, setChanged] = useState<readonly TagChoice[] | null>(null)
  const [typed, setTyped] = useState('')
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<{ title: string } | null>(null)
  const listId = useId()
  const choices = changed ?? before
  const shown = choices.filter(({ name }) => matchesQuery(typed, name))
  const names = namesIn(typed)
  const after = names.length > 0 ? addTyped(choices, typed) : choices

  function take() {
    setChanged(after)
    setTyped('')
  }
  function onKeyDown(event: KeyboardEvent) {
    if (isComposing(event.nativeEvent) || names.length === 0) return
    if (event.key !== 'Enter' && event.key !== ',' && event.key !== '،') return
    event.preventDefault()
    take()
  }
  async function save() {
    setBusy(true)
    try {
      // What is still in the field is meant, too.
      const changes = changesBetween(before, after)
      if (changes.add.length > 0 || changes.remove.length > 0) await tagChats(ids, changes)
      onClose()
    } catch (failure) {
      setError({ title: wordsOf(failure) })
    } finally {
      setBusy(false)
    }
  }
  return (
    <FormDialog
      title={t('title')}
      description={ids.length > 1 ? t('ofChats', { count: ids.length }) : undefined}
      width="narrow"
      submit={t('save')}
      busy={busy}
      error={error}
      onSubmit={() => void save()}
      onClose={onClose}
    >
      <Field label={t('add')} hint={t('addHint')}>
        <Input
          dir="auto"
          maxLength={mostTagLetters * mostTagsOfChat}
          aria-controls={listId}
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
          onKeyDown={onKeyDown}
        />
      </Field>
      {tags.isPending ? (
        <Skeleton lines={3} />
      ) : (
        <ul id={listId} aria-label={t('title')} className="flex max-h-64 flex-col overflow-y-auto overscroll-contain">
          {shown.map((choice) => (
            <li key={choice.name}>
              <label className="flex min-h-row items-center gap-2.5 rounded-md px-2 hover:bg-hover pointer-coarse:min-h-11">
                <Checkbox
                  checked={choice.on === true}
                  ref={(box) => {
                    if (box) box.indeterminate = choice.on === 'some'
                  }}
                  onChange={(on) =>
                    setChanged(choices.map((other) => (other.name === choice.name ? { ...other, on } : other)))
                  }
                />
                <bdi className="min-w-0 truncate">{choice.name}</bdi>
              </label>
            </li>
          ))}
          {shown.length === 0 && (
            <li className="px-2 py-1 text-sm text-muted">
              {names.length > 0 ? t('new', { name: names.join(', ') }) : t('none')}
            </li>
          )}
        </ul>
      )}
    </FormDialog>
  )
}
