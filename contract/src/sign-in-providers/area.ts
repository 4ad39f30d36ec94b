/** What the rest of the product derives from this area: its error codes, events, audit actions, scopes and kinds. */
import { describeArea } from '../description.ts'

export const signInProvidersDescription = describeArea({
  name: 'sign-in-providers',
  tag: 'authentication',
  errors: {
    directory_setting: [400, 'These directory settings can’t work.'],
    directory_link_needed: [
      403,
      'An account with this name already exists. Sign in to it with its own password and link it in Settings › Security.',
    ],
    directory_entry_incomplete: [403, 'Your directory entry is incomplete. Ask an administrator.'],
    identity_provider_not_found: [404, 'Sign-in provider not found.'],
    identity_not_found: [404, 'Linked account not found.'],
    trial_not_found: [404, 'Test not found. Start it again.'],
    directory_entry_not_found: [404, 'The directory has no single entry with this name.'],
    identity_provider_exists: [409, 'A sign-in provider with this id already exists.'],
    identity_provider_limit: [409, 'You can have at most 50 sign-in providers.'],
    logout_token_invalid: [400, 'This logout token is invalid.'],
    issuer_invalid: [422, 'No OpenID provider was found at this address.'],
    directory_unreachable: [
      503,
      'The directory can’t be reached, so only accounts with their own password can sign in. Try again in a moment.',
    ],
  },
  audit: ['auth.identity.link', 'auth.identity.unlink', 'auth.identity.sync'],
})
