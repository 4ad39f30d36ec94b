/** Reads the page of results of DuckDuckGo; runs on a thread of its own, because a page can be large. */
import { load } from 'cheerio'
import { type EngineResult, plainText, webAddress } from './engines.ts'

/** The results of a page, or null when it asks its visitor to prove that it is human. */
export const readPage = (html: string): EngineResult[] | null => {
  const $ = load(html)
  const results = $('.result:not(.result--ad)')
    .toArray()
    .flatMap((element) => {
      const link = $(element).find('a.result__a').first()
      const url = webAddress(target(link.attr('href') ?? ''))
      if (url === null) return []
      const content = plainText($(element).find('.result__snippet').first().text(), 500)
      return [{ title: plainText(link.text(), 200) || new URL(url).host, url, content }]
    })
  const suspicious = $('.anomaly-modal__title, #challenge-form, .g-recaptcha').length > 0
  return results.length === 0 && suspicious ? null : results
}

/** Links lead over a page of the engine that names their target. */
const target = (href: string): string => {
  const url = URL.parse(href, 'https://duckduckgo.com')
  if (!url) return ''
  return url.pathname === '/l/' ? (url.searchParams.get('uddg') ?? '') : url.href
}
