/** The closed lists of kinds of jobs and of why they fail: those of every area, and those of the server itself. */
import { type ErrorCode, errors } from './errors.ts'
import { type AreaDescriptions, descriptions } from './index.ts'

const ownKinds = ['house.tidy'] as const

type KindsOf<D> = D extends { readonly jobs: readonly (infer K extends string)[] } ? K : never
export type JobKind = KindsOf<AreaDescriptions> | (typeof ownKinds)[number]

export const jobKinds: readonly JobKind[] = [
  ...(descriptions.flatMap(({ jobs = [] }) => jobs) as JobKind[]),
  ...ownKinds,
]

const ownFailures = ['account_inactive', 'payload_invalid', 'timeout', 'worker_lost'] as const

type FailuresOf<D> = D extends { readonly jobFailures: readonly (infer C extends string)[] } ? C : never
type JobFailureCode = FailuresOf<AreaDescriptions> | (typeof ownFailures)[number]

/** Why a job, or a try of it, did not succeed. Refusals of the product count too. */
export type JobCode = ErrorCode | JobFailureCode

/** Those that no route answers with. */
export const jobFailureCodes: readonly JobFailureCode[] = [
  ...(descriptions.flatMap((each) => ('jobFailures' in each ? each.jobFailures : [])) as JobFailureCode[]),
  ...ownFailures,
]

export const isJobCode = (code: string): code is JobCode =>
  code in errors || (jobFailureCodes as readonly string[]).includes(code)
