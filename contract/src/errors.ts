/** Refusals: stable code, HTTP status, and a sentence that a person can act on. */
import { type AreaDescriptions, descriptions } from './index.ts'

/** Codes of the server itself, and those that the routes of several areas answer with. */
export const commonErrors = {
  validation_failed: [400, 'Some fields are missing or invalid.'],
  bad_cursor: [400, 'This cursor is no longer valid. Start again from the first page.'],
  weak_password: [400, 'The password must have 12 to 200 characters.'],
  common_password: [
    400,
    'This password is too easy to guess: it is common or contains a name. Choose another, such as a few words in a row.',
  ],
  username_scripts: [400, 'This user name mixes several scripts. Use only one, such as Latin or Cyrillic.'],
  unauthenticated: [401, 'Sign in to continue.'],
  wrong_credentials: [401, 'The user name or the password is wrong.'],
  wrong_password: [401, 'The current password is wrong.'],
  wrong_code: [401, 'This code is wrong or has already been used.'],
  challenge_over: [401, 'This sign-in has expired. Start again.'],
  forbidden: [403, 'Only administrators can do this.'],
  account_pending: [403, 'This account is waiting for approval by an administrator.'],
  account_disabled: [403, 'This account is disabled. Ask an administrator.'],
  proof_needed: [403, 'Confirm it’s you with a code, or with your password if you have no second factor.'],
  fresh_proof_needed: [403, 'You signed in more than ten minutes ago. Confirm it’s you.'],
  right_missing: [403, 'You can view this but not change it.'],
  token_scope: [403, 'This API token doesn’t have permission for this.'],
  place_unknown: [
    403,
    'The first account can’t be created at this address. Set BASE_URL to it, or open the server by IP address or as localhost.',
  ],
  cross_origin: [403, 'This request came from another site and was blocked.'],
  route_not_found: [404, 'Nothing was found at this address.'],
  session_not_found: [404, 'Session not found.'],
  token_not_found: [404, 'API token not found.'],
  user_not_found: [404, 'Account not found.'],
  chat_not_found: [404, 'Chat not found.'],
  model_not_found: [404, 'Model not found.'],
  job_not_found: [404, 'Job not found.'],
  group_not_found: [404, 'Group not found.'],
  approval_not_found: [404, 'This decision is no longer needed: it was made elsewhere, or the answer has ended.'],
  trash_item_not_found: [404, 'This item isn’t in the trash.'],
  method_not_allowed: [405, 'This method isn’t allowed at this address.'],
  username_taken: [409, 'This user name is taken.'],
  email_taken: [409, 'This e-mail address is in use.'],
  group_managed: [409, 'This group is managed by a directory or provider. Change it there.'],
  own_account: [409, 'This is your own account. Use your own settings for that.'],
  last_administrator: [409, 'The last administrator can’t be removed.'],
  conflict: [409, 'This was changed in the meantime. Reload it and try again.'],
  identity_linked: [409, 'This sign-in is already linked to an account.'],
  last_way_in: [409, 'This is the only way to sign in to the account. Set a password or add another way first.'],
  id_reused: [409, 'This id was already used with different content.'],
  setting_locked: [409, 'This setting is set by the environment and can’t be changed here.'],
  group_exists: [409, 'A group with this name already exists.'],
  group_limit: [409, 'You can have at most 500 groups.'],
  request_aborted: [400, 'The request ended before it was complete.'],
  too_large: [413, 'The request is too large.'],
  quota_full: [413, 'Your storage is full. Delete files in Settings → Storage, or ask an administrator for more.'],
  unsupported_media_type: [415, 'This content type isn’t supported.'],
  range_not_satisfiable: [416, 'This part of the file doesn’t exist.'],
  avatar_unsupported: [422, 'Send a PNG, JPEG or WebP picture of at most 64 KiB and 512 pixels a side.'],
  url_not_allowed: [422, 'Requests to this address aren’t allowed.'],
  tool_unavailable: [422, 'One of these tools doesn’t exist or can’t be used.'],
  context_overflow: [422, 'This doesn’t fit in the model’s context window.'],
  model_unavailable: [422, 'The selected model is unavailable.'],
  upgrade_required: [426, 'This address accepts WebSocket connections only.'],
  over_budget: [429, 'The budget is used up.'],
  cost_limit: [429, 'This answer reached the cost limit of its automation.'],
  rate_limited: [429, 'Too many requests. Wait a moment and try again.'],
  request_timeout: [408, 'The request took too long to arrive.'],
  headers_too_large: [431, 'The request headers are too large.'],
  internal: [500, 'Something went wrong on the server. Find the request id in the server’s log.'],
  provider_failed: [502, 'The provider returned an unexpected response.'],
  provider_unreachable: [502, 'The provider could not be reached.'],
  provider_rejected: [502, 'The provider rejected the request.'],
  mail_not_configured: [503, 'This server can’t send e-mail. An administrator can set up a mail server.'],
  provider_not_configured: [503, 'No provider is connected for this.'],
  api_key_needed: [503, 'This connection needs an API key.'],
  unavailable: [503, 'The server is starting or stopping. Try again in a moment.'],
  storage_full: [507, 'The server’s disk is full. Nothing was saved.'],
} as const satisfies Record<string, readonly [number, string]>

type CodesOf<D> = D extends { readonly errors: infer E extends object } ? keyof E & string : never
export type CommonErrorCode = keyof typeof commonErrors
export type ErrorCode = CommonErrorCode | CodesOf<AreaDescriptions>

/** The closed table of all refusals: those of every area, and the common ones. */
export const errors = Object.assign({}, commonErrors, ...descriptions.map((area) => area.errors)) as Readonly<
  Record<ErrorCode, readonly [status: number, sentence: string]>
>
