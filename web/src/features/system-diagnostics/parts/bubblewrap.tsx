import type { InstanceReport } from '@atrium/contract/system-diagnostics'
import { Section } from '../../../ui/section.tsx'
import { useText } from 'virtual:words/system-diagnostics'
import { Facts } from './facts.tsx'

/** Whether bubblewrap works here, and if not, why; nothing needs it. */
export function BubblewrapSection({ bubblewrap: { works, version, reason } }: Pick<InstanceReport, 'bubblewrap'>) {
  const t = useText('system-diagnostics')
  const state = works ? t('bubblewrap.works') : t(`bubblewrap.reason.${reason ?? 'failed'}.title`)
  return (
    <Section title={t('bubblewrap.title')}>
      <p className="font-medium">{state}</p>
      <p className="mt-0.5 text-muted">
        {works ? t('bubblewrap.text') : t(`bubblewrap.reason.${reason ?? 'failed'}.text`)}
      </p>
      {version !== null && <Facts facts={[[t('bubblewrap.version'), version]]} />}
    </Section>
  )
}
