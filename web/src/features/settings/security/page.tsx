import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { Group } from '../../../blocks/setting-row/row.tsx'
import { links } from '../../../lib/links.ts'
import { Passkeys } from '../passkeys/section.tsx'
import { SecondFactor } from '../second-factor/section.tsx'
import { useText } from 'virtual:words/settings'
import { Identities } from './identities.tsx'
import { PasswordForm } from './password-form.tsx'
import { Sessions } from './sessions.tsx'
import { SupportAccess } from './support-access.tsx'

/** Everything by which the account is held: one section for each. */
export function Security() {
  const t = useText('settings')
  return (
    <div className="flex flex-col gap-9">
      <Section id="password" title={t('security.password')} text={t('security.passwordText')}>
        <PasswordForm />
      </Section>
      <Section id="secondFactor" title={t('security.secondFactor')} text={t('security.secondFactorText')}>
        <SecondFactor />
      </Section>
      <Section id="passkeys" title={t('security.passkeys')} text={t('security.passkeysText')}>
        <Passkeys />
      </Section>
      <Section id="identities" title={t('security.identities')} text={t('security.identitiesText')}>
        <Identities />
      </Section>
      <Section id="sessions" title={t('security.sessions')} text={t('security.sessionsText')}>
        <Sessions />
      </Section>
      <Section id="sharedByMe" title={t('security.sharedByMe')} text={t('security.sharedByMeText')}>
        <Link
          to={links.sharedByMe()}
          className="mt-2 inline-block font-medium text-accent-ink underline underline-offset-2"
        >
          {t('security.sharedByMeOpen')}
        </Link>
      </Section>
      <Section id="supportAccess" title={t('security.supportAccess')} text={t('security.supportAccessText')}>
        <SupportAccess />
      </Section>
    </div>
  )
}

function Section({ id, title, text, children }: { id: string; title: string; text: string; children: ReactNode }) {
  return (
    <section id={id} className="-mx-3 rounded-lg px-3">
      <Group title={title} text={text}>
        {children}
      </Group>
    </section>
  )
}
