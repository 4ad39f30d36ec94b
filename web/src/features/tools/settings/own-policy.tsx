import { type CatalogEntry, type ToolMode, toolsRoutes as routes } from '@atrium/contract/tools'
import { useQuery } from '@tanstack/react-query'
import { call } from '../../../api/client.ts'
import { queryOf, refresh } from '../../../api/query.ts'
import { QueryView } from '../../../blocks/setting-row/query-view.tsx'
import { Row, useSave } from '../../../blocks/setting-row/row.tsx'
import { Section } from '../../../blocks/setting-row/section.tsx'
import { ToolIcon, toolName } from '../../../blocks/tool-calls/tool-words.tsx'
import { Disclosure } from '../../../ui/disclosure.tsx'
import { Select } from '../../../ui/select.tsx'
import { useText as useToolWords } from 'virtual:words/tool-calls'
import { useText } from 'virtual:words/tools'

const strictness = ['allow', 'ask', 'never'] as const satisfies readonly ToolMode[]

/** For each tool that models may use for oneself: what administrators decided, or something stricter. */
export function OwnPolicy() {
  const t = useText('tools')
  const catalog = useQuery({ ...queryOf(routes.catalog), staleTime: 0 })
  return (
    <Section id="policy" title={t('own.title')} text={t('own.text')}>
      <QueryView query={catalog}>
        {({ tools }) =>
          tools.length === 0 ? (
            <p className="py-3 text-muted">{t('own.none')}</p>
          ) : (
            [...Map.groupBy(tools, ({ serverId }) => serverId)].map(([serverId, own]) => (
              <Disclosure
                key={serverId ?? 'builtin'}
                title={t('own.group', { name: own[0]?.serverName ?? t('builtin.title'), count: own.length })}
              >
                {own.map((tool) => (
                  <ToolRow key={tool.id} tool={tool} />
                ))}
              </Disclosure>
            ))
          )
        }
      </QueryView>
    </Section>
  )
}

function ToolRow({ tool }: { tool: CatalogEntry }) {
  const t = useText('tools')
  const words = useToolWords('tool-calls')
  const { saving, save } = useSave()
  const { id: toolId, rule, ownMode } = tool
  const choose = (mode: ToolMode | 'rule') =>
    void save(async () => {
      await call(routes.savePolicy, { body: { toolId, mode: mode === 'rule' ? null : mode } })
      await refresh(routes.catalog)
    })
  const stricter = strictness.slice(strictness.indexOf(rule) + 1)
  return (
    <Row
      id={`own-${toolId}`}
      label={toolName(words, tool)}
      help={
        <span className="flex items-start gap-2">
          <ToolIcon tool={tool} className="mt-0.5 size-4 shrink-0" />
          {t(tool.sideEffect ? 'effect.sideEffect' : 'own.reads')}
        </span>
      }
      saving={saving}
    >
      {(names) => (
        <Select
          {...names}
          value={ownMode !== null && stricter.includes(ownMode) ? ownMode : 'rule'}
          disabled={stricter.length === 0}
          onChange={choose}
          options={[
            { value: 'rule' as const, label: t('own.rule', { mode: t(`policy.${rule}`) }) },
            ...stricter.map((value) => ({ value, label: t(`policy.${value}`) })),
          ]}
          className="w-56 max-w-full"
        />
      )}
    </Row>
  )
}
