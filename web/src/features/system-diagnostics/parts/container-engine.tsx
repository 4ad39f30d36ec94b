import type { ContainerEngine } from '@atrium/contract/system-diagnostics'
import { Info, TriangleAlert } from 'lucide-react'
import { classNames } from '../../../lib/class-names.ts'
import { formatAgo, formatDateTime, formatNumber, formatSize } from '../../../lib/format.ts'
import { DataTable } from '../../../ui/data-table.tsx'
import { Section } from '../../../ui/section.tsx'
import { useText } from 'virtual:words/system-diagnostics'
import { Facts, Unread } from './facts.tsx'

/** The container engine with its containers, or why nothing is known of it. */
export function ContainerEngineSection({ engine }: { engine: ContainerEngine }) {
  const t = useText('system-diagnostics')
  return (
    <Section title={t('engine.title')}>
      {engine.available ? <ContainerEngineState engine={engine} /> : <Reason reason={engine.reason ?? 'unreachable'} />}
    </Section>
  )
}

/** What is the matter, and what can be done about it. No engine at all is how most have it. */
function Reason({ reason }: { reason: NonNullable<ContainerEngine['reason']> }) {
  const t = useText('system-diagnostics')
  const usual = reason === 'not_mounted'
  const Icon = usual ? Info : TriangleAlert
  return (
    <div
      role="status"
      className={classNames(
        'flex items-start gap-2.5 rounded-lg border border-line px-3.5 py-3',
        usual ? 'bg-sunken' : 'bg-warn-soft',
      )}
    >
      <Icon aria-hidden className={classNames('mt-0.75 size-4 shrink-0', usual ? 'text-muted' : 'text-warn-ink')} />
      <div className="min-w-0">
        <p className="font-medium">{t(`engine.reason.${reason}.title`)}</p>
        <p className="mt-0.5 break-words">{t(`engine.reason.${reason}.text`)}</p>
      </div>
    </div>
  )
}

function ContainerEngineState({ engine }: { engine: ContainerEngine }) {
  const t = useText('system-diagnostics')
  const count = (value: number | undefined) => value !== undefined && formatNumber(value)
  const containers = engine.containers ?? []
  return (
    <>
      <div className="grid gap-3 tab:grid-cols-2 tab:gap-x-6">
        <Facts
          facts={[
            [t('engine.version'), engine.serverVersion],
            [t('engine.system'), engine.operatingSystem],
            [t('engine.kernel'), [engine.kernelVersion, engine.architecture].filter(Boolean).join(' ')],
            [t('host.cpus'), count(engine.logicalCpus)],
            [t('memory.title'), engine.memoryBytes !== undefined && formatSize(engine.memoryBytes)],
          ]}
        />
        <Facts
          facts={[
            [t('engine.total'), count(engine.totalContainers)],
            [t('engine.state.running'), count(engine.runningContainers)],
            [t('engine.state.paused'), count(engine.pausedContainers)],
            [t('engine.state.exited'), count(engine.stoppedContainers)],
          ]}
        />
      </div>
      <div className="mt-3">
        {containers.length === 0 ? (
          <Unread>{t('engine.none')}</Unread>
        ) : (
          <DataTable
            label={t('engine.containers')}
            rows={containers}
            keyOf={({ id, name }) => `${id} ${name}`}
            columns={[
              {
                name: t('engine.container'),
                rowHead: true,
                cell: ({ id, name }) => (
                  <>
                    <bdi>{name || id}</bdi>
                    <span className="block text-xs text-muted">
                      <bdi dir="ltr">{id}</bdi>
                    </span>
                  </>
                ),
              },
              { name: t('engine.stateName'), cell: ({ state, status }) => <State state={state} status={status} /> },
              { name: t('engine.image'), cell: ({ image }) => <bdi dir="ltr">{image}</bdi> },
              {
                name: t('engine.created'),
                end: true,
                cell: ({ createdAt }) =>
                  createdAt === null ? '–' : <span title={formatDateTime(createdAt)}>{formatAgo(createdAt)}</span>,
              },
            ]}
          />
        )}
        {engine.totalContainers !== undefined && engine.totalContainers > containers.length && (
          <p className="mt-2 text-sm text-muted">
            {t('engine.more', { shown: formatNumber(containers.length), total: formatNumber(engine.totalContainers) })}
          </p>
        )}
      </div>
    </>
  )
}

const dots: Readonly<Record<string, string>> = {
  running: 'bg-ok-ink',
  paused: 'bg-warn-ink',
  restarting: 'bg-warn-ink',
  dead: 'bg-danger-ink',
}
const known = ['created', 'running', 'paused', 'restarting', 'removing', 'exited', 'dead']

/** The state as a dot and a word, and what the engine says of it. */
function State({ state, status }: { state: string; status: string }) {
  const t = useText('system-diagnostics')
  return (
    <>
      <span className="flex items-center gap-2">
        <span aria-hidden className={classNames('size-2 shrink-0 rounded-full', dots[state] ?? 'bg-line-strong')} />
        {known.includes(state) ? t(`engine.state.${state}`) : <bdi>{state || '–'}</bdi>}
      </span>
      <span className="block text-xs text-muted">
        <bdi dir="ltr">{status}</bdi>
      </span>
    </>
  )
}
