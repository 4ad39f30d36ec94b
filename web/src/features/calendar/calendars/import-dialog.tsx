import { type ImportReport, calendarRoutes } from '@atrium/contract/calendar'
import { useMutation } from '@tanstack/react-query'
import { FileUp } from 'lucide-react'
import { useRef, useState } from 'react'
import { call } from '../../../api/client.ts'
import { failureOf } from '../../../api/errors.ts'
import { Button } from '../../../ui/button.tsx'
import { Field } from '../../../ui/field.tsx'
import { FilePicker } from '../../../ui/file-picker.tsx'
import { FormDialog } from '../../../ui/form-dialog.tsx'
import { Select } from '../../../ui/select.tsx'
import { isWritable, refreshCalendar } from '../data/events.ts'
import { useGrid } from '../grid/grid-context.ts'
import { useText } from 'virtual:words/calendar'

/** Takes in a file of another calendar, and tells what became of each entry. */
export function ImportDialog({ onClose }: { onClose: () => void }) {
  const t = useText('calendar')
  const { calendars } = useGrid()
  const picker = useRef<HTMLInputElement>(null)
  const [file, setFile] = useState<File | null>(null)
  const [calendarId, setCalendarId] = useState('')
  const [tried, setTried] = useState(false)
  const send = useMutation({
    mutationFn: async (given: File) => {
      const report = await call(calendarRoutes.importCalendar, { query: calendarId ? { calendarId } : {}, file: given })
      await refreshCalendar()
      return report
    },
  })
  function submit() {
    setTried(true)
    if (file) send.mutate(file)
  }
  if (send.data) {
    return (
      <FormDialog title={t('import.done')} onSubmit={onClose} onClose={onClose}>
        <Report report={send.data} />
      </FormDialog>
    )
  }
  const writable = calendars.filter(isWritable)
  return (
    <FormDialog
      width="narrow"
      title={t('import.title')}
      description={t('import.text')}
      submit={t('import.submit')}
      busy={send.isPending}
      error={failureOf(send.error)}
      onSubmit={submit}
      onClose={onClose}
    >
      <div>
        <Button icon={<FileUp className="size-4" />} onClick={() => picker.current?.click()}>
          {t('import.choose')}
        </Button>
        <FilePicker
          picker={picker}
          accept=".ics,.ical,text/calendar"
          single
          onFiles={([first]) => {
            send.reset()
            setFile(first ?? null)
          }}
        />
        <p aria-live="polite" className="mt-1.5 text-sm break-all text-muted">
          {file?.name}
        </p>
        {tried && !file && (
          <p role="alert" className="text-sm text-danger-ink">
            {t('import.missing')}
          </p>
        )}
      </div>
      <Field label={t('import.into')}>
        <Select
          value={calendarId}
          onChange={setCalendarId}
          options={[
            { value: '', label: t('noCalendar') },
            ...writable.map(({ id, name }) => ({ value: id, label: name })),
          ]}
        />
      </Field>
    </FormDialog>
  )
}

function Report({ report }: { report: ImportReport }) {
  const t = useText('calendar')
  const { imported, updated, skipped, skippedCount, unknownZones } = report
  return (
    <div role="status" className="flex flex-col gap-3">
      <ul className="list-disc ps-5">
        <li>{t('import.imported', { count: imported })}</li>
        {updated > 0 && <li>{t('import.updated', { count: updated })}</li>}
        {skippedCount > 0 && <li>{t('import.skipped', { count: skippedCount })}</li>}
      </ul>
      {skipped.length > 0 && (
        <ul aria-label={t('import.left')} className="divide-y divide-line rounded-lg border border-line">
          {skipped.map(({ title, reason }, index) => (
            <li key={index} className="px-3 py-1.5">
              <p dir="auto" className="truncate font-medium">
                {title || t('untitled')}
              </p>
              <p className="text-sm text-muted">{t(`import.reason.${reason}`)}</p>
            </li>
          ))}
        </ul>
      )}
      {skippedCount > skipped.length && (
        <p className="text-muted">{t('import.moreSkipped', { count: skippedCount - skipped.length })}</p>
      )}
      {unknownZones.length > 0 && (
        <p className="text-sm text-muted">{t('import.zones', { zones: unknownZones.join(', ') })}</p>
      )}
    </div>
  )
}
