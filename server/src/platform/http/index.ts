/** Routes of all areas over HTTP: one way to authenticate, one shape of errors, and streams that can be resumed. */
export { createHttp } from './server.ts'
export type { AnswerReport, Http, HttpOptions } from './options.ts'
export type { Page } from './pages.ts'
export type { TicketHolder } from './sockets.ts'
export type { Authenticate, Credentials } from './authenticate.ts'
export type { RateRule } from './rates.ts'
export { fail } from './refusal.ts'
