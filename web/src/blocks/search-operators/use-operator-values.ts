import { chatRoutes } from '@atrium/contract/chat'
import { useQuery } from '@tanstack/react-query'
import { queryOf } from '../../api/query.ts'
import { modelsQuery } from '../models.ts'
import { fixedValues, operatorAtEnd, type OperatorValues } from './operators.ts'

/** The values of the operator at the end of what is typed: the own tags, projects and models are asked for once one needs them. */
export function useOperatorValues(typed: string): OperatorValues {
  const name = operatorAtEnd(typed)?.name
  const tags = useTagNames(name === 'tag')
  const folders = useQuery({ ...queryOf(chatRoutes.folders), enabled: name === 'in' }).data?.items ?? []
  const models = useQuery({ ...modelsQuery, enabled: name === 'model' }).data?.items ?? []
  return {
    ...fixedValues,
    tag: tags ?? [],
    in: [...fixedValues.in, ...folders.map((folder) => folder.name)],
    model: [...new Set(models.map(({ selection }) => selection.model))],
  }
}

/** What the own tags are called; undefined until they are known. */
export const useTagNames = (enabled: boolean): readonly string[] | undefined =>
  useQuery({ ...queryOf(chatRoutes.tags), enabled }).data?.items.map(({ name }) => name)
