import { accountsRoutes } from '@atrium/contract/accounts'
import { useQuery } from '@tanstack/react-query'
import { queryOf } from '../../../api/query.ts'
import { links } from '../../../lib/links.ts'
import type { SetupStep } from '../../../lib/settings.ts'

/** A key that comes from the environment is kept where that is. */
export const copyKey: SetupStep = {
  id: 'key',
  order: 30,
  namespace: 'accounts',
  to: `${links.settings('instance')}#encryptionKey`,
  useDone() {
    const { data } = useQuery(queryOf(accountsRoutes.encryptionKey))
    return data && (data.source === 'environment' || data.revealedAt !== null)
  },
}

export const addSecondFactor: SetupStep = {
  id: 'secondFactor',
  order: 60,
  namespace: 'accounts',
  to: `${links.settings('security')}#secondFactor`,
  useDone() {
    const { data } = useQuery(queryOf(accountsRoutes.mfa))
    return data && (data.totpEnabled || data.passkeys.length > 0)
  },
}
