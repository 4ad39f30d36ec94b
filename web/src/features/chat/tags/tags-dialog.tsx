import { mostTagLetters, mostTagsOfChat } from '@atrium/contract/tag-name'
import { useQuery } from '@tanstack/react-query'
import { type KeyboardEvent, useId, useState } from 'react'
import { wordsOf } from '../../../api/errors.ts'
import { isComposing } from '../../../lib/composing.ts'
import { matchesQuery } from '../../../lib/match.ts'
import { Checkbox } from '../../../ui/checkbox.tsx'
import { ErrorCard } from '../../../ui/error-card.tsx'
import { Field } from '../../../ui/field.tsx'
import { FormDialog } from '../../../ui/form-dialog.tsx'
import { Input } from '../../../ui/input.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { useText } from 'virtual:words/chat-tags'
import { cachedChat } from '../list/cache.ts'
import { changeNames, changesBetween, choicesOf, namesIn, type TagChoice, withChanges } from './choice.ts'
import { tagChats, tagsQuery } from './data.ts'

/** Asks which tags chats have: those that there are, and new ones. */
export function TagsDialog({ ids, onClose }: { ids: readonly string[]; onClose: () => void }) {
  const t = useText('chat-tags')
  const tags = useQuery(tagsQuery)
  const [chats] = useState(() => ids.map((id) => cachedChat(id)?.tags ?? []))
  const before = choicesOf(tags.data?.items.map(({ name }) => name) ?? [], chats)
  const [changes, setChanges] = useState<readonly TagChoice[]>([])
  const [typed, setTyped] = useState('')
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<{ title: string } | null>(null)
  const listId = useId()
  const shown = withChanges(before, changes).filter(({ name }) => matchesQuery(typed, name))
  const names = namesIn(typed)

  function take() {
    setChanges(changeNames(changes, names, true))
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
      const after = withChanges(before, changeNames(changes, names, true))
      const { add, remove } = changesBetween(before, after)
      if (add.length > 0 || remove.length > 0) await tagChats(ids, { add, remove })
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
      {tags.isError && (
        <ErrorCard title={t('failed')} onRetry={() => void tags.refetch()}>
          {wordsOf(tags.error)}
        </ErrorCard>
      )}
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
                  onChange={(on) => setChanges(changeNames(changes, [choice.name], on))}
                />
                <bdi className="min-w-0 truncate">{choice.name}</bdi>
              </label>
            </li>
          ))}
          {shown.length === 0 && (names.length > 0 || tags.isSuccess) && (
            <li className="px-2 py-1 text-sm text-muted">
              {names.length > 0 ? t('new', { name: names.join(', ') }) : t('none')}
            </li>
          )}
        </ul>
      )}
    </FormDialog>
  )
}
