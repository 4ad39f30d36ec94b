import { type Connection, type Discovery, modelManagement } from '@atrium/contract/model-management'
import { useMutation } from '@tanstack/react-query'
import { KeyRound, RefreshCw, Trash2 } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { useIsAdmin } from '../../../api/account.ts'
import { call } from '../../../api/client.ts'
import { wordsOf } from '../../../api/errors.ts'
import { queryClient, queryOf, refresh } from '../../../api/query.ts'
import { Outcome } from '../../../blocks/connect/outcome.tsx'
import { announce } from '../../../lib/announce.ts'
import { ago } from '../../../lib/format.ts'
import { Badge } from '../../../ui/badge.tsx'
import { Button } from '../../../ui/button.tsx'
import { ConfirmDialog } from '../../../ui/dialog.tsx'
import { ErrorCard } from '../../../ui/error-card.tsx'
import { Field } from '../../../ui/field.tsx'
import { IconButton } from '../../../ui/icon-button.tsx'
import { PasswordInput } from '../../../ui/password-input.tsx'
import { Switch } from '../../../ui/switch.tsx'
import { useText } from '../texts.ts'

/** One connection: where it leads, what it offers, and what can be done with it. */
export function ConnectionCard({ connection }: { connection: Connection }) {
  const t = useText('settings')
  const admin = useIsAdmin()
  const [fresh, setFresh] = useState<Discovery | null>(null)
  const [keyForm, setKeyForm] = useState(false)
  const [asking, setAsking] = useState(false)
  const params = { id: connection.id }

  function take(answer: { connection: Connection; discovery: Discovery } | Connection) {
    const next = 'discovery' in answer ? answer.connection : answer
    if ('discovery' in answer) {
      setFresh(answer.discovery)
      announce(t(`connect:outcome.${answer.discovery.outcome}`))
    }
    replace(next)
    void refresh(modelManagement.models)
  }
  const activity = useMutation({
    mutationFn: (on: boolean) =>
      on ? call(modelManagement.activate, { params }) : call(modelManagement.deactivate, { params }),
    onMutate: (on) => {
      setFresh(null)
      replace({ ...connection, active: on })
    },
    onSuccess: take,
    onError: () => replace(connection),
  })
  const discover = useMutation({ mutationFn: () => call(modelManagement.discover, { params }), onSuccess: take })
  const forget = useMutation({ mutationFn: () => call(modelManagement.removeKey, { params }), onSuccess: take })
  const remove = useMutation({
    mutationFn: () => call(modelManagement.remove, { params }),
    onSuccess: () => {
      setAsking(false)
      void refresh(modelManagement.connections)
      void refresh(modelManagement.models)
    },
    onError: () => setAsking(false),
  })
  const failed = [activity, discover, forget, remove].find((one) => one.isError)
  const outcome =
    fresh ??
    (connection.lastOutcome?.outcome === 'unchanged' || connection.lastOutcome?.outcome === 'updated'
      ? null
      : connection.lastOutcome)
  return (
    <article className="rounded-xl border border-line bg-raised" aria-label={connection.name}>
      <div className="flex items-start gap-3 px-4 pt-3.5">
        <div className="min-w-0 flex-1">
          <h4 className="truncate text-md font-semibold">
            <bdi>{connection.name}</bdi>
          </h4>
          <p dir="ltr" className="truncate text-start font-mono text-xs text-muted" title={connection.endpoint}>
            {connection.endpoint}
          </p>
        </div>
        <Switch
          aria-label={t('connections.active', { name: connection.name })}
          checked={connection.active}
          disabled={activity.isPending}
          onChange={(on) => activity.mutate(on)}
          className="mt-1"
        />
      </div>
      <div className="flex flex-wrap items-center gap-2 px-4 pt-2.5 text-sm text-muted">
        <Badge tone={connection.modelCount > 0 ? 'accent' : 'plain'}>
          {t('connections.models', { count: connection.modelCount })}
        </Badge>
        {connection.otherCount > 0 && <Badge>{t('connections.others', { count: connection.otherCount })}</Badge>}
        <KeyBadge connection={connection} />
        {connection.discoveredAt && <span>{t('connections.checked', { when: ago(connection.discoveredAt) })}</span>}
      </div>
      {outcome && <Outcome discovery={outcome} className="px-4 pt-2.5" />}
      {failed && (
        <ErrorCard title={t('connections.failed')} className="mx-4 mt-3">
          {wordsOf(failed.error)}
        </ErrorCard>
      )}
      {keyForm && (
        <KeyForm
          id={connection.id}
          onDone={(answer) => {
            setKeyForm(false)
            if (answer) take(answer)
          }}
        />
      )}
      <div className="mt-3 flex flex-wrap items-center gap-1 border-t border-line px-2 py-1.5">
        <Button
          tone="quiet"
          size="small"
          busy={discover.isPending}
          disabled={!connection.active}
          icon={<RefreshCw className="size-3.5" />}
          onClick={() => discover.mutate()}
        >
          {t('connections.refresh')}
        </Button>
        <Button tone="quiet" size="small" icon={<KeyRound className="size-3.5" />} onClick={() => setKeyForm(!keyForm)}>
          {connection.hasKey ? t('connections.changeKey') : t('connections.addKey')}
        </Button>
        {connection.hasKey && (
          <Button tone="quiet" size="small" busy={forget.isPending} onClick={() => forget.mutate()}>
            {t('connections.forgetKey')}
          </Button>
        )}
        {admin && (
          <IconButton
            label={t('connections.delete', { name: connection.name })}
            icon={<Trash2 />}
            size="small"
            tone="danger"
            className="ms-auto"
            onClick={() => setAsking(true)}
          />
        )}
      </div>
      <ConfirmDialog
        open={asking}
        onOpenChange={setAsking}
        title={t('connections.deleteTitle', { name: connection.name })}
        confirm={t('connections.deleteConfirm')}
        cancel={t('cancel')}
        danger
        busy={remove.isPending}
        onConfirm={() => remove.mutate()}
      >
        {t('connections.deleteText')}
      </ConfirmDialog>
    </article>
  )
}

