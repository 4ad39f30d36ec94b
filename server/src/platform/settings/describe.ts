/** What is set and by whom, for whoever helps with the instance: values only of what is declared plain. */
import type { BoundSettings } from './saved-settings.ts'
import { type SettingDeclarations, type SettingFields, isGroup } from './setting.ts'
import type { Variable, VariableReader } from './variables.ts'

export interface VariableDescription {
  readonly name: string
  readonly isSet: boolean
  /** Of a plain one that is set. */
  readonly value?: unknown
}

export interface SettingDescription {
  readonly area: string
  readonly name: string
  readonly source: string
  /** The variable that fixes it. */
  readonly variable: string | null
  /** Of a plain one. */
  readonly value?: unknown
}

/** Of these variables, by name. */
export const describeVariables = (
  variables: readonly Variable[],
  readVariable: VariableReader,
): VariableDescription[] => {
  const byName = new Map<string, Variable[]>()
  for (const variable of variables) byName.set(variable.name, [...(byName.get(variable.name) ?? []), variable])
  return [...byName].map(([name, declarations]) => {
    const isSet = declarations.some((variable) => readVariable(variable) !== undefined)
    const plain = isSet ? declarations.find((variable) => variable.plain === true) : undefined
    return plain ? { name, isSet, value: readVariable(plain) } : { name, isSet }
  })
}

/** Of the groups among these declarations; `bound` is what the area got for them. */
export const describeSettings = async (
  area: string,
  declarations: SettingDeclarations,
  bound: Readonly<Record<string, unknown>>,
): Promise<SettingDescription[]> => {
  const groups = Object.entries(declarations).flatMap(([name, declaration]) =>
    isGroup(declaration) ? [{ fields: declaration.fields, settings: bound[name] as BoundSettings<SettingFields> }] : [],
  )
  const descriptions = groups.map(async ({ fields, settings }) => {
    const readings = Object.entries(await settings.read())
    return readings.map(([name, reading]): SettingDescription => {
      const { source, variable } = reading
      const about = { area, name, source, variable }
      return fields[name]?.plain === true ? Object.assign(about, { value: reading.value }) : about
    })
  })
  return (await Promise.all(descriptions)).flat()
}
