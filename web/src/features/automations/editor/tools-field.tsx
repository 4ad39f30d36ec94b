import { type CatalogEntry, toolsRoutes } from '@atrium/contract/tools'
import { useQuery } from '@tanstack/react-query'
import { detailsOf, wordsOf } from '../../../api/errors.ts'
import { queryOf } from '../../../api/query.ts'
import { ToolIcon, toolName } from '../../../blocks/tool-calls/tool-words.tsx'
import { CheckField } from '../../../ui/check-field.tsx'
import { Disclosure } from '../../../ui/disclosure.tsx'
import { ErrorCard } from '../../../ui/error-card.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { useText } from 'virtual:words/automations'
import { useText as useToolWords } from 'virtual:words/tool-calls'
import { formatNumber } from '../../../lib/format.ts'

/** The contract's; its values are not loaded with the page. */
const mostTools = 64

/** Which tools the model may use, each by its name. */
export function ToolsField({ chosen, onChange }: { chosen: readonly string[]; onChange: (ids: string[]) => void }) {
  const t = useText('automations')
  const title = chosen.length === 0 ? t('tools') : t('toolsChosen', { count: formatNumber(chosen.length) })
  return (
    <Disclosure title={title}>
      <Tools chosen={chosen} onChange={onChange} />
    </Disclosure>
  )
}

function Tools({ chosen, onChange }: { chosen: readonly string[]; onChange: (ids: string[]) => void }) {
  const t = useText('automations')
  const catalog = useQuery(queryOf(toolsRoutes.catalog))
  if (catalog.error)
    return (
      <ErrorCard title={t('toolsFailed')} details={detailsOf(catalog.error)} onRetry={() => void catalog.refetch()}>
        {wordsOf(catalog.error)}
      </ErrorCard>
    )
  if (!catalog.data) return <Skeleton lines={4} />
  const { tools } = catalog.data
  const gone = chosen.filter((id) => !tools.some((tool) => tool.id === id))
  const toggle = (id: string, on: boolean) => onChange(on ? [...chosen, id] : chosen.filter((one) => one !== id))
  return (
    <fieldset className="mt-2 flex flex-col gap-2">
      <legend className="mb-2 text-sm text-muted">{t(tools.length === 0 ? 'noTools' : 'toolsHint')}</legend>
      {tools.map((tool) => (
        <CheckField
          key={tool.id}
          label={<Name tool={tool} />}
          checked={chosen.includes(tool.id)}
          disabled={!chosen.includes(tool.id) && chosen.length >= mostTools}
          onChange={(on) => toggle(tool.id, on)}
        />
      ))}
      {gone.map((id) => (
        <CheckField
          key={id}
          label={
            <>
              <bdi className="wrap-anywhere">{id}</bdi> <span className="text-sm text-danger-ink">{t('toolGone')}</span>
            </>
          }
          checked
          onChange={() => toggle(id, false)}
        />
      ))}
    </fieldset>
  )
}

function Name({ tool }: { tool: CatalogEntry }) {
  const t = useText('automations')
  const words = useToolWords('tool-calls')
  return (
    <span className="inline-flex min-w-0 flex-wrap items-center gap-x-2">
      <ToolIcon tool={tool} className="size-4 shrink-0 text-muted" />
      <bdi className="wrap-anywhere">{toolName(words, tool)}</bdi>
      {tool.serverName !== null && <bdi className="text-sm text-muted">{tool.serverName}</bdi>}
      {tool.mode === 'ask' && <span className="text-sm text-muted">{t('toolAsks')}</span>}
    </span>
  )
}
