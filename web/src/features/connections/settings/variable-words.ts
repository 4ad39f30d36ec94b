import type { Plugin, Variable } from '@atrium/contract/connections'
import type { Translate } from '../../../lib/texts.ts'

/** What a variable is called and what it is for: Atrium's own in the language on screen, others as they were written. */
export function variableWords(t: Translate, { source }: Pick<Plugin, 'source'>, variable: Variable) {
  const { name, label, description = '' } = variable
  if (source !== 'bundled') return { label, help: description }
  return {
    label: t(`variable.${name}.label`, { defaultValue: label }),
    help: t(`variable.${name}.help`, { defaultValue: description }),
  }
}
