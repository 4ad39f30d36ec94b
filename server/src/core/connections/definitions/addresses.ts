/** The addresses of a definition, judged before it is stored: nothing is looked up and nothing is called. */
import type { Definition } from '@atrium/contract/connections'
import { fail, Refusal } from '../../../platform/http/refusal.ts'
import { requireSoundAddress } from '../../../platform/outbound/destination.ts'
import { isAddressVariable, routeOf } from './routing.ts'

/**
 * Refuses with `url_not_allowed` what is written oddly or is never called, and with `validation_failed` what makes no
 * address at all. A private address passes here, as servers at home have definitions too: calling it has to be allowed.
 */
export function requireSoundAddresses(definition: Definition, at: string): void {
  for (const [path, address] of addressesIn(definition)) {
    try {
      requireSoundAddress(address.replace(/\{[A-Za-z][A-Za-z0-9_]*\}/g, 'x'))
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      throw fail('url_not_allowed', error.message, [{ path: `${at}.${path}`, message: error.message }])
    }
  }
  const { fault } = routeOf(definition)
  if (fault !== null && !fault.startsWith('Its address is not complete')) {
    throw fail('validation_failed', undefined, [{ path: at, message: fault }])
  }
}

function addressesIn(definition: Definition): [path: string, address: string][] {
  const found: [string, unknown][] = [
    ['endpoint', definition.endpoint],
    ['base_url', definition.base_url],
  ]
  for (const [at, { name, default: preset }] of (definition.variables ?? []).entries()) {
    if (isAddressVariable(definition, name)) found.push([`variables.${at}.default`, preset])
  }
  for (const [name, block] of Object.entries(definition.capabilities ?? {})) {
    found.push([`capabilities.${name}.endpoint`, block.endpoint])
    found.push([`capabilities.${name}.models_endpoint`, block.models_endpoint])
    for (const [key, value] of Object.entries(block.config ?? {})) {
      // Some say only a path, which goes behind the capability's own address.
      if (/endpoint$/.test(key) && typeof value === 'string' && !value.startsWith('/')) {
        found.push([`capabilities.${name}.config.${key}`, value])
      }
    }
  }
  return found.filter((entry): entry is [string, string] => typeof entry[1] === 'string' && entry[1] !== '')
}
