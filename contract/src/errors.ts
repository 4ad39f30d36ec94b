/** Refusals: stable code, HTTP status, and a sentence that a person can act on. */
import { type AreaDescriptions, descriptions } from './index.ts'

/** Codes of the server itself, and those that the routes of several areas answer with. */
export const commonErrors = {
  validation_failed: [400, 'Some of what was sent is missing or not in the right form.'],
  bad_cursor: [400, 'This page marker is not valid any more. Start again from the first page.'],
  weak_password: [400, 'The password needs at least 12 characters, and at most 200.'],
  common_password: [
    400,
    'This is one of the first passwords that somebody would try: a common one, or made of a name. Choose another, such as a few words in a row.',
  ],
  username_scripts: [
    400,
    'This user name mixes letters of several scripts. Write it in one, such as Latin or Cyrillic.',
  ],
  unauthenticated: [401, 'Sign in first.'],
  wrong_credentials: [401, 'The user name or the password is wrong.'],
  wrong_password: [401, 'The current password is wrong.'],
  wrong_code: [401, 'This code is wrong, or it was used before.'],
  challenge_over: [401, 'This sign-in took too long, or it was finished. Start again with the first step.'],
  forbidden: [403, 'Only an administrator may do this.'],
  account_pending: [403, 'This account waits for an administrator to approve it.'],
  account_disabled: [403, 'This account is disabled. Ask an administrator.'],
  proof_needed: [403, 'Show that it is you: with a code, where a second factor is on, else with the password.'],
  fresh_proof_needed: [403, 'The sign-in was more than ten minutes ago. Show again that it is you.'],
  right_missing: [403, 'You may see this, not change it.'],
  token_scope: [403, 'This API token may not do this.'],
  place_unknown: [
    403,
    'The first account cannot be made at this address. Set BASE_URL to it, or open the server by its IP address or as localhost.',
  ],
  cross_origin: [403, 'This request came from another site and was refused.'],
  route_not_found: [404, 'There is nothing at this address.'],
  session_not_found: [404, 'There is no such session.'],
  token_not_found: [404, 'There is no such API token.'],
  user_not_found: [404, 'There is no such account.'],
  chat_not_found: [404, 'There is no such chat.'],
  model_not_found: [404, 'There is no such model.'],
  job_not_found: [404, 'There is no such job.'],
  group_not_found: [404, 'There is no such group.'],
  trash_item_not_found: [404, 'There is no such thing in the trash.'],
  method_not_allowed: [405, 'This address does not take that method.'],
  username_taken: [409, 'This user name is taken.'],
  email_taken: [409, 'This e-mail address is in use.'],
  group_managed: [409, 'This group is kept by a directory or a provider. Change it there.'],
  own_account: [409, 'This is your own account. Go to your own settings for that.'],
  last_administrator: [409, 'The last administrator cannot be removed.'],
  conflict: [409, 'This changed meanwhile. Load it again and retry.'],
  identity_linked: [409, 'This sign-in is linked with an account already.'],
  last_way_in: [409, 'This is the last way into the account. Set a password or add another one first.'],
  id_reused: [409, 'This id was used before, with other content.'],
  setting_locked: [409, 'This setting is fixed by the environment and cannot be changed here.'],
  group_exists: [409, 'There is a group of this name already.'],
  group_limit: [409, 'There can be 500 groups at most.'],
  request_aborted: [400, 'The request ended before all of it had arrived.'],
  too_large: [413, 'What was sent is too large.'],
  unsupported_media_type: [415, 'This content type is not accepted here.'],
  url_not_allowed: [422, 'This address may not be called.'],
  context_overflow: [422, 'This does not fit into the context window of the model.'],
  model_unavailable: [422, 'The chosen model is not available.'],
  upgrade_required: [426, 'This address is for WebSockets only.'],
  over_budget: [429, 'The budget for this is used up.'],
  rate_limited: [429, 'Too many requests. Wait a little and try again.'],
  request_timeout: [408, 'The request took too long to arrive.'],
  headers_too_large: [431, 'The request headers are too large.'],
  internal: [500, 'Something went wrong on the server. The request id helps to find it in the log.'],
  provider_failed: [502, 'The provider did not answer as it should.'],
  provider_unreachable: [502, 'The provider could not be reached.'],
  provider_rejected: [502, 'The provider refused the request.'],
  mail_not_configured: [503, 'No e-mail can be sent here. An administrator can set up a mail server.'],
  provider_not_configured: [503, 'No provider is connected for this.'],
  api_key_needed: [503, 'This connection needs an API key.'],
  unavailable: [503, 'The service is stopping or not ready. Try again in a moment.'],
  storage_full: [507, 'The disk of the server is full. Nothing was saved.'],
} as const satisfies Record<string, readonly [number, string]>

type CodesOf<D> = D extends { readonly errors: infer E extends object } ? keyof E & string : never
export type CommonErrorCode = keyof typeof commonErrors
export type ErrorCode = CommonErrorCode | CodesOf<AreaDescriptions>

/** The closed table of all refusals: those of every area, and the common ones. */
export const errors = Object.assign({}, commonErrors, ...descriptions.map((area) => area.errors)) as Readonly<
  Record<ErrorCode, readonly [status: number, sentence: string]>
>
