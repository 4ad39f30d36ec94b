import { modelManagement } from '@atrium/contract/model-management'
import { useQuery } from '@tanstack/react-query'
import { ArrowRight, FileText, Link2, Server } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { queryOf } from '../../api/query.ts'
import { FoundRuntimes } from '../../blocks/connect/found-runtimes.tsx'
import { Outcome } from '../../blocks/connect/outcome.tsx'
import { type Connected, QuickConnect } from '../../blocks/connect/quick-connect.tsx'
import { useTitle } from '../../lib/title.ts'
import { Button } from '../../ui/button.tsx'
import { GatePage } from '../../ui/gate-page.tsx'
import { useText } from './texts.ts'

/** “Where are your models?”: found on this machine, at an address, or none yet. */
export function FirstModels({ onDone }: { onDone: () => void }) {
  const t = useText('first-run')
  useTitle(t('modelsTitle'))
  const [form, setForm] = useState(false)
  const [made, setMade] = useState<Connected | null>(null)
  const models = useQuery(queryOf(modelManagement.models))
  const usable = models.data?.items.filter((model) => model.selection.providerType !== 'builtin').length ?? 0
  return (
    <GatePage wide title={t('modelsTitle')} lead={t('modelsLead')}>
      <div className="flex flex-col gap-3">
        <Way icon={<Server />} title={t('foundTitle')}>
          <FoundRuntimes />
        </Way>
        <Way icon={<Link2 />} title={t('urlTitle')}>
          {made && (
            <div className="mb-3">
              <p className="font-medium">{made.connection.name}</p>
              <Outcome discovery={made.discovery} />
            </div>
          )}
          {form ? (
            <QuickConnect
              onCancel={() => setForm(false)}
              onDone={(connected) => {
                setMade(connected)
                setForm(false)
              }}
            />
          ) : (
            <div className="flex flex-wrap items-center gap-3">
              <p className="min-w-0 flex-1 text-muted">{t('urlText')}</p>
              <Button size="small" onClick={() => setForm(true)}>
                {made ? t('urlMore') : t('urlEnter')}
              </Button>
            </div>
          )}
        </Way>
        <Way icon={<FileText />} title={t('excerptsTitle')}>
          <p className="text-muted">{t('excerptsText')}</p>
        </Way>
      </div>
      <div className="mt-6 flex flex-wrap items-center justify-end gap-3">
        <p className="min-w-0 flex-1 text-sm text-muted">{t('later')}</p>
        <Button
          tone={usable > 0 ? 'primary' : 'plain'}
          size="large"
          onClick={onDone}
          icon={<ArrowRight className="order-last size-4 rtl:-scale-x-100" />}
        >
          {usable > 0 ? t('start', { count: usable }) : t('without')}
        </Button>
      </div>
    </GatePage>
  )
}

function Way({ icon, title, children }: { icon: ReactNode; title: string; children: ReactNode }) {
  return (
    <section className="rounded-xl border border-line bg-surface p-4">
      <h2 className="mb-2.5 flex items-center gap-2 font-semibold [&_svg]:size-4 [&_svg]:text-accent-ink">
        {icon}
        {title}
      </h2>
      {children}
    </section>
  )
}
