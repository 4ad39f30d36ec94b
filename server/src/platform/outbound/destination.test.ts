import { describe, expect, test } from 'vitest'
import { plainHostAndPort, readDestination } from './destination.ts'

const none: ReadonlySet<string> = new Set()
const refusal = (url: string, allowed = none): string => {
  try {
    readDestination(url, allowed)
  } catch (error) {
    expect(error).toMatchObject({ code: 'url_not_allowed', status: 422 })
    return (error as Error).message
  }
  throw new Error(`${url} was let through`)
}

describe('an address as it was written', () => {
  test.each([
    ['https://api.example.org/v1/chat?x=1', 'api.example.org:443'],
    ['http://api.example.org', 'api.example.org:80'],
    ['HTTP://API.Example.ORG:8080/', 'api.example.org:8080'],
    ['https://[2606:4700::1111]:8443/x', '[2606:4700::1111]:8443'],
    ['https://bücher.example/', 'xn--bcher-kva.example:443'],
    ['https://xn--bcher-kva.example/', 'xn--bcher-kva.example:443'],
    ['http://1.1.1.1/', '1.1.1.1:80'],
  ])('%s is read as %s', (url, hostAndPort) => {
    expect(readDestination(url, none).hostAndPort).toBe(hostAndPort)
  })

  test.each([
    'ftp://example.org/',
    'file:///etc/passwd',
    'javascript:alert(1)',
    'data:text/plain,x',
    'ws://example.org',
    'gopher://example.org',
    'example.org',
    '//example.org',
    '/path',
    '',
    ' ',
    'http:',
    'http://',
    'https:///x',
    'http:example.org',
    'http:/example.org',
    'http://:80/',
    'http://user@example.org',
    'http://user:pass@example.org',
    'http://@example.org',
    'http://:@example.org',
    'http://example.org@127.0.0.1/',
    'http://example.org\\@127.0.0.1/',
    'http:\\\\example.org',
    'http://exam ple.org',
    'http://example.org/a b',
    ' http://example.org',
    'http://example.org\n',
    'http://exa\tmple.org',
    'http://example.org:0/',
    'http://example.org:99999/',
    'http://example.org:x/',
    'http://example.org./',
    'http://localhost./',
    'http://127.0.0.1./',
    'http://ex%61mple.org/',
    'http://%31%32%37.0.0.1/',
    'http://ｅｘａｍｐｌｅ.org/',
    'http://exam\u00adple.org/',
    'http://example。org/',
    `https://example.org/${'a'.repeat(3000)}`,
  ])('%j is refused', (url) => expect(refusal(url)).toMatch(/\.$/))

  test.each([
    'http://127.0.0.1/',
    'http://127.1/',
    'http://0x7f.1/',
    'http://0x7f000001/',
    'http://2130706433/',
    'http://017700000001/',
    'http://0177.0.0.1/',
    'http://0/',
    'http://0.0.0.0/',
    'http://[::1]/',
    'http://[::]/',
    'http://[::ffff:127.0.0.1]/',
    'http://[::ffff:7f00:1]/',
    'http://[0:0:0:0:0:ffff:127.0.0.1]/',
    'http://[::127.0.0.1]/',
    'http://[64:ff9b::7f00:1]/',
    'http://[2002:7f00:1::]/',
    'http://[fe80::1]/',
    'http://[fc00::1]/',
    'http://１２７.０.０.１/',
    'http://①②⑦.0.0.1/',
    'http://127。0。0。1/',
    'http://ⓛocalhost/',
    'http://localhost/',
    'http://LOCALHOST:80/',
    'http://app.localhost/',
    'http://10.0.0.1/',
    'http://192.168.1.1:8080/',
    'http://172.16.0.1/',
    'http://169.254.169.254/latest/meta-data/',
    'http://100.64.0.1/',
    'http://224.0.0.1/',
    'http://255.255.255.255/',
  ])('%s, which leads inside, is refused', (url) => {
    const words = refusal(url)
    expect(words).not.toMatch(/127|::1|10\.0|192\.168|169\.254/)
  })

  test('a private place is open when exactly its host and port are listed', () => {
    const allowed = new Set(['localhost:11434', '192.168.1.5:80', '[::1]:8080', 'GPU-box:8000'])
    expect(readDestination('http://localhost:11434/api', allowed).listed).toBe(true)
    expect(readDestination('http://192.168.1.5/', allowed).listed).toBe(true)
    expect(readDestination('http://[::1]:8080/', allowed).listed).toBe(true)
    expect(readDestination('http://[0:0::1]:8080/', allowed).listed).toBe(true)
    expect(readDestination('http://gpu-box:8000/', allowed).listed).toBe(true)
    for (const url of [
      'http://localhost:11435/',
      'http://localhost/',
      'http://127.0.0.1:11434/',
      'http://[::1]:11434/',
      'http://[::1]:80/',
      'https://192.168.1.5/',
      'http://192.168.1.6/',
      'http://0xc0a80105/',
      'http://localhost.:11434/',
      'http://ⓛocalhost:11434/',
      'http://x@localhost:11434/',
    ]) {
      refusal(url, allowed)
    }
  })

  test('what is never called cannot be listed either', () => {
    for (const host of [
      '169.254.169.254:80',
      '0.0.0.0:80',
      '[fe80::1]:80',
      '[::ffff:127.0.0.1]:80',
      '[::]:80',
      '224.0.0.1:80',
    ]) {
      expect(refusal(`http://${host}/`, new Set([host]))).toContain('can’t be called')
    }
  })

  test('entries of the list are read in their plain form', () => {
    expect(plainHostAndPort('LocalHost:80')).toBe('localhost:80')
    expect(plainHostAndPort('[0:0:0::1]:443')).toBe('[::1]:443')
    for (const entry of [
      'localhost',
      'localhost:0',
      'localhost:70000',
      ':80',
      'a b:80',
      'user@host:80',
      'http://x:80',
      'host/path:80',
      'host:80/',
    ]) {
      expect(plainHostAndPort(entry)).toBeNull()
    }
  })
})
