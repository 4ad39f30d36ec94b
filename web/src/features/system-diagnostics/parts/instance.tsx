import type { InstanceHistory, InstanceReport } from '@atrium/contract/system-diagnostics'
import { BackupsSection } from './backups.tsx'
import { BubblewrapSection } from './bubblewrap.tsx'
import { CertificateSection } from './certificate.tsx'
import { DatabaseSection } from './database.tsx'
import { HistorySection } from './history.tsx'
import { JobsSection } from './jobs.tsx'
import { LimitsSection } from './limits.tsx'
import { ModelsSection } from './models.tsx'
import { ProcessesSection } from './processes.tsx'
import { SearchSection } from './search.tsx'

/** What the instance is doing, and did in the last hour. */
export function InstanceGroups({ data, history }: { data: InstanceReport; history: InstanceHistory | undefined }) {
  return (
    <>
      <ProcessesSection processes={data.processes} />
      {history && <HistorySection history={history} />}
      <LimitsSection limits={data.limits} />
      <JobsSection jobs={data.jobs} />
      <div className="grid gap-x-6 tab:grid-cols-2">
        <div className="min-w-0">
          <DatabaseSection database={data.database} />
          <BackupsSection />
        </div>
        <div className="min-w-0">
          <SearchSection search={data.search} />
          <ModelsSection models={data.models} />
          <CertificateSection certificate={data.certificate} />
          <BubblewrapSection bubblewrap={data.bubblewrap} />
        </div>
      </div>
    </>
  )
}
