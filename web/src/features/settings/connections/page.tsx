import { localRuntime } from '@atrium/contract/local-runtime'
import { modelManagement } from '@atrium/contract/model-management'
import { useQuery } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import { useIsAdmin } from '../../../api/account.ts'
import { queryOf, refresh } from '../../../api/query.ts'
import { FoundRuntimes } from '../../../blocks/connect/found-runtimes.tsx'
import { Outcome } from '../../../blocks/connect/outcome.tsx'
import { type Connected, QuickConnect } from '../../../blocks/connect/quick-connect.tsx'
import { Button } from '../../../ui/button.tsx'
import { QueryView } from '../parts/query-view.tsx'
import { Group } from '../parts/row.tsx'
import { useText } from '../texts.ts'
import { ConnectionCard } from './card.tsx'
import { RuntimeCard } from './runtime-card.tsx'

/** Where models come from: providers at an address, and the local runtime. */
export function Connections() {
  const t = useText('settings')
  const admin = useIsAdmin()
  return (
    <>
      <section id="list" className="-mx-3 rounded-lg px-3">
        <Group title={t('connections.list')} text={admin ? t('connections.listText') : t('connections.listTextMember')}>
          <List />
        </Group>
      </section>
      {admin && <Add />}
      {admin && (
        <section id="runtime" className="-mx-3 mt-9 rounded-lg px-3">
          <Group title={t('connections.runtime')} text={t('connections.runtimeText')}>
            <RuntimeCard />
          </Group>
        </section>
      )}
    </>
  )
}

function List() {
  const t = useText('settings')
  const connections = useQuery(queryOf(modelManagement.connections))
  return (
    <QueryView query={connections}>
      {({ items }) =>
        items.length === 0 ? (
          <p className="py-3 text-muted">{t('connections.none')}</p>
        ) : (
          <ul className="mt-3 flex flex-col gap-3">
            {items.map((connection) => (
              <li key={connection.id}>
                <ConnectionCard connection={connection} />
              </li>
            ))}
          </ul>
        )
      }
    </QueryView>
  )
}

function Add() {
  const t = useText('settings')
  const [open, setOpen] = useState(false)
  const [made, setMade] = useState<Connected | null>(null)
  return (
    <section id="add" className="-mx-3 mt-4 rounded-lg px-3">
      {made && (
        <div className="mb-3 rounded-lg border border-line bg-sunken px-3.5 py-2.5">
          <p className="font-medium">{t('connections.made', { name: made.connection.name })}</p>
          <Outcome discovery={made.discovery} className="mt-0.5" />
        </div>
      )}
      {open ? (
        <div className="rounded-xl border border-line bg-canvas/60 p-4">
          <h3 className="mb-3 font-semibold">{t('connections.add')}</h3>
          <QuickConnect
            onCancel={() => setOpen(false)}
            onDone={(connected) => {
              setMade(connected)
              setOpen(false)
            }}
          />
          <h4 className="mt-5 mb-2 text-sm font-medium text-muted">{t('connections.found')}</h4>
          <FoundRuntimes onConnected={() => void refresh(localRuntime.health)} />
        </div>
      ) : (
        <Button icon={<Plus className="size-4" />} onClick={() => setOpen(true)}>
          {t('connections.add')}
        </Button>
      )}
    </section>
  )
}
