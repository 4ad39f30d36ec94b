import { modelsQuery, hasNoModel } from '../../../blocks/models.ts'
import { links } from '../../../lib/links.ts'
import type { SetupStep } from '../../../lib/settings.ts'
import { useQuery } from '@tanstack/react-query'

export const connectModel: SetupStep = {
  id: 'connect',
  order: 10,
  namespace: 'connections',
  to: links.settings('connections'),
  useDone() {
    const { data } = useQuery(modelsQuery)
    return data && !hasNoModel(data)
  },
}
