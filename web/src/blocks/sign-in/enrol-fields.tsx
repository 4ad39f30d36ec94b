import type { Enrolment } from '@atrium/contract/accounts'
import { Skeleton } from '../../ui/skeleton.tsx'
import { CodeField } from './code-field.tsx'
import { SecretCard } from './secret-card.tsx'
import { useText } from 'virtual:words/sign-in'
import type { useCode } from './use-code.ts'

/** The secret for an authenticator app, and the first code that shows that it is there. */
export function EnrolFields({
  enrolment,
  first,
}: {
  /** Nothing while it is on its way. */
  enrolment: Enrolment | undefined
  first: ReturnType<typeof useCode>
}) {
  const t = useText('sign-in')
  if (!enrolment) return <Skeleton lines={6} />
  return (
    <>
      <SecretCard enrolment={enrolment} />
      <CodeField
        value={first.code}
        onChange={first.setCode}
        onFull={first.tryCode}
        label={t('enrol.code')}
        hint={t('enrol.codeHint')}
        error={first.wrong}
        disabled={first.busy}
      />
    </>
  )
}
