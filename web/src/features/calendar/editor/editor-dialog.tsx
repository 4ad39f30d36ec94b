import {
  type Calendar,
  type CalendarEvent,
  type QuickAddProposal,
  type Scope,
  mostNotesLetters,
  mostPlaceLetters,
  mostTitleLetters,
} from '@atrium/contract/calendar'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { failureOf } from '../../../api/errors.ts'
import { Disclosure } from '../../../ui/disclosure.tsx'
import { Field } from '../../../ui/field.tsx'
import { FormDialog } from '../../../ui/form-dialog.tsx'
import { Input, TextArea } from '../../../ui/input.tsx'
import { Select } from '../../../ui/select.tsx'
import { changeEvent, createEvent, isConflict } from '../data/changes.ts'
import { isWritable } from '../data/events.ts'
import { ScopeField } from '../event/scope-field.tsx'
import { useGrid } from '../grid/grid-context.ts'
import { dayOfWall } from '../time/day.ts'
import { ColorField } from './color-field.tsx'
import { FindTime } from '../guests/find-time.tsx'
import { GuestsField } from '../guests/guests-field.tsx'
import { ProposalNotes } from '../quick-add/proposal-notes.tsx'
import { Standing } from './standing.tsx'
import { type Draft, changesOf, draftToContent, eventToDraft, faultOf, scopesOf, withStart } from './draft.ts'
import { RemindersField } from './reminders-field.tsx'
import { RepeatField } from './repeat-field.tsx'
import { TimeFields } from './time-fields.tsx'
import { useText } from 'virtual:words/calendar'

/** Writes a new event, or another version of one that is there. */
export function EditorDialog({
  event,
  first,
  proposal,
  onSaved,
  onClose,
}: {
  /** null: a new one. */
  event: CalendarEvent | null
  /** What the fields hold at first. */
  first: Draft
  /** What was made of words; null where nobody wrote any. */
  proposal: QuickAddProposal | null
  onSaved: (draft: Draft) => void
  onClose: () => void
}) {
  const t = useText('calendar')
  const { calendars, zone } = useGrid()
  const [draft, setDraft] = useState(first)
  const [chosen, setScope] = useState<Scope>('this')
  const [tried, setTried] = useState(false)
  const set = (change: Partial<Draft>) => setDraft((before) => ({ ...before, ...change }))
  const [isOtherRepeat, setIsOtherRepeat] = useState(false)
  const offered = event?.baseEventId ? scopesOf(first, draft, isOtherRepeat) : []
  const scope = offered.length === 0 ? null : offered.includes(chosen) ? chosen : (offered[0] ?? null)
  const save = useMutation({
    mutationFn: async (version: number | undefined) => {
      if (!event) {
        // A repetition that the editor cannot say is as it was proposed.
        const recurrence = draft.repeat === 'kept' ? proposal?.event.recurrence : undefined
        return createEvent(Object.assign(draftToContent(draft), recurrence ? { recurrence } : {}))
      }
      const changes = changesOf(event, draft, isOtherRepeat)
      if (Object.keys(changes).length > 0) await changeEvent(event, changes, scope, version ?? event.version)
    },
    onSuccess: () => {
      onSaved(draft)
      onClose()
    },
  })
  const fault = tried ? faultOf(draft) : null
  const conflict = isConflict(save.error)
  function submit() {
    setTried(true)
    if (faultOf(draft) === null) save.mutate(undefined)
  }
  return (
    <FormDialog
      title={event ? t('editTitle') : t('new')}
      submit={event ? t('save') : t('create')}
      busy={save.isPending}
      error={conflict ? null : failureOf(save.error)}
      onSubmit={submit}
      onClose={onClose}
    >
      {conflict && event && (
        <Standing
          event={event}
          onMine={(version) => save.mutate(version)}
          onTheirs={(standing) => {
            save.reset()
            setDraft(eventToDraft(standing))
            onClose()
          }}
        />
      )}
      {proposal && <ProposalNotes proposal={proposal} />}
      <Field label={t('name')} required error={fault === 'title' ? t('titleMissing') : null}>
        <Input
          dir="auto"
          maxLength={mostTitleLetters}
          value={draft.title}
          onChange={({ target }) => set({ title: target.value })}
        />
      </Field>
      <TimeFields draft={draft} zone={zone} error={fault === 'end' ? t('endBeforeStart') : null} onChange={setDraft} />
      <RepeatField
        value={draft.repeat}
        start={dayOfWall(draft.start)}
        mayKeep={first.repeat === 'kept'}
        onChange={(repeat) => {
          setIsOtherRepeat(true)
          set({ repeat })
        }}
      />
      <Field label={t('calendar')}>
        <Select
          value={draft.calendarId ?? ''}
          onChange={(id) => set({ calendarId: id || null })}
          options={calendarOptions()}
        />
      </Field>
      <Field label={t('place')}>
        <Input
          dir="auto"
          maxLength={mostPlaceLetters}
          value={draft.place}
          onChange={({ target }) => set({ place: target.value })}
        />
      </Field>
      <GuestsField value={draft.guests} onChange={(guests) => set({ guests })} />
      <FindTime
        draft={draft}
        event={event}
        zone={zone}
        onPick={(range) => setDraft({ ...withStart(draft, range.start), end: range.end })}
      />
      <RemindersField value={draft.reminders} onChange={(reminders) => set({ reminders })} />
      <Field label={t('notes')}>
        <TextArea
          dir="auto"
          rows={2}
          maxLength={mostNotesLetters}
          value={draft.notes}
          onChange={({ target }) => set({ notes: target.value })}
        />
      </Field>
      <Disclosure title={t('moreFields')} open={fault === 'link' || isFilled(first) || undefined}>
        <div className="flex flex-col gap-4 pt-2">
          <Field label={t('link')} error={fault === 'link' ? t('linkWrong') : null}>
            <Input
              type="url"
              dir="ltr"
              value={draft.link}
              placeholder="https://"
              onChange={({ target }) => set({ link: target.value })}
            />
          </Field>
          <Field label={t('status.label')}>
            <Select
              value={draft.status}
              onChange={(status) => set({ status })}
              options={(['confirmed', 'tentative', 'cancelled'] as const).map((value) => ({
                value,
                label: t(`status.${value}`),
              }))}
            />
          </Field>
          <ColorField
            label={t('color.label')}
            usual={t('color.ofCalendar')}
            value={draft.color}
            onChange={(color) => set({ color })}
          />
        </div>
      </Disclosure>
      {scope && <ScopeField label={t('changeWhich')} value={scope} offered={offered} onChange={setScope} />}
    </FormDialog>
  )

  function calendarOptions() {
    const isOffered = (each: Calendar) => {
      if (!event) return isWritable(each)
      // It stays with its owner.
      return each.id === event.calendarId || (isWritable(each) && each.shared?.ownerName === event.shared?.ownerName)
    }
    const options = calendars.filter(isOffered).map(({ id, name }) => ({ value: id, label: name }))
    return event?.shared ? options : [{ value: '', label: t('noCalendar') }, ...options]
  }
}

const isFilled = ({ link, color, status }: Draft) => link !== '' || color !== null || status !== 'confirmed'
