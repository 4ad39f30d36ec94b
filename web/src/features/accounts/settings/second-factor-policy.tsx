import { type MfaPolicy, accountsRoutes } from '@atrium/contract/accounts'
import { useQuery } from '@tanstack/react-query'
import { call } from '../../../api/client.ts'
import { queryOf, refresh } from '../../../api/query.ts'
import { saveInTurn } from '../../../api/saves.ts'
import { Badge } from '../../../ui/badge.tsx'
import { Switch } from '../../../ui/switch.tsx'
import { QueryView } from '../../../blocks/setting-row/query-view.tsx'
import { Row, useSave } from '../../../blocks/setting-row/row.tsx'
import { useText } from 'virtual:words/accounts'

/** Whether everybody needs a second factor. */
export function SecondFactorPolicy() {
  const policy = useQuery(queryOf(accountsRoutes.mfaPolicy))
  return <QueryView query={policy}>{(value) => <Mode policy={value} />}</QueryView>
}

function Mode({ policy }: { policy: MfaPolicy }) {
  const t = useText('accounts')
  const { saving, save } = useSave()
  const set = (required: boolean) =>
    save(async () => {
      const mode = required ? 'required' : 'optional'
      await saveInTurn(accountsRoutes.mfaPolicy, () => call(accountsRoutes.setMfaPolicy, { body: { mode } }))
      void refresh(accountsRoutes.mfa)
    })
  return (
    <Row
      id="secondFactor"
      label={t('secondFactor.policy')}
      help={t('secondFactor.policyHelp')}
      source={policy.locked && <Badge tone="info">{t('secondFactor.pinned', { variable: 'MFA_REQUIRED_MODE' })}</Badge>}
      saving={saving}
    >
      {(names) => (
        <Switch
          {...names}
          checked={policy.mode === 'required'}
          disabled={policy.locked || saving.state === 'saving'}
          onChange={(required) => void set(required)}
        />
      )}
    </Row>
  )
}
