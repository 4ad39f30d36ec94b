import { type ConnectionSharing, connectionsRoutes, type Plugin, type SharingMode } from '@atrium/contract/connections'
import { groupsRoutes } from '@atrium/contract/groups'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { call } from '../../../api/client.ts'
import { wordsOf } from '../../../api/errors.ts'
import { keyOf, queryClient, queryOf } from '../../../api/query.ts'
import { QueryView } from '../../../blocks/setting-row/query-view.tsx'
import { Row, type SaveState, useSave } from '../../../blocks/setting-row/row.tsx'
import { formatAgo } from '../../../lib/format.ts'
import { links } from '../../../lib/links.ts'
import { Button } from '../../../ui/button.tsx'
import { Checkbox } from '../../../ui/checkbox.tsx'
import { Field } from '../../../ui/field.tsx'
import { PasswordInput } from '../../../ui/password-input.tsx'
import { SegmentedControl } from '../../../ui/segmented-control.tsx'
import { keyNeed, refreshAll } from './state.ts'
import { useText } from 'virtual:words/connections'

const modes = ['opt-in', 'everyone', 'groups', 'private'] as const

/** Who has a connection, and the key that is kept for them: what administrators decide for others. */
export function Sharing({ plugin }: { plugin: Plugin }) {
  const sharing = useQuery(queryOf(connectionsRoutes.sharing, { params: { id: plugin.id } }))
  return (
    <QueryView query={sharing}>
      {(data) => (
        <>
          <Audience id={plugin.id} sharing={data} />
          {keyNeed(plugin) !== 'none' && <SharedKey plugin={plugin} sharing={data} />}
        </>
      )}
    </QueryView>
  )
}

const cacheSharing = (id: string, next: ConnectionSharing): void => {
  queryClient.setQueryData(keyOf(connectionsRoutes.sharing, { params: { id } }), next)
  void refreshAll()
}

function Audience({ id, sharing }: { id: string; sharing: ConnectionSharing }) {
  const t = useText('connections')
  const { saving, save } = useSave()
  const [mode, setMode] = useState<SharingMode>(sharing.mode)
  const [groupIds, setGroupIds] = useState<readonly string[]>(sharing.groups.map((group) => group.id))
  const send = (nextMode: SharingMode, nextIds: readonly string[]) => {
    setMode(nextMode)
    setGroupIds(nextIds)
    // Nobody would have it: it is saved with the first group.
    if (nextMode === 'groups' && nextIds.length === 0) return
    void save(async () => {
      const body = { mode: nextMode, ...(nextMode === 'groups' ? { groupIds: [...nextIds] } : {}) }
      cacheSharing(id, await call(connectionsRoutes.saveSharing, { params: { id }, body }))
    }).then((saved) => {
      if (!saved) setMode(sharing.mode)
    })
  }
  return (
    <>
      <Row id="sharing-mode" label={t('sharing.mode')} help={t(`sharing.help.${mode}`)} saving={saving} stacked>
        {(names) => (
          <SegmentedControl
            label={names['aria-label']}
            value={mode}
            onChange={(next) => send(next, groupIds)}
            options={modes.map((value) => ({ value, label: t(`sharing.modes.${value}`) }))}
          />
        )}
      </Row>
      {mode === 'private' && sharing.mode === 'private' && !sharing.own && (
        <p className="py-2 text-sm text-muted">{t('sharing.otherOwner')}</p>
      )}
      {mode === 'groups' && <Groups chosen={groupIds} onChange={(next) => send('groups', next)} saving={saving} />}
    </>
  )
}

function Groups({
  chosen,
  onChange,
  saving,
}: {
  chosen: readonly string[]
  onChange: (next: readonly string[]) => void
  saving: SaveState
}) {
  const t = useText('connections')
  const groups = useQuery(queryOf(groupsRoutes.groups, { query: { limit: 200 } }))
  return (
    <QueryView query={groups}>
      {({ items }) =>
        items.length === 0 ? (
          <p className="py-3 text-sm text-muted">
            {t('sharing.noGroups')}{' '}
            <Link to={links.settings('groups')} className="text-accent-ink underline underline-offset-2">
              {t('sharing.makeGroup')}
            </Link>
          </p>
        ) : (
          <fieldset className="min-w-0 border-b border-line py-3">
            <legend className="sr-only">{t('sharing.groups')}</legend>
            <div className="flex max-h-48 flex-wrap gap-x-5 gap-y-2 overflow-y-auto">
              {items.map(({ id, name }) => (
                <label key={id} className="flex max-w-full items-center gap-2">
                  <Checkbox
                    checked={chosen.includes(id)}
                    disabled={saving.state === 'saving'}
                    onChange={(on) => onChange(on ? [...chosen, id] : chosen.filter((other) => other !== id))}
                  />
                  <bdi className="truncate">{name}</bdi>
                </label>
              ))}
            </div>
            {chosen.length === 0 && <p className="mt-2 text-sm text-warn-ink">{t('sharing.chooseGroup')}</p>}
          </fieldset>
        )
      }
    </QueryView>
  )
}

function SharedKey({ plugin, sharing: { mode, key } }: { plugin: Plugin; sharing: ConnectionSharing }) {
  const t = useText('connections')
  const [apiKey, setApiKey] = useState('')
  const { id } = plugin
  const params = { id }
  const keep = useMutation({
    mutationFn: () => call(connectionsRoutes.saveSharedKey, { params, body: { apiKey: apiKey.trim() } }),
    onSuccess: (next) => {
      setApiKey('')
      cacheSharing(id, next)
    },
  })
  const remove = useMutation({
    mutationFn: () => call(connectionsRoutes.removeSharedKey, { params }),
    onSuccess: (next) => cacheSharing(id, next),
  })
  if (key.state === 'not-possible') {
    return keyNeed(plugin) === 'needed' && <p className="py-3 text-sm text-muted">{t('sharing.key.notPossible')}</p>
  }
  function submit(event: FormEvent) {
    event.preventDefault()
    keep.mutate()
  }
  const kept = key.state === 'saved' || key.state === 'other-route'
  return (
    <div id="sharing-key" className="flex flex-col gap-3 py-3.5">
      <div>
        <p className="font-medium">{t('sharing.key.title')}</p>
        <p className="mt-0.5 text-sm text-muted">
          {t(`sharing.key.${key.state}`, {
            ending: key.ending ?? '',
            when: key.savedAt === null ? '' : formatAgo(key.savedAt),
          })}{' '}
          {key.state === 'saved' && mode === 'opt-in' && t('sharing.key.unused')}
        </p>
      </div>
      <form onSubmit={submit} className="flex flex-wrap items-end gap-2">
        <Field
          label={kept ? t('sharing.key.new') : t('sharing.key.label')}
          error={keep.isError && wordsOf(keep.error)}
          className="min-w-48 flex-1"
        >
          <PasswordInput
            autoComplete="off"
            required
            maxLength={4096}
            value={apiKey}
            onChange={(event) => setApiKey(event.target.value)}
          />
        </Field>
        {kept && (
          <Button busy={remove.isPending} onClick={() => remove.mutate()}>
            {t('sharing.key.delete')}
          </Button>
        )}
        <Button type="submit" tone="primary" busy={keep.isPending} disabled={!apiKey.trim()}>
          {t('sharing.key.save')}
        </Button>
      </form>
      {remove.isError && (
        <p role="alert" className="text-sm text-danger-ink">
          {wordsOf(remove.error)}
        </p>
      )}
    </div>
  )
}
