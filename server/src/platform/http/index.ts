/** The way in: routes of all areas over HTTP, with one door, one shape of errors, and streams that can be resumed. */
export { type Answered, type Http, type HttpOptions, type Page, createHttp } from './server.ts'
export type { Admitted } from './sockets.ts'
export type { Doors, Knock } from './door.ts'
export type { RateRule } from './rates.ts'
export { fail } from './refusal.ts'
