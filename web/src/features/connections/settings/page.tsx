import type { Connection } from '@atrium/contract/connections'
import { localRuntimeRoutes } from '@atrium/contract/local-runtime'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { FileUp, Link2, Plug } from 'lucide-react'
import { useState } from 'react'
import { useIsAdmin } from '../../../api/account.ts'
import { refresh } from '../../../api/query.ts'
import { FoundRuntimes } from '../../../blocks/connect/found-runtimes.tsx'
import { Outcome } from '../../../blocks/connect/outcome.tsx'
import { type ConnectionResult, QuickConnect } from '../../../blocks/connect/quick-connect.tsx'
import { links } from '../../../lib/links.ts'
import { Button } from '../../../ui/button.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { toast } from '../../../ui/toaster.tsx'
import { QueryView } from '../../../blocks/setting-row/query-view.tsx'
import { Group } from '../../../blocks/setting-row/row.tsx'
import { ConnectionCard } from './card.tsx'
import { Gallery } from './gallery.tsx'
import { ImportDefinition } from './import.tsx'
import { ModelRequests } from './requests.tsx'
import { stillShown } from './rules.ts'
import { connectionsQuery } from './state.ts'
import { useText } from 'virtual:words/connections'
import { UnreadableConnections } from './unreadable.tsx'

/** Where models come from: what is connected, and what could be. */
export function Connections() {
  const t = useText('connections')
  const admin = useIsAdmin()
  return (
    <>
      {admin && <ModelRequests />}
      <section id="list" className="-mx-3 rounded-lg px-3">
        <Group title={t('list.title')} text={admin ? t('list.text') : t('list.textMember')}>
          <List />
        </Group>
      </section>
      {admin && <Add />}
      <section id="gallery" className="-mx-3 mt-9 rounded-lg px-3">
        <Group title={t('gallery.title')} text={t('gallery.text')}>
          <Gallery />
        </Group>
      </section>
    </>
  )
}

function List() {
  const connections = useQuery(connectionsQuery)
  return (
    <QueryView query={connections}>
      {({ items, unreadable }) => (
        <>
          {(items.length > 0 || unreadable.length === 0) && <Cards items={items} />}
          <UnreadableConnections ids={unreadable} />
        </>
      )}
    </QueryView>
  )
}

function Cards({ items }: { items: readonly Connection[] }) {
  const t = useText('connections')
  const [list, setList] = useState({ items, shown: [...items] })
  if (list.items !== items) setList({ items, shown: stillShown(list.shown, items) })
  if (list.shown.length === 0) {
    return (
      <EmptyState
        icon={<Plug />}
        title={t('list.none')}
        className="py-6"
        action={
          <Button asChild>
            <Link to={links.settings('connections')} hash="gallery">
              {t('list.choose')}
            </Link>
          </Button>
        }
      >
        {t('list.noneText')}
      </EmptyState>
    )
  }
  return (
    <ul className="mt-3 flex flex-col gap-3">
      {list.shown.map((connection) => (
        <li key={connection.id}>
          <ConnectionCard connection={connection} />
        </li>
      ))}
    </ul>
  )
}

/** The ways that only administrators have: an address that is not in the gallery, and a definition. */
function Add() {
  const t = useText('connections')
  const navigate = useNavigate()
  const [open, setOpen] = useState<'address' | 'import' | null>(null)
  const [made, setMade] = useState<ConnectionResult | null>(null)
  const toggle = (way: 'address' | 'import') => setOpen(open === way ? null : way)
  return (
    <div className="mt-4">
      {made && (
        <div className="mb-3 rounded-lg border border-line bg-sunken px-3.5 py-2.5">
          <p className="font-medium">{t('add.made', { name: made.name })}</p>
          {made.discovery && <Outcome discovery={made.discovery} className="mt-0.5" />}
        </div>
      )}
      <div className="flex flex-wrap gap-2">
        <span id="add" className="rounded-lg">
          <Button
            icon={<Link2 className="size-4" />}
            aria-expanded={open === 'address'}
            onClick={() => toggle('address')}
          >
            {t('add.byAddress')}
          </Button>
        </span>
        <span id="import" className="rounded-lg">
          <Button
            icon={<FileUp className="size-4" />}
            aria-expanded={open === 'import'}
            onClick={() => toggle('import')}
          >
            {t('import.title')}
          </Button>
        </span>
      </div>
      {open === 'address' && (
        <div className="mt-3 rounded-xl border border-line bg-canvas/60 p-4">
          <h3 className="mb-3 font-semibold">{t('add.byAddress')}</h3>
          <QuickConnect
            testable
            onCancel={() => setOpen(null)}
            onDone={(connected) => {
              setMade(connected)
              setOpen(null)
            }}
          />
          <h4 className="mt-5 mb-2 text-sm font-medium text-muted">{t('add.found')}</h4>
          <FoundRuntimes onConnected={() => void refresh(localRuntimeRoutes.health)} />
        </div>
      )}
      {open === 'import' && (
        <div className="mt-3 rounded-xl border border-line bg-canvas/60 p-4">
          <h3 className="mb-3 font-semibold">{t('import.title')}</h3>
          <ImportDefinition
            onCancel={() => setOpen(null)}
            onDone={(plugin) => {
              toast(t('import.done', { name: plugin.name }))
              void navigate({ to: links.connection(plugin.id) })
            }}
          />
        </div>
      )}
    </div>
  )
}
