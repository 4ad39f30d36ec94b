import {
  type ImportLine,
  type ImportResult,
  userAdministrationRoutes as routes,
} from '@atrium/contract/user-administration'
import { mailRoutes } from '@atrium/contract/mail'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Download, FileUp } from 'lucide-react'
import { useRef, useState } from 'react'
import { call } from '../../../api/client.ts'
import { failureOf } from '../../../api/errors.ts'
import { queryOf } from '../../../api/query.ts'
import { writeCsv } from '../../../lib/csv.ts'
import { Button } from '../../../ui/button.tsx'
import { CheckField } from '../../../ui/check-field.tsx'
import { FilePicker } from '../../../ui/file-picker.tsx'
import { FormDialog } from '../../../ui/form-dialog.tsx'
import { SegmentedControl } from '../../../ui/segmented-control.tsx'
import { refreshPeople } from '../settings/actions.ts'
import { ImportLines } from './lines.tsx'
import { mostPeople, readPeople } from './read.ts'
import { useText } from 'virtual:words/user-administration-import'

type As = 'accounts' | 'invitations'

/** Many people from a spreadsheet: chosen, looked at line by line, then made. */
export function ImportPeople({ onClose }: { onClose: () => void }) {
  const t = useText('user-administration-import')
  const picker = useRef<HTMLInputElement>(null)
  const [people, setPeople] = useState<readonly ImportLine[]>([])
  const [fault, setFault] = useState<'empty' | 'columns' | 'too-many' | null>(null)
  const [as, setAs] = useState<As>('accounts')
  const [wantsMail, setWantsMail] = useState(true)
  const canMail = useQuery(queryOf(mailRoutes.settings)).data?.available === true
  const send = as === 'invitations' && canMail && wantsMail
  const ask = (lines: readonly ImportLine[], kind: As, dryRun: boolean) =>
    call(routes.import, { body: { people: [...lines], as: kind, send: dryRun ? false : send, dryRun } })
  const look = useMutation({
    mutationFn: ({ lines, kind }: { lines: readonly ImportLine[]; kind: As }) => ask(lines, kind, true),
  })
  const make = useMutation({ mutationFn: () => ask(people, as, false), onSettled: refreshPeople })
  const results = make.data?.items ?? look.data?.items ?? []
  const good = results.filter(({ faults }) => faults.length === 0).length
  const links = (make.data?.items ?? []).filter(({ link }) => link !== null)
  function show(lines: readonly ImportLine[], kind: As) {
    setPeople(lines)
    setAs(kind)
    if (lines.length > 0) look.mutate({ lines, kind })
  }
  async function choose(file: File | undefined) {
    if (!file) return
    // So long is no table of 500 people.
    const read = file.size > 1_000_000 ? ({ fault: 'too-many' } as const) : readPeople(await file.text())
    setFault(read.fault)
    look.reset()
    show(read.fault === null ? read.people : [], as)
  }
  return (
    <FormDialog
      title={t('title')}
      description={t('text', { most: mostPeople })}
      width="wide"
      submit={make.data ? undefined : t(`make.${as}`, { count: good })}
      disabled={people.length === 0 || good === 0 || look.isPending}
      busy={make.isPending}
      error={failureOf(make.error ?? look.error)}
      onSubmit={() => make.mutate()}
      onClose={onClose}
    >
      {make.data ? (
        <Done items={make.data.items} people={people} as={as} links={links} />
      ) : (
        <>
          <SegmentedControl<As>
            label={t('as')}
            value={as}
            onChange={(kind) => show(people, kind)}
            options={(['accounts', 'invitations'] as const).map((value) => ({ value, label: t(`kind.${value}`) }))}
          />
          <p className="text-sm text-muted">{t(`kindText.${as}`)}</p>
          {as === 'invitations' && (
            <CheckField
              label={t('send')}
              hint={canMail ? undefined : t('sendMissing')}
              checked={send}
              disabled={!canMail}
              onChange={setWantsMail}
            />
          )}
          <div>
            <Button icon={<FileUp className="size-4" />} onClick={() => picker.current?.click()}>
              {t(people.length > 0 ? 'another' : 'choose')}
            </Button>
            <FilePicker
              picker={picker}
              accept=".csv,text/csv,text/tab-separated-values"
              single
              onFiles={([file]) => void choose(file)}
            />
          </div>
          {fault !== null && (
            <p role="alert" className="text-sm text-danger-ink">
              {t(`fault.${fault}`, { most: mostPeople })}
            </p>
          )}
          {people.length > 0 && look.data && (
            <>
              <p role="status" className="text-sm">
                {t('found', { count: people.length })}{' '}
                {good < people.length && t('left', { count: people.length - good })}
              </p>
              <ImportLines people={people} results={results} />
            </>
          )}
        </>
      )}
    </FormDialog>
  )
}

/** What came of it; the links are shown here and nowhere else, so they can be taken along. */
function Done({
  items,
  people,
  as,
  links,
}: {
  items: readonly ImportResult[]
  people: readonly ImportLine[]
  as: As
  links: readonly ImportResult[]
}) {
  const t = useText('user-administration-import')
  const made = items.filter(({ faults }) => faults.length === 0).length
  const sent = items.filter((item) => item.sent).length
  const failed = items.filter(({ faults }) => faults.length > 0)
  function save() {
    const rows = links.map(({ index, link }) => [people[index]?.username ?? '', people[index]?.email ?? '', link ?? ''])
    const url = URL.createObjectURL(
      new Blob([writeCsv([['username', 'email', 'link'], ...rows])], { type: 'text/csv' }),
    )
    const anchor = document.createElement('a')
    anchor.href = url
    anchor.download = 'links.csv'
    anchor.click()
    setTimeout(() => URL.revokeObjectURL(url), 10_000)
  }
  return (
    <>
      <p role="status">
        {t(`made.${as}`, { count: made })} {sent > 0 && t('sent', { count: sent })}
      </p>
      {links.length > 0 && (
        <div className="rounded-lg border border-line bg-sunken p-3">
          <p className="mb-2 text-sm">{t(`links.${as}`)}</p>
          <Button icon={<Download className="size-4" />} onClick={save}>
            {t('save')}
          </Button>
        </div>
      )}
      {failed.length > 0 && <ImportLines people={people} results={failed} />}
    </>
  )
}
