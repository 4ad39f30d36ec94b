/**
 * For the server that is measured: `tools.example.org` is this machine. Tool servers at addresses of somebody's own
 * network count as private, so that a second call of an answer would ask.
 */
import dns from 'node:dns/promises'
import { syncBuiltinESMExports } from 'node:module'

const { lookup } = dns
dns.lookup = (name, ...rest) => lookup(name === 'tools.example.org' ? '127.0.0.1' : name, ...rest)
syncBuiltinESMExports()
