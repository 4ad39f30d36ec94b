/** What the shell loads of presence, as one file. */
export { PresenceMark } from './mark.tsx'
export { PresenceMenu } from './menu.tsx'
