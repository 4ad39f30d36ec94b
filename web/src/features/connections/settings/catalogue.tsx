import { type CatalogueModel, connectionsRoutes } from '@atrium/contract/connections'
import { useQuery } from '@tanstack/react-query'
import { Search } from 'lucide-react'
import { useDeferredValue, useState } from 'react'
import { queryOf } from '../../../api/query.ts'
import { priceWords } from '../../../blocks/price.ts'
import { factSeparator, formatNumber } from '../../../lib/format.ts'
import { matchesQuery } from '../../../lib/match.ts'
import { Badge } from '../../../ui/badge.tsx'
import { Button } from '../../../ui/button.tsx'
import { Input } from '../../../ui/input.tsx'
import { Select } from '../../../ui/select.tsx'
import { QueryView } from '../../../blocks/setting-row/query-view.tsx'
import { useText } from 'virtual:words/connections'

const step = 40

/** Everything that a provider listed, to be read and searched. */
export function Catalogue({ id }: { id: string }) {
  const catalogue = useQuery(queryOf(connectionsRoutes.catalogue, { params: { id } }))
  return <QueryView query={catalogue}>{({ items }) => <Models models={items} />}</QueryView>
}

function Models({ models }: { models: readonly CatalogueModel[] }) {
  const t = useText('connections')
  const [words, setWords] = useState('')
  const [kind, setKind] = useState('all')
  const [shown, setShown] = useState(step)
  const query = useDeferredValue(words)
  const kinds = [...new Set(models.flatMap((model) => model.capabilities))]
  const found = models.filter(
    (model) =>
      (kind === 'all' || model.capabilities.some((capability) => capability === kind)) && matchesQuery(query, model.id),
  )
  if (models.length === 0) return <p className="py-3 text-muted">{t('catalogue.none')}</p>
  return (
    <div className="mt-2">
      <div className="flex flex-wrap items-center gap-2">
        <Input
          type="search"
          icon={<Search />}
          aria-label={t('catalogue.search')}
          placeholder={t('catalogue.search')}
          value={words}
          className="min-w-48 flex-1"
          onChange={(event) => {
            setWords(event.target.value)
            setShown(step)
          }}
        />
        {kinds.length > 1 && (
          <Select
            aria-label={t('catalogue.kind')}
            value={kind}
            onChange={(next) => {
              setKind(next)
              setShown(step)
            }}
            options={[
              { value: 'all', label: t('catalogue.allKinds') },
              ...kinds.map((one) => ({ value: one as string, label: t(`capability.${one}`) })),
            ]}
          />
        )}
      </div>
      <p role="status" className="mt-2 text-sm text-muted">
        {found.length === models.length
          ? t('catalogue.count', { count: models.length })
          : t('catalogue.found', { count: found.length, all: formatNumber(models.length) })}
      </p>
      <ul className="mt-1 divide-y divide-line border-t border-line">
        {found.slice(0, shown).map((model) => (
          <CatalogueRow key={model.id} model={model} />
        ))}
      </ul>
      {found.length > shown && (
        <Button size="small" className="mt-3" onClick={() => setShown(shown + step * 5)}>
          {t('catalogue.more', { count: Math.min(step * 5, found.length - shown) })}
        </Button>
      )}
    </div>
  )
}

function CatalogueRow({ model }: { model: CatalogueModel }) {
  const t = useText('connections')
  const facts = [
    model.contextWindow !== null && t('catalogue.window', { tokens: formatNumber(model.contextWindow) }),
    model.price && t('blocks:models.perMillion', { price: priceWords(t, model.price) }),
    !model.listed && t('catalogue.notListed'),
  ].filter(Boolean)
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1 py-2">
      <span className="min-w-40 flex-1">
        <bdi dir="ltr" className="font-mono text-sm break-all">
          {model.id}
        </bdi>
        {facts.length > 0 && <span className="block text-xs text-muted">{facts.join(factSeparator())}</span>}
      </span>
      <span className="flex flex-wrap gap-1">
        {model.capabilities.map((capability) => (
          <Badge key={capability} tone={capability === 'chat' ? 'accent' : 'plain'}>
            {t(`capability.${capability}`)}
          </Badge>
        ))}
        {model.capabilities.length === 0 && <Badge>{t('capability.other')}</Badge>}
        {model.features.map((feature) => (
          <Badge key={feature}>{t(`blocks:models.feature.${feature}`)}</Badge>
        ))}
      </span>
    </li>
  )
}
