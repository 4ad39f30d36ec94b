import { mailRoutes, type EmailSettings, type MailField } from '@atrium/contract/mail'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Problem } from '../../../api/errors.ts'
import { queryOf } from '../../../api/query.ts'
import { Badge } from '../../../ui/badge.tsx'
import { SegmentedControl } from '../../../ui/segmented-control.tsx'
import { QueryView } from '../../../blocks/setting-row/query-view.tsx'
import { Row, useSave } from '../../../blocks/setting-row/row.tsx'
import { SwitchRow } from '../../../blocks/setting-row/switch-row.tsx'
import { TextRow } from '../../../blocks/setting-row/text-row.tsx'
import { Account } from './account.tsx'
import { saveSettings } from './store.ts'
import { useText } from 'virtual:words/mail'
import { Trial } from './trial.tsx'

/** What an administrator sees of it; the server leaves the rest out for others. */
export type MailSettings = Required<EmailSettings>

/** Through which server mail goes out. */
export function Email() {
  const t = useText('mail')
  const settings = useQuery(queryOf(mailRoutes.settings))
  return (
    <>
      <p className="text-muted">{t('about')}</p>
      <QueryView query={settings}>{(value) => <Rows settings={value as MailSettings} />}</QueryView>
    </>
  )
}

function Rows({ settings }: { settings: MailSettings }) {
  const t = useText('mail')
  const text = (id: 'host' | 'from' | 'appUrl', more: { placeholder?: string } = {}) =>
    settings.sources[id] === 'environment' ? (
      <Locked id={id} help={t(`${id}Help`)}>
        {settings[id]}
      </Locked>
    ) : (
      <TextRow
        id={id}
        label={t(id)}
        help={t(`${id}Help`)}
        value={settings[id]}
        maxLength={500}
        ltr
        {...more}
        onSave={(value) => saveSettings({ [id]: value.trim() })}
      />
    )
  return (
    <>
      <Enabled settings={settings} />
      {text('host', { placeholder: 'mail.example.org' })}
      <Security settings={settings} />
      {settings.sources.port === 'environment' ? (
        <Locked id="port">{settings.port}</Locked>
      ) : (
        <TextRow
          id="port"
          label={t('port')}
          help={t('portHelp', { port: usualPorts[settings.security] })}
          value={settings.sources.port === 'default' ? '' : String(settings.port)}
          placeholder={String(usualPorts[settings.security])}
          inputMode="numeric"
          ltr
          onSave={(value) => saveSettings({ port: portOf(value, t('portFault')) })}
        />
      )}
      {settings.sources.password === 'environment' ? (
        <Locked id="account" name="password">
          {settings.username}
        </Locked>
      ) : (
        <Account key={`${settings.username} ${settings.passwordConfigured}`} settings={settings} />
      )}
      {text('from', { placeholder: 'atrium@example.org' })}
      <Certificate settings={settings} />
      {text('appUrl', { placeholder: location.origin })}
      <Trial configured={settings.configured} recipient={settings.recipient} />
    </>
  )
}

function Enabled({ settings }: { settings: MailSettings }) {
  const t = useText('mail')
  const { enabled, host, from, appUrl } = settings
  const isReady = host !== '' && from !== ''
  // Whoever is here reached the app somehow; that address will do until another one is said.
  const turn = (next: boolean) =>
    saveSettings({ enabled: next, ...(next && appUrl === '' ? { appUrl: location.origin } : {}) })
  return (
    <SwitchRow
      id="enabled"
      label={t('enabled')}
      help={isReady ? t('enabledHelp') : t('enabledMissing')}
      value={enabled}
      disabled={!isReady && !enabled}
      onSave={turn}
    />
  )
}

function Security({ settings: { security, sources } }: { settings: MailSettings }) {
  const t = useText('mail')
  const { saving, save } = useSave()
  if (sources.security === 'environment') return <Locked id="security">{t(`modes.${security}`)}</Locked>
  return (
    <Row id="security" label={t('security')} help={t('securityHelp')} saving={saving}>
      {() => (
        <SegmentedControl
          label={t('security')}
          value={security}
          onChange={(next) => void save(() => saveSettings({ security: next }))}
          options={(['tls', 'starttls', 'none'] as const).map((value) => ({ value, label: t(`modes.${value}`) }))}
        />
      )}
    </Row>
  )
}

function Certificate({ settings: { rejectUnauthorized, security, sources } }: { settings: MailSettings }) {
  const t = useText('mail')
  if (security === 'none') return null
  const isFixed = sources.rejectUnauthorized === 'environment'
  return (
    <SwitchRow
      id="rejectUnauthorized"
      label={t('rejectUnauthorized')}
      help={t('rejectUnauthorizedHelp')}
      source={isFixed && <LockedBadge name="rejectUnauthorized" />}
      value={rejectUnauthorized}
      disabled={isFixed}
      onSave={(next) => saveSettings({ rejectUnauthorized: next })}
    />
  )
}

/** A value that the environment fixes. */
function Locked({
  id,
  name,
  help,
  children,
}: {
  id: Exclude<MailField, 'enabled' | 'username' | 'password' | 'rejectUnauthorized'> | 'account'
  name?: MailField
  help?: string
  children: ReactNode
}) {
  const t = useText('mail')
  return (
    <Row id={id} label={t(id)} help={help} source={<LockedBadge name={name ?? (id as MailField)} />}>
      {() => (
        <bdi dir="ltr" className="break-all text-muted">
          {children}
        </bdi>
      )}
    </Row>
  )
}

function LockedBadge({ name }: { name: MailField }) {
  const t = useText('mail')
  return <Badge tone="info">{t('locked', { name: variables[name] })}</Badge>
}

const usualPorts = { tls: 465, starttls: 587, none: 25 } as const

/** What people know these fields by who set the server up. */
const variables: Readonly<Record<MailField, string>> = {
  enabled: '',
  host: 'SMTP_HOST',
  port: 'SMTP_PORT',
  security: 'SMTP_SECURITY',
  username: 'SMTP_USERNAME',
  password: 'SMTP_PASSWORD',
  from: 'SMTP_FROM',
  rejectUnauthorized: 'SMTP_TLS_REJECT_UNAUTHORIZED',
  appUrl: 'BASE_URL',
}

/** null stands for the usual port. */
const portOf = (text: string, complaint: string): number | null => {
  if (text.trim() === '') return null
  const port = Number(text.trim())
  if (Number.isInteger(port) && port >= 1 && port <= 65_535) return port
  throw new Problem('out_of_range', complaint)
}
