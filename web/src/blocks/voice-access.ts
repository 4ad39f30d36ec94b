import { speechRoutes, type VoiceFeature } from '@atrium/contract/speech'
import { useQuery } from '@tanstack/react-query'
import { queryOf } from '../api/query.ts'
import { useAfterFirstView } from '../lib/first-view.ts'

/** Whether the person may use a feature of speech here; false until it is known. */
export const useVoiceAccess = (feature: VoiceFeature): boolean =>
  useQuery({ ...queryOf(speechRoutes.own), staleTime: 300_000, enabled: useAfterFirstView() }).data?.[feature] === true
