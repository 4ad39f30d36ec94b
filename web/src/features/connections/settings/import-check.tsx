import { type Definition, connectionsRoutes, type Plugin } from '@atrium/contract/connections'
import { useMutation, useQuery } from '@tanstack/react-query'
import { call } from '../../../api/client.ts'
import { Problem, wordsOf } from '../../../api/errors.ts'
import { Button } from '../../../ui/button.tsx'
import { ErrorCard } from '../../../ui/error-card.tsx'
import { QueryView } from '../../../blocks/setting-row/query-view.tsx'
import { DifferenceView } from './difference-view.tsx'
import { diffDefinitions } from './difference.ts'
import { ScrollIntoView } from './scroll-into-view.tsx'
import { pluginsQuery, refreshAll } from './state.ts'
import { useText } from 'virtual:words/connections'

/** What a definition brings, or what it changes where one of its id is there already, before it is installed. */
export function ImportCheck({ definition, update, onDone, onBack }: CheckProps) {
  const plugins = useQuery(pluginsQuery)
  return (
    <QueryView query={plugins}>
      {({ items }) => {
        const installed = items.find((plugin) => plugin.id === definition.id)
        const props = { definition, update, onDone, onBack }
        return installed ? <Replace {...props} standing={installed} /> : <Summary {...props} />
      }}
    </QueryView>
  )
}

interface CheckProps {
  definition: Definition
  /** It is a new version of one that is installed. */
  update: boolean
  onDone: (plugin: Plugin) => void
  onBack: () => void
}

function Replace({ standing: installed, ...props }: CheckProps & { standing: Plugin }) {
  const t = useText('connections')
  // What is exported is the definition alone, without anybody's state.
  const before = useQuery({
    queryKey: ['exported-definition', installed.id, installed.updatedAt],
    queryFn: async () =>
      JSON.parse(
        await (await call(connectionsRoutes.exportPlugin, { params: { id: installed.id } })).text(),
      ) as unknown,
  })
  return (
    <QueryView query={before}>
      {(exported) => {
        const changes = diffDefinitions(exported, props.definition)
        return (
          <ScrollIntoView className="flex scroll-mb-8 flex-col gap-3">
            <p className="font-medium">
              {t(installed.source === 'bundled' ? 'import.overBundled' : 'import.over', { name: installed.name })}
            </p>
            {changes.length === 0 ? (
              <p className="text-muted">{t('import.same')}</p>
            ) : (
              <>
                <p className="text-sm text-muted">
                  {t(installed.source === 'bundled' ? 'import.bundledText' : 'import.replaceText')}
                </p>
                <DifferenceView changes={changes} />
              </>
            )}
            <Install {...props} word={t('import.replace')} disabled={changes.length === 0} />
          </ScrollIntoView>
        )
      }}
    </QueryView>
  )
}

function Summary(props: CheckProps) {
  const t = useText('connections')
  const { definition } = props
  const models = Array.isArray(definition.model_map) ? definition.model_map.length : 0
  const facts = [
    [t('import.fact.name'), definition.name],
    [t('import.fact.id'), definition.id],
    [t('import.fact.endpoint'), definition.endpoint],
    [t('import.fact.key'), definition.auth?.header ? definition.auth.header : t('key.none')],
    [t('import.fact.models'), String(models)],
  ] as const
  return (
    <ScrollIntoView className="flex scroll-mb-8 flex-col gap-3">
      <p className="font-medium">{t('import.new')}</p>
      <dl className="divide-y divide-line rounded-lg border border-line">
        {facts.map(([name, value]) => (
          <div key={name} className="flex flex-wrap gap-x-4 px-3 py-2 text-sm">
            <dt className="w-32 text-muted">{name}</dt>
            <dd dir="auto" className="min-w-0 flex-1 text-start break-words">
              {String(value)}
            </dd>
          </div>
        ))}
      </dl>
      <Install {...props} word={t('import.install')} />
    </ScrollIntoView>
  )
}

function Install({
  definition,
  update,
  onDone,
  onBack,
  word,
  disabled,
}: CheckProps & { word: string; disabled?: boolean }) {
  const t = useText('connections')
  const install = useMutation({
    mutationFn: () =>
      update
        ? call(connectionsRoutes.updatePlugin, { params: { id: definition.id }, body: definition })
        : call(connectionsRoutes.installPlugin, { body: definition }),
    onSuccess: async (plugin) => {
      await refreshAll()
      onDone(plugin)
    },
  })
  const fields = install.error instanceof Problem ? install.error.fields : []
  return (
    <>
      {install.isError && (
        <ErrorCard title={t('import.refused')}>
          {fields.length === 0 ? (
            wordsOf(install.error)
          ) : (
            <ul className="list-disc ps-5">
              {fields.map((field) => (
                <li key={`${field.path} ${field.message}`}>
                  <code className="text-sm">{field.path}</code>: <bdi>{field.message}</bdi>
                </li>
              ))}
            </ul>
          )}
        </ErrorCard>
      )}
      <div className="flex flex-wrap justify-end gap-2">
        <Button onClick={onBack}>{t('import.back')}</Button>
        <Button tone="primary" busy={install.isPending} disabled={disabled} onClick={() => install.mutate()}>
          {word}
        </Button>
      </div>
    </>
  )
}
