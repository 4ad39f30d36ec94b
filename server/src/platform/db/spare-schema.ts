/** Another database beside that of a PostgreSQL server, which takes its place at one moment. */
import type { SpareSchema } from './postgres/spare-schema.ts'

export type { SpareSchema }

/** See `postgres/spare-schema.ts`, which is loaded only where it is used. */
export const makeSpareSchema = async (url: string): Promise<SpareSchema | null> =>
  await (await import('./postgres/spare-schema.ts')).makeSpareSchema(url)

export const takeSpareSchema = async (url: string, isOccupied: string): Promise<'none' | 'occupied' | 'taken'> =>
  await (await import('./postgres/spare-schema.ts')).takeSpareSchema(url, isOccupied)
