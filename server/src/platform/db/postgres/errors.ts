/** Errors of PostgreSQL without the values of rows that it likes to quote. */
import { DatabaseError, toDatabaseError } from '../errors.ts'
import { Refusal } from '../../http/refusal.ts'

interface PostgresFields {
  readonly code?: unknown
  readonly message?: unknown
  readonly table?: unknown
  readonly column?: unknown
  readonly constraint?: unknown
}

/** Makes any error of `pg` one of ours; errors that are ours already pass. */
export const fromPostgres = (error: unknown): Error => {
  if (error instanceof DatabaseError || error instanceof Refusal) return error
  const fields = error as PostgresFields
  const code = typeof fields.code === 'string' ? fields.code : lostCode(fields.message)
  const clean = toDatabaseError(code, describe(code, fields))
  if (error instanceof Error && clean instanceof DatabaseError)
    clean.stack = error.stack?.replace(error.message, clean.message)
  return clean
}

/** `pg` has no code for a connection that broke under a statement. */
const lostCode = (message: unknown): string =>
  /^(Connection terminated|Client has encountered|timeout e|Client was closed|Query read timeout)/i.test(
    String(message),
  )
    ? 'CONNECTION_LOST'
    : 'ERROR'

const describe = (code: string, { message, table, column, constraint }: PostgresFields): string => {
  // Class 42 is about the statement, 23 about names of constraints: their messages hold no values.
  if (code === 'ERROR' || /^(42|23|40|25)/.test(code)) return String(message)
  const place = [table, column, constraint].filter((name) => typeof name === 'string').join(', ')
  return `PostgreSQL refused a statement (${code})${place === '' ? '' : ` at ${place}`}.`
}
