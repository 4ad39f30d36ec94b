import type { Enrolment } from '@atrium/contract/accounts'
import { CopyButton } from '../copy-button.tsx'
import { QrCode } from './qr-code.tsx'
import { useText } from 'virtual:words/sign-in'

/** What goes into an authenticator app: a QR code to scan, and the same as text to type. */
export function SecretCard({ enrolment }: { enrolment: Enrolment }) {
  const t = useText('sign-in')
  return (
    <div className="flex flex-col gap-3">
      <div className="flex justify-center">
        <QrCode text={enrolment.otpauthUrl} label={t('enrol.qr')} />
      </div>
      <div>
        <p className="text-sm text-muted">{t('enrol.byHand')}</p>
        <div className="mt-1.5 flex items-center gap-1 rounded-md border border-line-strong bg-sunken py-1 ps-3 pe-1">
          <code dir="ltr" className="min-w-0 flex-1 text-start font-mono text-sm break-words select-all">
            {enrolment.secret.replace(/(.{4})(?=.)/g, '$1 ')}
          </code>
          <CopyButton text={enrolment.secret} label={t('enrol.copySecret')} />
        </div>
      </div>
    </div>
  )
}
