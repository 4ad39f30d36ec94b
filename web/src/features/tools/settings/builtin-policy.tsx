import { type CatalogEntry, type ToolMode, toolsRoutes as routes } from '@atrium/contract/tools'
import { useQuery } from '@tanstack/react-query'
import { call } from '../../../api/client.ts'
import { queryOf, refresh } from '../../../api/query.ts'
import { QueryView } from '../../../blocks/setting-row/query-view.tsx'
import { Row, useSave } from '../../../blocks/setting-row/row.tsx'
import { Section } from '../../../blocks/setting-row/section.tsx'
import { ToolIcon, toolName } from '../../../blocks/tool-calls/tool-words.tsx'
import { Select } from '../../../ui/select.tsx'
import { useText as useToolWords } from 'virtual:words/tool-calls'
import { useText } from 'virtual:words/tools'

const modes = ['allow', 'ask', 'never'] as const satisfies readonly ToolMode[]
const effects = ['sideEffect', 'readsPrivateData', 'readsForeignText', 'sendsData'] as const

/** What each built-in tool may do, and whether it runs at once, asks, or never runs. */
export function BuiltinPolicy({ isOff }: { isOff: boolean }) {
  const t = useText('tools')
  const catalog = useQuery({ ...queryOf(routes.catalog), staleTime: 0, enabled: !isOff })
  return (
    <Section id="builtin" title={t('builtin.title')} text={t('builtin.text')}>
      {isOff ? (
        <p className="py-3 text-muted">{t('builtin.off')}</p>
      ) : (
        <QueryView query={catalog}>
          {({ tools }) =>
            tools.filter(({ source }) => source === 'builtin').map((tool) => <ToolRow key={tool.id} tool={tool} />)
          }
        </QueryView>
      )}
    </Section>
  )
}

function ToolRow({ tool }: { tool: CatalogEntry }) {
  const t = useText('tools')
  const { saving, save } = useSave()
  const words = useToolWords('tool-calls')
  const label = toolName(words, tool)
  // The catalogue's id is sure to hold it, whatever models call the tool.
  const name = tool.id.replace(/^builtin:/, '')
  const choose = (mode: ToolMode) =>
    void save(async () => {
      await call(routes.saveBuiltin, { params: { name }, body: { mode } })
      await refresh(routes.catalog)
    })
  const does = effects.filter((effect) => tool[effect])
  return (
    <Row
      id={`tool-${name}`}
      label={label}
      help={
        <span className="flex items-start gap-2">
          <ToolIcon tool={tool} className="mt-0.5 size-4 shrink-0" />
          {does.length === 0 ? t('effect.none') : does.map((effect) => t(`effect.${effect}`)).join(' ')}
        </span>
      }
      saving={saving}
    >
      {(names) => (
        <Select
          {...names}
          value={tool.rule}
          onChange={choose}
          options={modes.map((value) => ({ value, label: t(`policy.${value}`) }))}
          className="w-44"
        />
      )}
    </Row>
  )
}
