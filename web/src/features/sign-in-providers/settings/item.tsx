import { EmptyState } from '../../../ui/empty-state.tsx'
import { useText } from 'virtual:words/sign-in-providers'
import { TrialPage } from './trial.tsx'

/** The page of one trial: `/settings/sign-in/trial-<id>`. */
export function SignInItem({ id }: { id: string }) {
  const t = useText('sign-in-providers')
  const trial = /^trial-(.+)$/.exec(id)?.[1]
  return trial ? <TrialPage id={trial} /> : <EmptyState title={t('noItem')} />
}
