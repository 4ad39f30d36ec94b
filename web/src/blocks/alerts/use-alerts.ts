import { doctorRoutes } from '@atrium/contract/doctor'
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { onAccountEvent } from '../../api/account-events.ts'
import { queryOf, refresh } from '../../api/query.ts'

/** The query of the open alerts of the instance, for administrators; it follows as alerts begin and end. */
export function useAlerts() {
  const alerts = useQuery({ ...queryOf(doctorRoutes.alerts), staleTime: 0 })
  useEffect(() => onAccountEvent('alerts-changed', () => void refresh(doctorRoutes.alerts)), [])
  return alerts
}