function KeyBadge({ connection }: { connection: Connection }) {
  const t = useText('settings')
  if (connection.hasKey) {
    return (
      <Badge tone="ok" icon={<KeyRound />}>
        {t('connections.keyStored')} <bdi dir="ltr">…{connection.keyEnding}</bdi>
      </Badge>
    )
  }
  return connection.needsKey ? (
    <Badge tone="warn">{t('connections.keyMissing')}</Badge>
  ) : (
    <Badge>{t('connections.keyNone')}</Badge>
  )
}

function KeyForm({
  id,
  onDone,
}: {
  id: string
  onDone: (answer?: { connection: Connection; discovery: Discovery }) => void
}) {
  const t = useText('settings')
  const [apiKey, setApiKey] = useState('')
  const save = useMutation({
    mutationFn: () => call(modelManagement.saveKey, { params: { id }, body: { apiKey: apiKey.trim() } }),
    onSuccess: onDone,
  })
  function submit(event: FormEvent) {
    event.preventDefault()
    save.mutate()
  }
  return (
    <form onSubmit={submit} className="flex flex-wrap items-end gap-2 px-4 pt-3">
      <Field label={t('connections.newKey')} error={save.isError && wordsOf(save.error)} className="min-w-48 flex-1">
        <PasswordInput
          autoComplete="off"
          autoFocus
          required
          value={apiKey}
          onChange={(event) => setApiKey(event.target.value)}
          showLabel={t('connect:show')}
          hideLabel={t('connect:hide')}
        />
      </Field>
      <Button onClick={() => onDone()}>{t('cancel')}</Button>
      <Button type="submit" tone="primary" busy={save.isPending} disabled={!apiKey.trim()}>
        {t('connections.saveKey')}
      </Button>
    </form>
  )
}

/** Puts the new state of a connection into the list on screen. */
function replace(next: Connection) {
  const { queryKey } = queryOf(modelManagement.connections)
  queryClient.setQueryData<{ items: Connection[]; nextCursor: null }>(
    queryKey,
    (list) => list && { ...list, items: list.items.map((one) => (one.id === next.id ? next : one)) },
  )
}
