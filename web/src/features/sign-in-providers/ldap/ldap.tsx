import { signInProvidersRoutes } from '@atrium/contract/sign-in-providers'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { queryOf } from '../../../api/query.ts'
import { Badge } from '../../../ui/badge.tsx'
import { Button } from '../../../ui/button.tsx'
import { QueryView } from '../../../blocks/setting-row/query-view.tsx'
import { Section } from '../../../blocks/setting-row/section.tsx'
import { LdapForm } from './ldap-form.tsx'
import { LdapTrialDialog } from './ldap-trial.tsx'
import { useText } from 'virtual:words/sign-in-providers-ldap'

/** Signing in with a directory: how it stands, and the way to its settings and its trial. */
export function Ldap() {
  const t = useText('sign-in-providers-ldap')
  const settings = useQuery(queryOf(signInProvidersRoutes.ldap))
  const [open, setOpen] = useState<'form' | 'trial' | null>(null)
  return (
    <Section id="ldap" title={t('ldap.title')} text={t('ldap.text')}>
      <QueryView query={settings}>
        {(ldap) => (
          <div className="flex flex-wrap items-center gap-x-3 gap-y-2 border-b border-line py-3">
            <div className="flex min-w-52 flex-1 items-center gap-2">
              <Badge tone={ldap.enabled ? 'ok' : 'plain'}>{t(ldap.enabled ? 'ldap.on' : 'ldap.off')}</Badge>
              <bdi dir="ltr" className="min-w-0 truncate text-sm text-muted">
                {ldap.url}
              </bdi>
            </div>
            <div className="flex gap-2">
              <Button size="small" onClick={() => setOpen('form')}>
                {t(ldap.url === '' ? 'ldap.setUp' : 'ldap.edit')}
              </Button>
              {ldap.url !== '' && (
                <Button size="small" onClick={() => setOpen('trial')}>
                  {t('ldap.test')}
                </Button>
              )}
            </div>
            {open === 'form' && <LdapForm settings={ldap} onClose={() => setOpen(null)} />}
            {open === 'trial' && <LdapTrialDialog onClose={() => setOpen(null)} />}
          </div>
        )}
      </QueryView>
    </Section>
  )
}
