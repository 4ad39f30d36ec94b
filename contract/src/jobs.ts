/** The closed list of kinds of jobs: those of every area, and those of the server itself. */
import { type AreaDescriptions, descriptions } from './index.ts'

const ownKinds = ['house.tidy'] as const

type KindsOf<D> = D extends { readonly jobs: readonly (infer K extends string)[] } ? K : never
export type JobKind = KindsOf<AreaDescriptions> | (typeof ownKinds)[number]

export const jobKinds: readonly JobKind[] = [
  ...(descriptions.flatMap(({ jobs = [] }) => jobs) as JobKind[]),
  ...ownKinds,
]
