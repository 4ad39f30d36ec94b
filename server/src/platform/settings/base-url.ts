/** Where people reach the instance: the process and several areas ask for it. */
import { declareVariables, webAddress } from './variables.ts'

export const { BASE_URL } = declareVariables({
  BASE_URL: [
    webAddress('https://chat.example.org').refine(
      (url) => url.pathname === '/' && !url.search && !url.hash,
      'must have no path',
    ),
    'the public address, behind a proxy; `https` makes cookies secure. Unset, sign-in elsewhere and passkeys work where an administrator has signed in, and on this machine. The first account is made there, at an IP address, `localhost` or a name of the local network (`nas.local`)',
    { plain: true },
  ],
})
