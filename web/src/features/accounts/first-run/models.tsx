import { type Discovery, type Model, connectionsRoutes } from '@atrium/contract/connections'
import { useQuery } from '@tanstack/react-query'
import { ArrowRight, FileText, KeyRound, Link2, Server } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { queryOf } from '../../../api/query.ts'
import { FoundRuntimes } from '../../../blocks/connect/found-runtimes.tsx'
import { Outcome } from '../../../blocks/connect/outcome.tsx'
import { PasteKey } from '../../../blocks/connect/paste-key.tsx'
import { type ConnectionResult, QuickConnect } from '../../../blocks/connect/quick-connect.tsx'
import { Trial } from '../../../blocks/connect/trial.tsx'
import { useTitle } from '../../../lib/title.ts'
import { Button } from '../../../ui/button.tsx'
import { CenteredPage } from '../../../ui/centered-page.tsx'
import { FirstAnswer } from './first-answer.tsx'
import { useText } from 'virtual:words/accounts-first-run'

/** Three ways to a model: found on this machine, by an API key, at an address; then the first answer. */
export function FirstModels({ onDone }: { onDone: () => void }) {
  const t = useText('accounts-first-run')
  useTitle(t('modelsTitle'))
  const [open, setOpen] = useState<'key' | 'address' | null>('key')
  const [pasted, setPasted] = useState('')
  const [byKey, setByKey] = useState<ConnectionResult | null>(null)
  const [byAddress, setByAddress] = useState<ConnectionResult | null>(null)
  const models = useQuery(queryOf(connectionsRoutes.models))
  const usable = models.data?.items.filter((model) => model.selection.providerType !== 'builtin') ?? []
  const first = firstModel(usable, byKey ?? byAddress)
  return (
    <CenteredPage wide title={t('modelsTitle')} lead={t('modelsLead')}>
      <div className="flex flex-col gap-3">
        <Way icon={<Server />} title={t('foundTitle')}>
          <FoundRuntimes />
        </Way>
        <Way icon={<KeyRound />} title={t('keyTitle')}>
          {byKey && open !== 'key' && <Made made={byKey} />}
          {open === 'key' ? (
            <PasteKey
              onCancel={() => setOpen(null)}
              onAddress={(address) => {
                setPasted(address)
                setOpen('address')
              }}
              onDone={({ connection: { id, name }, discovery }) => {
                setByKey({ id, name, discovery })
                setOpen(null)
              }}
            />
          ) : (
            <Offer text={byKey ? null : t('keyText')} onOpen={() => setOpen('key')}>
              {byKey ? t('keyMore') : t('keyEnter')}
            </Offer>
          )}
        </Way>
        <Way icon={<Link2 />} title={t('urlTitle')}>
          {byAddress && open !== 'address' && <Made made={byAddress} />}
          {open === 'address' ? (
            <QuickConnect
              initialUrl={pasted}
              onCancel={() => setOpen(null)}
              onDone={(connected) => {
                setPasted('')
                setByAddress(connected)
                setOpen(null)
              }}
            />
          ) : (
            <Offer text={byAddress ? null : t('urlText')} onOpen={() => setOpen('address')}>
              {byAddress ? t('urlMore') : t('urlEnter')}
            </Offer>
          )}
        </Way>
        {usable.length === 0 && (
          <Way icon={<FileText />} title={t('excerptsTitle')}>
            <p className="text-muted">{t('excerptsText')}</p>
          </Way>
        )}
      </div>
      {first && <FirstAnswer key={JSON.stringify(first.selection)} model={first} />}
      <div className="mt-6 flex flex-wrap items-center justify-end gap-3">
        <p className="min-w-0 flex-1 text-sm text-muted">{t('later')}</p>
        <Button
          tone={first ? 'primary' : 'plain'}
          size="large"
          onClick={onDone}
          icon={<ArrowRight className="order-last size-4" />}
        >
          {first ? t('start') : t('without')}
        </Button>
      </div>
    </CenteredPage>
  )
}

/** What was connected just now is asked first; a small model of many answers soonest and costs least. */
function firstModel(usable: readonly Model[], made: ConnectionResult | null): Model | undefined {
  const own = made && usable.filter(({ selection }) => selection.providerId === made.id)
  const among = own?.length ? own : usable
  return among.find(({ name }) => /(^|[^a-z])(mini|nano|small|flash|haiku|lite)([^a-z]|$)/i.test(name)) ?? among[0]
}

/** What became of a key or an address; a connection is tried at once, step by step. */
function Made({ made: { id, name, discovery } }: { made: ConnectionResult }) {
  const t = useText('accounts-first-run')
  return (
    <div className="mb-3">
      <p className="font-medium">
        <bdi>{name}</bdi>
      </p>
      {discovery ? <Outcome discovery={discovery} /> : <p className="text-ok-ink">{t('madeRuntime')}</p>}
      {id && isUsable(discovery) && <Trial key={id} id={id} atOnce />}
    </div>
  )
}

const isUsable = (discovery: Discovery | null): boolean =>
  discovery?.outcome === 'updated' || discovery?.outcome === 'unchanged'

function Offer({ text, onOpen, children }: { text: string | null; onOpen: () => void; children: ReactNode }) {
  return (
    <div className="flex flex-wrap items-center justify-end gap-3">
      {text && <p className="min-w-48 flex-1 text-muted">{text}</p>}
      <Button size="small" onClick={onOpen}>
        {children}
      </Button>
    </div>
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
