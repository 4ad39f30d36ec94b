import { type Connection, connectionsRoutes } from '@atrium/contract/connections'
import { useQuery } from '@tanstack/react-query'
import { call } from '../../../api/client.ts'
import { Problem } from '../../../api/errors.ts'
import { queryOf } from '../../../api/query.ts'
import { modelIdsOf } from '../../../blocks/connect/model-ids.ts'
import { QueryView } from '../../../blocks/setting-row/query-view.tsx'
import { TextRow } from '../../../blocks/setting-row/text-row.tsx'
import { cacheConnection, refreshAll } from './state.ts'
import { useText } from 'virtual:words/connections'

/** What an installed connection is called, and which models it has while its provider lists none. */
export function Naming({ connection }: { connection: Connection }) {
  const t = useText('connections')
  const { id, name } = connection
  const params = { id }
  async function save(body: { name?: string; models?: string[] }) {
    cacheConnection(await call(connectionsRoutes.updateConnection, { params, body }))
    await refreshAll()
  }
  return (
    <>
      <TextRow
        id="connection-name"
        label={t('naming.name')}
        help={t('naming.nameHelp')}
        value={name}
        maxLength={100}
        onSave={async (text) => {
          if (!text.trim()) throw new Problem('validation_failed', t('naming.noName'))
          await save({ name: text.trim() })
        }}
      />
      {connection.discoveredAt === null && <ModelIds id={id} onSave={(models) => save({ models })} />}
    </>
  )
}

function ModelIds({ id, onSave }: { id: string; onSave: (models: string[]) => Promise<void> }) {
  const t = useText('connections')
  const catalogue = useQuery(queryOf(connectionsRoutes.catalogue, { params: { id } }))
  return (
    <QueryView query={catalogue}>
      {({ items }) => (
        <TextRow
          id="connection-models"
          multiline
          ltr
          label={t('naming.models')}
          help={t('naming.modelsHelp')}
          value={items.map((model) => model.id).join('\n')}
          onSave={async (text) => {
            const models = modelIdsOf(text)
            if (models.length === 0) throw new Problem('validation_failed', t('naming.noModels'))
            await onSave(models)
          }}
        />
      )}
    </QueryView>
  )
}
