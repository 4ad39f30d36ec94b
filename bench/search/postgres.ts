/** A fresh database on a PostgreSQL server. */
import { randomUUID } from 'node:crypto'
import pg from 'pg'

export async function createPostgresPlace(server: string): Promise<string> {
  const url = new URL(server)
  const name = `bench_${randomUUID().replaceAll('-', '')}`
  const client = new pg.Client({ connectionString: server })
  await client.connect()
  await client.query(`create database ${name}`)
  await client.end()
  url.pathname = `/${name}`
  return url.href
}
