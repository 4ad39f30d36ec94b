import { type WebSearchConfig, webSearchRoutes } from '@atrium/contract/web-search'
import { useQuery } from '@tanstack/react-query'
import { Problem } from '../../../api/errors.ts'
import { queryOf } from '../../../api/query.ts'
import { Badge } from '../../../ui/badge.tsx'
import { Select } from '../../../ui/select.tsx'
import { FeatureAccessRow } from '../../../blocks/feature-access/feature-access-row.tsx'
import { QueryView } from '../../../blocks/setting-row/query-view.tsx'
import { Row, useSave } from '../../../blocks/setting-row/row.tsx'
import { SwitchRow } from '../../../blocks/setting-row/switch-row.tsx'
import { TextRow } from '../../../blocks/setting-row/text-row.tsx'
import { Address } from './address.tsx'
import { FixedBadge } from './fixed-badge.tsx'
import { Key } from './key.tsx'
import { OwnEngine } from './own-engine.tsx'
import { saveConfig } from './store.ts'
import { useText } from 'virtual:words/web-search'
import { Trial } from './trial.tsx'

/** What an administrator sees of it; the server leaves the rest out for others. */
export type WebSearchSettings = Required<WebSearchConfig>

/** Which engine the server asks, and who may. */
export function WebSearch() {
  const t = useText('web-search')
  const config = useQuery(queryOf(webSearchRoutes.config))
  return (
    <>
      <p className="text-muted">{t('about')}</p>
      <QueryView query={config}>{(value) => <Rows config={value as WebSearchSettings} />}</QueryView>
    </>
  )
}

function Rows({ config }: { config: WebSearchSettings }) {
  const t = useText('web-search')
  const { engine } = config
  return (
    <>
      <Enabled config={config} />
      <EngineChoice engine={engine} isFixed={config.source === 'environment'} />
      <Address config={config} />
      {takesKey(config) && <Key key={engine} hasKey={config.hasKey} />}
      {engine === 'json' && <OwnEngine form={config.json} />}
      <SecondEngine config={config} />
      <Trial available={config.available} />
      <FeatureAccessRow feature="web-search" id="access" label={t('access')} help={() => t('accessHelp')} />
      <TextRow
        id="maxResults"
        label={t('maxResults')}
        help={t('maxResultsHelp')}
        value={String(config.maxResults)}
        inputMode="numeric"
        ltr
        onSave={(text) => saveConfig({ maxResults: wholeNumber(text, t('outOfRange')) })}
      />
      {(['safeSearch', 'readPages'] as const).map((name) => (
        <SwitchRow
          key={name}
          id={name}
          label={t(name)}
          help={t(`${name}Help`)}
          value={config[name]}
          onSave={(on) => saveConfig({ [name]: on })}
        />
      ))}
      {(['allowedDomains', 'blockedDomains'] as const).map((name) => (
        <TextRow
          key={name}
          id={name}
          label={t(name)}
          help={t(`${name}Help`)}
          value={config[name].join('\n')}
          multiline
          ltr
          maxLength={20_000}
          onSave={(text) => saveConfig({ [name]: domainsOf(text, (domain) => t('badDomain', { domain })) })}
        />
      ))}
    </>
  )
}

function Enabled({ config }: { config: WebSearchSettings }) {
  const t = useText('web-search')
  return (
    <SwitchRow
      id="enabled"
      label={t('enabled')}
      help={t('enabledHelp')}
      source={config.enabled && !config.available && <Badge tone="warn">{t('missing')}</Badge>}
      value={config.enabled}
      onSave={(enabled) => saveConfig({ enabled })}
    />
  )
}

function EngineChoice({ engine, isFixed }: { engine: WebSearchSettings['engine']; isFixed: boolean }) {
  const t = useText('web-search')
  const { saving, save } = useSave()
  return (
    <Row id="engine" label={t('engine')} help={t('engineHelp')} source={isFixed && <FixedBadge />} saving={saving}>
      {(names) => (
        <Select
          {...names}
          disabled={isFixed}
          value={engine}
          onChange={(next) => void save(() => saveConfig({ engine: next }))}
          options={engines.map((value) => ({ value, label: t(`engines.${value}`) }))}
          className="w-64"
        />
      )}
    </Row>
  )
}

/** Asked where the first one fails: a service, as one's own address is the first one's. */
function SecondEngine({ config: { engine, secondEngine, hasSecondKey } }: { config: WebSearchSettings }) {
  const t = useText('web-search')
  const { saving, save } = useSave()
  const values = ['none', ...services.filter((value) => value !== engine || value === secondEngine)] as const
  return (
    <>
      <Row id="secondEngine" label={t('secondEngine')} help={t('secondEngineHelp')} saving={saving}>
        {(names) => (
          <Select
            {...names}
            value={secondEngine ?? 'none'}
            onChange={(next) => void save(() => saveConfig({ secondEngine: next === 'none' ? null : next }))}
            options={[
              ...values,
              ...(secondEngine && !services.some((value) => value === secondEngine) ? [secondEngine] : []),
            ].map((value) => ({ value, label: t(value === 'none' ? 'noSecondEngine' : `engines.${value}`) }))}
            className="w-64"
          />
        )}
      </Row>
      {secondEngine && secondEngine !== 'duckduckgo' && secondEngine !== 'searxng' && (
        <Key key={`second ${secondEngine}`} name="secondKey" hasKey={hasSecondKey} />
      )}
    </>
  )
}

const services = ['brave', 'tavily', 'exa', 'serper', 'duckduckgo'] as const

const engines: readonly WebSearchSettings['engine'][] = [
  'searxng',
  'brave',
  'tavily',
  'exa',
  'serper',
  'duckduckgo',
  'json',
]

const wholeNumber = (text: string, complaint: string): number => {
  const value = Number(text.trim())
  if (Number.isInteger(value) && value >= 1 && value <= 20) return value
  throw new Problem('out_of_range', complaint)
}

/** One in each line, as people paste them: addresses become their hosts. */
const domainsOf = (text: string, complaint: (domain: string) => string): string[] =>
  text
    .split(/[\s,]+/)
    .filter((word) => word !== '')
    .map((word) => {
      const domain = (URL.parse(word)?.hostname || word).toLowerCase().replace(/^\*?\./, '')
      if (!/^[a-z0-9.-]{1,253}$/.test(domain)) throw new Problem('bad_domain', complaint(word))
      return domain
    })

/** An engine of one's own takes a key once there is a header for it. */
const takesKey = ({ engine, json }: WebSearchSettings): boolean =>
  engine === 'json' ? json.keyHeader !== '' : engine !== 'searxng' && engine !== 'duckduckgo'
