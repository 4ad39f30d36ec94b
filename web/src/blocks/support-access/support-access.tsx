/** Support access to one person: begun with a reason, used, ended; with those before. */
import { accessRoutes, type BreakGlass, type ResourceType } from '@atrium/contract/access'
import { sharedKinds } from '@atrium/contract/resources'
import { useInfiniteQuery, useMutation, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Eye } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useMe } from '../../api/account.ts'
import { onAccountEvent } from '../../api/account-events.ts'
import { call } from '../../api/client.ts'
import { wordsOf } from '../../api/errors.ts'
import { pagesOf } from '../../api/pages.ts'
import { queryOf, refresh } from '../../api/query.ts'
import { ProofDialog } from '../sign-in/proof-dialog.tsx'
import { SupportSession } from './support-session.tsx'
import { useText } from 'virtual:words/support-access'
import { MoreButton } from '../more-button.tsx'
import { formatDateTime } from '../../lib/format.ts'
import { resourceDisplay, resourceLink, useResourceWords } from '../../lib/resources.ts'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { TextArea } from '../../ui/input.tsx'
import { SegmentedControl } from '../../ui/segmented-control.tsx'
import { Select } from '../../ui/select.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { toast } from '../../ui/toaster.tsx'
import { QueryView } from '../setting-row/query-view.tsx'
import { Group } from '../setting-row/row.tsx'

interface Person {
  readonly id: string
  readonly name: string
}

export function SupportAccessOf({ person }: { person: Person }) {
  const t = useText('support-access')
  const me = useMe()
  const [starting, setStarting] = useState(false)
  const sessions = useQuery({
    ...queryOf(accessRoutes.breakGlass, { query: { about: 'everybody', accountId: person.id, limit: 50 } }),
    staleTime: 0,
  })
  useEffect(() => onAccountEvent('support-access-changed', () => void refresh(accessRoutes.breakGlass)), [])
  return (
    <Group title={t('admin.title')} text={t('admin.text')}>
      <QueryView query={sessions}>
        {({ items }) => {
          const own = items.find(({ active, administrator }) => active && administrator.id === me.id)
          return (
            <>
              {own && <OpenedResources session={own} />}
              <ul>
                {items.map((session) => (
                  <SupportSession key={session.id} session={session}>
                    {session.active && <End session={session} />}
                  </SupportSession>
                ))}
              </ul>
              {!own && (
                <Button className="mt-3" icon={<Eye className="size-4" />} onClick={() => setStarting(true)}>
                  {t('admin.start')}
                </Button>
              )}
            </>
          )
        }}
      </QueryView>
      {starting && <StartDialog person={person} onClose={() => setStarting(false)} />}
    </Group>
  )
}

function End({ session }: { session: BreakGlass }) {
  const t = useText('support-access')
  const end = useMutation({
    mutationFn: () => call(accessRoutes.endBreakGlass, { params: { id: session.id } }),
    onSettled: () => void refresh(accessRoutes.breakGlass),
    onError: (error) => toast(wordsOf(error), { tone: 'danger' }),
  })
  return (
    <Button size="small" busy={end.isPending} onClick={() => end.mutate()}>
      {t('admin.end')}
    </Button>
  )
}

const hours = [1, 2, 4, 8, 24]

/** Asks for reason and end, then for a proof. */
function StartDialog({ person: { id, name }, onClose }: { person: Person; onClose: () => void }) {
  const t = useText('support-access')
  const [reason, setReason] = useState('')
  const [span, setSpan] = useState('1')
  const [problem, setProblem] = useState(false)
  const [proving, setProving] = useState(false)
  const isLongEnough = reason.trim().length >= 10
  function submit() {
    setProblem(!isLongEnough)
    if (isLongEnough) setProving(true)
  }
  if (proving) {
    return (
      <ProofDialog
        title={t('admin.proofTitle')}
        text={t('admin.startText', { name })}
        confirm={t('admin.begin')}
        act={(proof) =>
          call(accessRoutes.startBreakGlass, { body: { ...proof, accountId: id, reason, hours: Number(span) } })
        }
        onDone={() => {
          void refresh(accessRoutes.breakGlass)
          onClose()
        }}
        onClose={onClose}
      />
    )
  }
  return (
    <FormDialog
      title={t('admin.startTitle', { name })}
      description={t('admin.startText', { name })}
      submit={t('admin.next')}
      onSubmit={submit}
      onClose={onClose}
    >
      <Field label={t('admin.reasonField')} hint={t('admin.reasonHint')} error={problem && t('admin.reasonHint')}>
        <TextArea
          dir="auto"
          rows={3}
          maxLength={500}
          value={reason}
          onChange={(event) => setReason(event.target.value)}
        />
      </Field>
      <Field label={t('admin.hoursField')}>
        <Select
          value={span}
          onChange={setSpan}
          options={hours.map((count) => ({ value: String(count), label: t('admin.hours', { count }) }))}
        />
      </Field>
    </FormDialog>
  )
}

const openKinds = sharedKinds.filter((kind) => resourceDisplay(kind)?.hasContent)

/** Names of what there is, each a way to it. */
function OpenedResources({ session }: { session: BreakGlass }) {
  const t = useText('support-access')
  const words = useResourceWords()
  const [type, setType] = useState<ResourceType>(openKinds[0] ?? 'chat')
  const things = useInfiniteQuery({
    ...pagesOf(accessRoutes.breakGlassThings, { params: { id: session.id }, query: { type, limit: 40 } }),
    staleTime: 0,
  })
  const items = things.data ?? []
  return (
    <div className="mt-3 rounded-lg border border-line bg-sunken p-4">
      <p className="font-medium">{t('admin.things')}</p>
      <p className="mb-3 text-sm text-muted">{t('admin.until', { time: formatDateTime(session.expiresAt) })}</p>
      <SegmentedControl
        label={t('admin.things')}
        value={type}
        onChange={setType}
        options={openKinds.map((value) => ({ value, label: words(value, 'many') }))}
      />
      {things.isPending && <Skeleton lines={3} className="mt-3" />}
      {things.isError && <p className="mt-3 text-sm text-danger-ink">{wordsOf(things.error)}</p>}
      {things.isSuccess && items.length === 0 && <p className="mt-3 text-sm text-muted">{t('admin.noThings')}</p>}
      <ul className="mt-2 max-h-80 overflow-y-auto">
        {items.map(({ id, name, updatedAt }) => (
          <li key={id} className="flex flex-wrap items-center gap-x-2 border-b border-line py-1.5 last:border-0">
            <Link
              to={resourceLink(type, { id })}
              className="min-w-0 flex-1 truncate text-accent-ink underline underline-offset-2"
            >
              <bdi>{name}</bdi>
            </Link>
            <span className="text-sm text-muted">{formatDateTime(updatedAt)}</span>
          </li>
        ))}
      </ul>
      <MoreButton pages={things} className="mt-2" />
    </div>
  )
}
