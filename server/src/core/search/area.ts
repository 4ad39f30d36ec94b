/** The area of the search over everything, as `compose()` creates it. */
import { searchArea } from '@atrium/contract/search'
import { defineArea } from '../../platform/areas/define-area.ts'
import type { Accounts } from '../accounts/index.ts'
import type { ResourceRegistry } from '../resources/index.ts'
import { createSearch } from './index.ts'
import { searchMetrics } from './metrics.ts'

export const search = defineArea(searchArea)<{ accounts: Accounts; resources: ResourceRegistry }>()({
  needs: ['accounts', 'resources'],
  metrics: () => searchMetrics,
  create: ({ metrics }, { accounts, resources }) => ({
    ...createSearch({ resources, metrics, namesOf: accounts.accountNames.names }),
    api: undefined,
  }),
})
