import { authentication, type MfaPolicy } from '@atrium/contract/authentication'
import { useQuery } from '@tanstack/react-query'
import { call } from '../../../api/client.ts'
import { keyOf, queryClient, queryOf, refresh } from '../../../api/query.ts'
import { Badge } from '../../../ui/badge.tsx'
import { Switch } from '../../../ui/switch.tsx'
import { QueryView } from '../parts/query-view.tsx'
import { Row, useSave } from '../parts/row.tsx'
import { useText } from '../second-factor/texts.ts'

/** Whether everybody needs a second factor. */
export function SecondFactorPolicy() {
  const policy = useQuery(queryOf(authentication.mfaPolicy))
  return <QueryView query={policy}>{(value) => <Mode policy={value} />}</QueryView>
}

function Mode({ policy }: { policy: MfaPolicy }) {
  const t = useText('second-factor')
  const { saving, save } = useSave()
  const set = (required: boolean) =>
    save(async () => {
      const saved = await call(authentication.setMfaPolicy, { body: { mode: required ? 'required' : 'optional' } })
      queryClient.setQueryData(keyOf(authentication.mfaPolicy), saved)
      void refresh(authentication.mfa)
    })
  return (
    <Row
      id="secondFactor"
      label={t('policy')}
      help={t('policyHelp')}
      source={policy.locked && <Badge tone="info">{t('pinned', { variable: 'MFA_REQUIRED_MODE' })}</Badge>}
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
