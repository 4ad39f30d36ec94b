import type { ServerTool, ToolServer } from '@atrium/contract/tool-servers'
import { wordsOf } from '../../../api/errors.ts'
import { PlainText } from '../../../blocks/tool-calls/plain-text.tsx'
import { useSave } from '../../../blocks/setting-row/row.tsx'
import { Badge } from '../../../ui/badge.tsx'
import { CheckField } from '../../../ui/check-field.tsx'
import { ExpandableRow } from '../../../ui/expandable-row.tsx'
import { Switch } from '../../../ui/switch.tsx'
import { useText } from 'virtual:words/tool-servers'
import { DefinitionText } from './definition-text.tsx'
import { changeTool } from './management.ts'
import { refreshServers } from './state.ts'

/** The tools of a server that were accepted, each with its switch, and those that nobody is offered, with the reason. */
export function ServerTools({ server, tools }: { server: ToolServer; tools: readonly ServerTool[] }) {
  const t = useText('tool-servers')
  const leftOut = server.details?.leftOut ?? []
  return (
    <>
      {tools.length === 0 && (
        <p className="py-3 text-muted">{t(server.specRevision === 0 ? 'tool.neverAsked' : 'tool.none')}</p>
      )}
      <ul>
        {tools.map((tool) => (
          <ToolRow key={tool.name} server={server} tool={tool} />
        ))}
      </ul>
      {leftOut.length > 0 && (
        <div className="mt-4">
          <h4 className="text-sm font-medium">{t('leftOut.title', { count: leftOut.length })}</h4>
          <ul className="mt-1 text-sm text-muted">
            {leftOut.map(({ name, reason }) => (
              <li key={`${name} ${reason}`}>
                <bdi className="font-mono text-xs wrap-anywhere">
                  <PlainText text={name} />
                </bdi>{' '}
                · {t(`leftOut.${reason}`)}
              </li>
            ))}
          </ul>
        </div>
      )}
    </>
  )
}

function ToolRow({ server, tool }: { server: ToolServer; tool: ServerTool }) {
  const t = useText('tool-servers')
  const { saving, save } = useSave()
  const { name, title, sideEffect, claimsReadOnly, enabled, state } = tool
  const change = (body: { enabled?: boolean; sideEffect?: boolean }) =>
    void save(async () => {
      await changeTool(server, name, body)
      await refreshServers()
    })
  return (
    <li className="border-b border-line">
      <div className="flex items-start gap-3">
        <ExpandableRow
          name={title ?? name}
          about={title ? name : ''}
          end={
            <>
              {state !== 'offered' && <Badge tone="warn">{t(`tool.state.${state}`)}</Badge>}
              <Badge tone={sideEffect ? 'info' : 'plain'}>{t(sideEffect ? 'tool.asks' : 'tool.reads')}</Badge>
            </>
          }
        >
          <div className="mb-3 ms-7 flex flex-col gap-3">
            <DefinitionText definition={tool} />
            <CheckField
              label={t('tool.readOnly')}
              hint={t(claimsReadOnly ? 'tool.claims' : 'tool.claimsNot')}
              checked={!sideEffect}
              disabled={saving.state === 'saving'}
              onChange={(on) => change({ sideEffect: !on })}
            />
          </div>
        </ExpandableRow>
        <Switch
          aria-label={t('tool.offer', { name })}
          checked={enabled}
          disabled={saving.state === 'saving'}
          onChange={(on) => change({ enabled: on })}
          className="mt-2.5"
        />
      </div>
      {saving.state === 'failed' && (
        <p role="alert" className="mb-2 text-sm text-danger-ink">
          {wordsOf(saving.error)}
        </p>
      )}
    </li>
  )
}
