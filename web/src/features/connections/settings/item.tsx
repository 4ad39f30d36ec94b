import { connectionsRoutes, type Plugin, type VariableValues } from '@atrium/contract/connections'
import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { RefreshCw } from 'lucide-react'
import { useState } from 'react'
import { useIsAdmin } from '../../../api/account.ts'
import { wordsOf } from '../../../api/errors.ts'
import { queryOf } from '../../../api/query.ts'
import { MakerMark } from '../../../blocks/maker-mark/maker-mark.tsx'
import { makerOfProvider } from '../../../blocks/maker-mark/makers.ts'
import { Trial } from '../../../blocks/connect/trial.tsx'
import { useTitle } from '../../../lib/title.ts'
import { Button } from '../../../ui/button.tsx'
import { ErrorCard } from '../../../ui/error-card.tsx'
import { Switch } from '../../../ui/switch.tsx'
import { QueryView } from '../../../blocks/setting-row/query-view.tsx'
import { Section } from '../../../blocks/setting-row/section.tsx'
import { SourceBadge } from './badges.tsx'
import { Catalogue } from './catalogue.tsx'
import { DefinitionTools } from './definition.tsx'
import { ConnectionFacts } from './facts.tsx'
import { GenerationFields } from './generation.tsx'
import { KeySection, SignInSection } from './key-section.tsx'
import { Naming } from './naming.tsx'
import { RouteFields } from './route.tsx'
import { CatalogueCheckResult, SetUp } from './set-up.tsx'
import { Sharing } from './sharing.tsx'
import { keyNeed, type CatalogueCheck, applyCatalogueCheck, useActivity, useConnection } from './state.ts'
import { useText } from 'virtual:words/connections'

/** Everything about one connection, at its own address. */
export function ConnectionPage({ id }: { id: string }) {
  const plugin = useQuery(queryOf(connectionsRoutes.plugin, { params: { id } }))
  return <QueryView query={plugin}>{(found) => <Loaded plugin={found} />}</QueryView>
}

function Loaded({ plugin }: { plugin: Plugin }) {
  const t = useText('connections')
  const admin = useIsAdmin()
  const { id } = plugin
  const connection = useConnection(id)
  const [check, setCheck] = useState<CatalogueCheck | null>(null)
  const values = useQuery(queryOf(connectionsRoutes.variables, { params: { id } }))
  // Where a value of the instance leads elsewhere, only a connection in use tells where.
  const declared = values.data && !Object.values(values.data).some((value) => value.isConnection && value.hasValue)
  useTitle(plugin.name)
  const looked = (answer: CatalogueCheck) => {
    applyCatalogueCheck(answer)
    setCheck(answer)
  }
  if (connection === undefined) return null
  return (
    <>
      <header className="flex flex-col gap-1.5">
        <h3 className="flex items-center gap-2.5 text-lg font-semibold tracking-tight">
          <MakerMark
            maker={makerOfProvider({ providerType: 'plugin', providerId: id }, plugin.name)}
            className="size-8"
          />
          <bdi>{plugin.name}</bdi>
        </h3>
        {plugin.description && (
          <p dir="auto" className="text-start text-muted">
            {plugin.description}
          </p>
        )}
        <p dir="ltr" className="text-start font-mono text-xs break-all text-muted">
          {connection?.endpoint ?? (declared && plugin.endpoint)}
        </p>
      </header>
      {connection ? (
        <ConnectionStatus connection={connection} check={check} onCheck={setCheck} />
      ) : (
        <div className="mt-3 rounded-xl border border-line bg-raised p-4">
          <p className="mb-3 flex flex-wrap items-center gap-2 font-medium">
            {t('item.notInUse')} <SourceBadge source={plugin.source} />
          </p>
          <SetUp plugin={plugin} onDone={looked} />
        </div>
      )}
      {admin && connection && plugin.source !== 'bundled' && (
        <Section id="naming" title={t('naming.title')} text={t('naming.text')}>
          <Naming connection={connection} />
        </Section>
      )}
      {connection && plugin.signIn && (
        <Section id="key" title={t('signIn.title')} text={t('signIn.explain')}>
          <SignInSection id={id} />
        </Section>
      )}
      {connection && keyNeed(plugin) !== 'none' && (
        <Section id="key" title={t('key.title')} text={t('key.text')}>
          <KeySection plugin={plugin} connection={connection} onCheck={looked} />
        </Section>
      )}
      {admin && !plugin.signIn && (
        <Section id="sharing" title={t('sharing.title')} text={t('sharing.text')}>
          <Sharing plugin={plugin} />
        </Section>
      )}
      {connection && (
        <Section id="test" title={t('connect:test.title')} text={t('connect:test.text')}>
          <Trial id={id} />
        </Section>
      )}
      {(plugin.variables?.length ?? 0) > 0 && <Values plugin={plugin} values={values} />}
      {connection && (
        <Section id="catalogue" title={t('catalogue.title')} text={t('catalogue.text')}>
          <Catalogue id={id} />
        </Section>
      )}
      {admin && !plugin.signIn && (
        <Section id="definition" title={t('definition.title')} text={t('definition.text')}>
          <DefinitionTools plugin={plugin} />
        </Section>
      )}
    </>
  )
}

/** The two kinds of values: where calls go, for the instance; how answers are made, for the account. */
function Values({ plugin, values }: { plugin: Plugin; values: UseQueryResult<VariableValues, Error> }) {
  const t = useText('connections')
  const admin = useIsAdmin()
  return (
    <>
      <Section id="route" title={t('route.title')} text={admin ? t('route.text') : t('route.textMember')}>
        <QueryView query={values}>{(data) => <RouteFields plugin={plugin} values={data} />}</QueryView>
      </Section>
      <Section id="generation" title={t('generation.title')} text={t('generation.text')}>
        <QueryView query={values}>{(data) => <GenerationFields plugin={plugin} values={data} />}</QueryView>
      </Section>
    </>
  )
}

function ConnectionStatus({
  connection,
  check,
  onCheck,
}: {
  connection: CatalogueCheck['connection']
  check: CatalogueCheck | null
  onCheck: (check: CatalogueCheck | null) => void
}) {
  const t = useText('connections')
  const { activity, discover, outcome, error } = useActivity(connection)
  const shown = check ? { connection, discovery: check.discovery } : outcome && { connection, discovery: outcome }
  return (
    <div className="mt-3 rounded-xl border border-line bg-raised">
      <ConnectionFacts connection={connection} className="px-4 pt-3" />
      {shown && (
        <div className="px-4 pt-2.5">
          <CatalogueCheckResult check={shown} onCheck={onCheck} />
        </div>
      )}
      {error && (
        <ErrorCard title={t('failed')} className="mx-4 mt-3">
          {wordsOf(error)}
        </ErrorCard>
      )}
      <div className="mt-3 flex flex-wrap items-center gap-3 border-t border-line px-4 py-2">
        <label className="flex items-center gap-2.5">
          <Switch
            aria-label={t('active', { name: connection.name })}
            checked={connection.active}
            disabled={activity.isPending}
            onChange={(on) => {
              onCheck(null)
              activity.mutate(on)
            }}
          />
          <span>{t('use')}</span>
        </label>
        <Button
          size="small"
          className="ms-auto"
          busy={discover.isPending}
          disabled={!connection.active}
          icon={<RefreshCw className="size-3.5" />}
          onClick={() => {
            onCheck(null)
            discover.mutate()
          }}
        >
          {t('refresh')}
        </Button>
      </div>
    </div>
  )
}
