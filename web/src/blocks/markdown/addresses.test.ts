import { describe, expect, it } from 'vitest'
import { linkKind, pictureKind } from './addresses.ts'

const origin = 'https://atrium.example'

describe('addresses in answers', () => {
  it('knows other sites, this one and mail', () => {
    expect(linkKind('https://a.example/x?y', origin)).toEqual({
      kind: 'site',
      url: 'https://a.example/x?y',
      site: 'a.example',
    })
    expect(linkKind('https://atrium.example/c/1', origin)).toMatchObject({ kind: 'own' })
    expect(linkKind('/settings/connections', origin)).toEqual({ kind: 'own', url: `${origin}/settings/connections` })
    expect(linkKind('mailto:a@b.example', origin)).toMatchObject({ kind: 'mail' })
  })
  it('makes no link of anything else', () => {
    for (const href of [
      'javascript:alert(1)',
      ' javascript:alert(1)',
      'java\nscript:alert(1)',
      'data:text/html,x',
      'vbscript:x',
      'file:///etc/passwd',
      '//a.example',
      '/c/1',
      '/settings/../api/x',
      '/settings//a.example',
      '#x',
      'blob:https://x/1',
      '',
    ])
      expect(linkKind(href, origin), href).toBeNull()
  })
  it('shows the real host behind a disguise', () => {
    expect(linkKind('https://atrium.example@evil.example/', origin)).toMatchObject({
      site: 'evil.example',
      url: 'https://evil.example/',
    })
  })
  it('loads only images that need no other host', () => {
    expect(pictureKind('data:image/png;base64,AAAA', origin)).toMatchObject({ kind: 'inline' })
    expect(pictureKind('data:image/svg+xml;base64,AAAA', origin)).toBeNull()
    expect(pictureKind('https://a.example/x.png', origin)).toMatchObject({ kind: 'foreign', host: 'a.example' })
  })
})
