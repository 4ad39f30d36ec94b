/** Questions that are written once and asked again and again, each time with other values. */
import { hash } from 'node:crypto'
import { type CompiledQuery, type Kysely, sql } from 'kysely'
import type { QueryTemplate } from './types.ts'

/** What the database keeps ready under a name, so that it is read and planned once for each connection. */
interface PreparedQuery extends CompiledQuery {
  readonly preparedAs: string
}

/** Under which name a query is kept ready; undefined where it is not. */
export const preparedAs = (query: CompiledQuery): string | undefined => (query as Partial<PreparedQuery>).preparedAs

/** Stands in a query for what is known only when it is asked. */
class Blank {
  readonly name: string
  constructor(name: string) {
    this.name = name
  }
}

export const prepareOn = <V extends Readonly<Record<string, string | number>>, R>(
  kysely: Kysely<unknown>,
  write: QueryTemplate<V, R>,
): ((values: V) => Promise<R[]>) => {
  const query = write((name) => sql.val(new Blank(name))).compile(kysely) as CompiledQuery<R>
  const name = hash('sha256', query.sql, 'hex').slice(0, 32)
  return async (values) => {
    const parameters = query.parameters.map((each) => (each instanceof Blank ? values[each.name] : each))
    const asked: CompiledQuery<R> & PreparedQuery = { ...query, parameters, preparedAs: name }
    return (await kysely.executeQuery<R>(asked)).rows
  }
}
