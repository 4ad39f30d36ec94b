import { useText } from 'virtual:words/job-kind'

/** Gives what a kind of job is called; one that this version does not know keeps its own name. */
export function useJobKind(): (kind: string) => string {
  const t = useText('job-kind')
  return (kind) => t(kind.replaceAll('.', '_'), { defaultValue: kind })
}
