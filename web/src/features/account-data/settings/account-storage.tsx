import { accountDataRoutes } from '@atrium/contract/account-data'
import { type InstanceSettings, settingsRoutes } from '@atrium/contract/settings'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { call } from '../../../api/client.ts'
import { Problem } from '../../../api/errors.ts'
import { queryOf } from '../../../api/query.ts'
import { saveInTurn } from '../../../api/saves.ts'
import { QueryView } from '../../../blocks/setting-row/query-view.tsx'
import { Group, Row } from '../../../blocks/setting-row/row.tsx'
import { SourceBadge } from '../../../blocks/setting-row/source-badge.tsx'
import { TextRow } from '../../../blocks/setting-row/text-row.tsx'
import { formatNumber, formatSize } from '../../../lib/format.ts'
import { links } from '../../../lib/links.ts'
import { useText } from 'virtual:words/account-data'

const gigabyte = 1_000_000_000

/** How much each account may keep in files, and who keeps most. */
export function AccountStorage() {
  const t = useText('account-data')
  const settings = useQuery(queryOf(settingsRoutes.instance))
  const accounts = useQuery({ ...queryOf(accountDataRoutes.accountStorage), staleTime: 0 })
  return (
    <>
      <QueryView query={settings} lines={2}>
        {({ storageQuotaBytes }) => <Quota setting={storageQuotaBytes} />}
      </QueryView>
      <section id="accounts" className="-mx-3 mt-8 rounded-lg px-3">
        <Group title={t('accounts.title')} text={t('accounts.text')}>
          <QueryView query={accounts}>
            {({ items }) =>
              items.length === 0 ? (
                <p className="py-2 text-muted">{t('accounts.none')}</p>
              ) : (
                <ul aria-label={t('accounts.title')}>
                  {items.map(({ id, name, bytes }) => (
                    <li key={id} className="flex items-baseline gap-3 border-b border-line py-2.5">
                      <Link to={links.person(id)} className="min-w-0 flex-1 truncate font-medium hover:underline">
                        <bdi>{name}</bdi>
                      </Link>
                      <span className="tabular-nums">{formatSize(bytes)}</span>
                    </li>
                  ))}
                </ul>
              )
            }
          </QueryView>
        </Group>
      </section>
    </>
  )
}

function Quota({ setting }: { setting: InstanceSettings['storageQuotaBytes'] }) {
  const t = useText('account-data')
  const row = { id: 'quota', label: t('accounts.quota'), help: t('accounts.quotaHelp') }
  const badge = <SourceBadge setting={setting} />
  if (setting.source === 'environment') {
    return (
      <Row {...row} source={badge}>
        {() => <span>{setting.value === 0 ? t('accounts.noQuota') : formatSize(setting.value)}</span>}
      </Row>
    )
  }
  return (
    <TextRow
      {...row}
      ltr
      inputMode="decimal"
      value={String(Math.round((setting.value / gigabyte) * 1000) / 1000)}
      state={badge}
      onSave={async (text) => {
        const amount = Number(text.trim().replace(',', '.'))
        if (text.trim() === '' || !Number.isFinite(amount) || amount < 0)
          throw new Problem('validation_failed', t('accounts.quotaWrong', { example: formatNumber(10) }))
        const storageQuotaBytes = Math.round(amount * gigabyte)
        await saveInTurn(settingsRoutes.instance, () =>
          call(settingsRoutes.updateInstance, { body: { storageQuotaBytes } }),
        )
      }}
    />
  )
}
