/** Where people reach the instance: the process and several areas ask for it. */
import { declareVariables, webAddress } from './variables.ts'

export const { BASE_URL } = declareVariables({
  BASE_URL: [
    webAddress('https://chat.example.org').refine(
      (url) => url.pathname === '/' && !url.search && !url.hash,
      'must have no path',
    ),
    'the public address, if it runs behind a proxy; `https` makes cookies secure. If unset, single sign-on and passkeys work on this machine and at addresses where an administrator has signed in. The first account can be created there, at an IP address, at `localhost` or at a local name (`nas.local`)',
    { plain: true },
  ],
})
