import { accountsRoutes } from '@atrium/contract/accounts'
import { useQuery } from '@tanstack/react-query'
import { queryOf } from '../../../api/query.ts'
import { Mark } from '../../../ui/mark.tsx'
import { QueryView } from '../../../blocks/setting-row/query-view.tsx'
import { Row } from '../../../blocks/setting-row/row.tsx'
import { useText } from 'virtual:words/settings'

/** Which version this is, under which licence, and where its interface is described. */
export function About() {
  const t = useText('settings')
  const info = useQuery(queryOf(accountsRoutes.systemInfo))
  return (
    <>
      <div className="flex items-center gap-3 pt-2 pb-4">
        <Mark size={40} />
        <div>
          <p className="text-lg font-semibold tracking-tight">Atrium</p>
          <p className="text-sm text-muted">{t('about.tagline')}</p>
        </div>
      </div>
      <QueryView query={info}>
        {({ version }) => (
          <Row id="version" label={t('about.version')}>
            {() => <code className="text-sm">{version}</code>}
          </Row>
        )}
      </QueryView>
      <Row id="interface" label={t('about.interface')} help={t('about.interfaceHelp')}>
        {() => (
          <a href="/api/docs" className="font-medium text-accent-ink underline underline-offset-2">
            /api/docs
          </a>
        )}
      </Row>
      <Row id="licence" label={t('about.licence')}>
        {() => <span>Apache-2.0</span>}
      </Row>
    </>
  )
}
