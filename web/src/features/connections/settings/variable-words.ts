import type { Plugin, Variable } from '@atrium/contract/connections'
import type { Translate } from '../../../lib/texts.ts'

/** What a variable is called and what it is for: Atrium's own in the language on screen, others as they were written. */
export function variableWords(t: Translate, { source }: Pick<Plugin, 'source'>, variable: Variable) {
  const { name, label, description = '' } = variable
  if (source !== 'bundled' && standardLabels[name] !== label) return { label, help: description }
  return {
    label: t(`variable.${name}.label`, { defaultValue: label }),
    help: t(`variable.${name}.help`, { defaultValue: description }),
  }
}

/** Connections that were made from an address have these as well, in the words of Atrium. */
const standardLabels: Readonly<Record<string, string>> = {
  endpoint: 'Full address',
  models_endpoint: 'Model list',
  temperature: 'Temperature',
  max_tokens: 'Longest answer',
  top_p: 'Top P',
}
