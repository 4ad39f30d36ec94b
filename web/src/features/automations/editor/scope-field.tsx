import type { AutomationContent } from '@atrium/contract/automations'
import { documentsRoutes } from '@atrium/contract/documents'
import { useQuery } from '@tanstack/react-query'
import { queryOf } from '../../../api/query.ts'
import { CheckField } from '../../../ui/check-field.tsx'
import { Disclosure } from '../../../ui/disclosure.tsx'
import { useText } from 'virtual:words/automations'
import { formatNumber } from '../../../lib/format.ts'

/** The contract's; its values are not loaded with the page. */
const mostCollections = 20

type Scope = Pick<AutomationContent, 'collectionIds' | 'useLibrary'>

/** Where a new chat of a run looks questions up. */
export function ScopeField({ scope, onChange }: { scope: Scope; onChange: (scope: Partial<Scope>) => void }) {
  const t = useText('automations')
  const count = scope.collectionIds.length
  return (
    <Disclosure title={count === 0 ? t('documents') : t('documentsChosen', { count: formatNumber(count) })}>
      <Places scope={scope} onChange={onChange} />
    </Disclosure>
  )
}

function Places({ scope: { collectionIds, useLibrary }, onChange }: Parameters<typeof ScopeField>[0]) {
  const t = useText('automations')
  const collections = useQuery(queryOf(documentsRoutes.collections, { query: { limit: 200 } }))
  const known = collections.data?.items ?? []
  const gone = collections.data ? collectionIds.filter((id) => !known.some((one) => one.id === id)) : []
  const toggle = (id: string, on: boolean) =>
    onChange({ collectionIds: on ? [...collectionIds, id] : collectionIds.filter((one) => one !== id) })
  return (
    <fieldset className="mt-2 flex flex-col gap-2">
      <legend className="mb-2 text-sm text-muted">{t('documentsHint')}</legend>
      <CheckField label={t('useLibrary')} checked={useLibrary} onChange={(on) => onChange({ useLibrary: on })} />
      {known.map(({ id, name }) => (
        <CheckField
          key={id}
          label={<bdi className="wrap-anywhere">{name}</bdi>}
          checked={collectionIds.includes(id)}
          disabled={!collectionIds.includes(id) && collectionIds.length >= mostCollections}
          onChange={(on) => toggle(id, on)}
        />
      ))}
      {gone.map((id) => (
        <CheckField key={id} label={t('unknownPlace')} checked onChange={() => toggle(id, false)} />
      ))}
    </fieldset>
  )
}
