/** What the rest of the product derives from this area: its error codes, events, audit actions, scopes and kinds. */
import { describeArea } from '../description.ts'

export const signInProvidersDescription = describeArea({
  name: 'sign-in-providers',
  tag: 'authentication',
  errors: {
    directory_setting: [400, 'These settings of the directory cannot work.'],
    directory_link_needed: [
      403,
      'There is an account of this name already. Sign in to it with its own password, and link it in Settings > Security.',
    ],
    directory_entry_incomplete: [403, 'The directory does not say enough about you. Ask an administrator.'],
    identity_provider_not_found: [404, 'There is no such sign-in provider.'],
    identity_not_found: [404, 'There is no such linked sign-in.'],
    trial_not_found: [404, 'There is no such test. Start it again.'],
    directory_entry_not_found: [404, 'The directory has no one entry of this name.'],
    identity_provider_exists: [409, 'There is a sign-in provider of this id already.'],
    identity_provider_limit: [409, 'There can be 50 sign-in providers at most.'],
    logout_token_invalid: [400, 'This logout token is not valid.'],
    issuer_invalid: [422, 'There is no OpenID provider at this address.'],
    directory_unreachable: [
      503,
      'The directory cannot be reached, so only accounts with a password of their own get in. Try again in a moment.',
    ],
  },
  audit: ['auth.identity.link', 'auth.identity.unlink', 'auth.identity.sync'],
})
