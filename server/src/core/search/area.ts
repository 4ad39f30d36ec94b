/** The area of the search over everything, as `compose()` creates it. */
import { searchArea } from '@atrium/contract/search'
import { defineArea } from '../../platform/areas/define-area.ts'
import type { Accounts } from '../accounts/index.ts'
import type { ResourceRegistry } from '../resources/index.ts'
import { createSearch } from './index.ts'

export const search = defineArea(searchArea)<{ accounts: Accounts; resources: ResourceRegistry }>()({
  needs: ['accounts', 'resources'],
  create: (_platform, { accounts, resources }) => ({
    ...createSearch({ resources, namesOf: accounts.accountNames.names }),
    api: undefined,
  }),
})
