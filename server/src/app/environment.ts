/** Every variable of the environment: those of the process, and those that the areas declare. */
import { type Variable, variablesOf } from '../platform/settings/index.ts'
import { areas } from './areas.ts'
import { processVariables } from './process-variables.ts'

export const environmentVariables: readonly Variable[] = [
  ...new Set([...Object.values(processVariables), ...areas.flatMap(({ settings }) => variablesOf(settings))]),
]
