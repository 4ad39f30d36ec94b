import type { InstanceReport } from '@atrium/contract/system-diagnostics'
import { formatDateTime } from '../../../lib/format.ts'
import { Section } from '../../../ui/section.tsx'
import { useText } from 'virtual:words/system-diagnostics'
import { Facts, Unread } from './facts.tsx'

/** The certificate at the public address. */
export function CertificateSection({ certificate }: { certificate: InstanceReport['certificate'] }) {
  const t = useText('system-diagnostics')
  return (
    <Section title={t('overview.certificate')}>
      {certificate ? (
        <Facts
          facts={[
            [t('certificate.host'), certificate.host],
            [t('certificate.ends'), formatDateTime(certificate.expiresAt)],
            [t('certificate.trust'), t(certificate.isTrusted ? 'certificate.trusted' : 'overview.untrusted')],
          ]}
        />
      ) : (
        <Unread>{t('certificate.none')}</Unread>
      )}
    </Section>
  )
}
