import { expect, test } from 'vitest'
import { createPagePolicies } from './headers.ts'

const framesAt = (host: string, baseUrl: string | null = null) =>
  /frame-src ([^;]*);/.exec(createPagePolicies(baseUrl === null ? null : new URL(baseUrl))(host))?.[1]

test.each([
  ['127.0.0.1:3000', null, '127.0.0.1:3000/api/artifacts/sandbox'],
  ['atrium.example', 'https://atrium.example', 'atrium.example/api/artifacts/sandbox'],
  // A proxy that names another host than people do.
  ['app:3000', 'https://a.example', 'app:3000/api/artifacts/sandbox a.example/api/artifacts/sandbox'],
  // What no policy can name, and what somebody made up.
  ['[::1]:3000', null, "'self'"],
  ['x; script-src *', null, "'self'"],
  ['', null, "'self'"],
])('pages at %s hold frames of their own preview alone', (host, baseUrl, frames) => {
  expect(framesAt(host, baseUrl)).toBe(frames)
})

test('the policy is that of the host of each request', () => {
  const policyAt = createPagePolicies(null)
  for (const host of ['one.example', 'two.example', 'one.example'])
    expect(policyAt(host)).toContain(`frame-src ${host}/api/artifacts/sandbox;`)
})
