import { type InstanceReport, systemDiagnosticsRoutes, type SystemReport } from '@atrium/contract/system-diagnostics'
import { recoveryBackupRoutes } from '@atrium/contract/recovery-backup'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { CircleCheck } from 'lucide-react'
import type { ReactNode } from 'react'
import { queryOf } from '../../../api/query.ts'
import { AlertList } from '../../../blocks/alerts/alert-list.tsx'
import { useAlerts } from '../../../blocks/alerts/use-alerts.ts'
import { QueryView } from '../../../blocks/setting-row/query-view.tsx'
import { formatAgo, formatDateTime, formatDay, formatNumber, formatSize } from '../../../lib/format.ts'
import { links } from '../../../lib/links.ts'
import { Section } from '../../../ui/section.tsx'
import { useLive } from '../use-live.ts'
import { Checklist } from './checklist.tsx'
import { useText } from 'virtual:words/system-diagnostics'

/** What is wrong first, each with what to do; then how the instance is, in a few figures. */
export function Overview() {
  const t = useText('system-diagnostics')
  const instance = useLive(systemDiagnosticsRoutes.instance)
  const system = useLive(systemDiagnosticsRoutes.read)
  return (
    <>
      <div id="problems">
        <AlertList linked />
        <NoAlerts />
      </div>
      <Checklist />
      <Section id="state" title={t('overview.title')}>
        <QueryView query={instance} title={t('instance.notLoaded')} lines={6}>
          {(data) => <Tiles data={data} filesystems={system.data?.filesystems ?? []} />}
        </QueryView>
      </Section>
    </>
  )
}

/** That all is well, once that is known: what was so before a load that failed says nothing about now. */
function NoAlerts() {
  const t = useText('system-diagnostics')
  const { data, isError, isPending, error, refetch } = useAlerts()
  const query = { data: isError ? undefined : data, isPending, error, refetch }
  return (
    <QueryView query={query} title={t('overview.problemsNotLoaded')} lines={2}>
      {({ items }) => items.length === 0 && <AllWell />}
    </QueryView>
  )
}

function AllWell() {
  const t = useText('system-diagnostics')
  return (
    <div className="mt-4 flex gap-3 rounded-md border border-line bg-raised px-3.5 py-3">
      <CircleCheck aria-hidden className="mt-0.5 size-4 shrink-0 text-ok-ink" />
      <div className="min-w-0">
        <p className="font-medium">{t('overview.well')}</p>
        <Link className="text-sm text-muted underline" to={links.settings('doctor')}>
          {t('overview.wellText')}
        </Link>
      </div>
    </div>
  )
}

function Tiles({ data, filesystems }: { data: InstanceReport; filesystems: SystemReport['filesystems'] }) {
  const t = useText('system-diagnostics')
  const { processes, jobs, database, certificate } = data
  const sum = (name: 'due' | 'running' | 'failed') => (jobs ?? []).reduce((total, kind) => total + kind[name], 0)
  const disk = filesystems.find(({ label }) => label === 'data')
  const versions = [...new Set(processes.map(({ version }) => version))]
  return (
    <ul className="grid grid-cols-2 gap-3 tab:grid-cols-3">
      <Tile
        name={t('overview.answers')}
        value={formatNumber(processes.reduce((total, { answers }) => total + answers, 0))}
        text={t('overview.processes', { count: processes.length })}
        to={links.system()}
      />
      <Tile
        name={t('overview.jobs')}
        value={jobs ? formatNumber(sum('running')) : t('overview.unread')}
        text={jobs && t('overview.jobsText', { due: formatNumber(sum('due')), failed: formatNumber(sum('failed')) })}
        isBad={sum('failed') > 0}
        to={links.settings('jobs')}
      />
      <Tile
        name={t('overview.storage')}
        value={
          disk
            ? formatNumber(disk.usedPercent / 100, { style: 'percent', maximumFractionDigits: 0 })
            : t('overview.unread')
        }
        text={disk && t('overview.free', { free: formatSize(disk.freeBytes) })}
        isBad={(disk?.usedPercent ?? 0) >= 90}
        to={links.system()}
      />
      <Tile
        name={t('overview.database')}
        value={database ? formatSize(database.sizeBytes) : t('overview.unread')}
        text={database && (database.dialect === 'sqlite' ? 'SQLite' : 'PostgreSQL')}
        to={links.system()}
      />
      <Tile
        name={t('overview.versions')}
        value={versions.join(', ')}
        text={t(versions.length > 1 ? 'overview.differentVersions' : 'overview.sameVersion')}
        isBad={versions.length > 1}
        to={links.system()}
      />
      <BackupTile />
      {certificate && <CertificateTile {...certificate} />}
    </ul>
  )
}

const dayMs = 24 * 3_600_000

function CertificateTile({ expiresAt, isTrusted }: NonNullable<InstanceReport['certificate']>) {
  const t = useText('system-diagnostics')
  const days = Math.max(0, Math.floor((Date.parse(expiresAt) - Date.now()) / dayMs))
  return (
    <Tile
      name={t('overview.certificate')}
      value={t('overview.days', { count: days })}
      text={isTrusted ? t('overview.ends', { day: formatDay(expiresAt) }) : t('overview.untrusted')}
      isBad={!isTrusted || days < 15}
      to={links.settings('doctor')}
    />
  )
}

/** Not there until it is known. */
function BackupTile() {
  const t = useText('system-diagnostics')
  const { data } = useQuery(queryOf(recoveryBackupRoutes.backupsState))
  if (!data) return null
  const { lastMadeAt, lastFailure, nextAt } = data
  return (
    <Tile
      name={t('overview.backup')}
      value={lastMadeAt ? formatAgo(lastMadeAt) : t('overview.noBackup')}
      text={
        lastFailure
          ? t('overview.backupFailed')
          : nextAt
            ? t('overview.nextBackup', { time: formatDateTime(nextAt) })
            : t('overview.noSchedule')
      }
      isBad={lastFailure !== null || lastMadeAt === null}
      to={links.settings('backups')}
    />
  )
}

/** One figure that leads to where there is more of it. */
function Tile(by: { name: string; value: string; text?: ReactNode; isBad?: boolean; to: string }) {
  return (
    <li className="min-w-0">
      <Link
        to={by.to}
        className="flex h-full flex-col rounded-lg border border-line bg-raised px-3.5 py-3 hover:bg-hover"
      >
        <span className="text-sm text-muted">{by.name}</span>
        <span className="mt-1 text-xl font-semibold break-words tabular-nums">
          <bdi>{by.value}</bdi>
        </span>
        {by.text && <span className={by.isBad ? 'text-sm text-danger-ink' : 'text-sm text-muted'}>{by.text}</span>}
      </Link>
    </li>
  )
}
