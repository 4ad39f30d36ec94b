/**
 * Words that some models were trained to see before a text, so that questions and passages meet. Pure.
 * From the cards of the models: nomic-embed-text, the E5 family, and mxbai and BGE in English.
 */

interface Wording {
  readonly model: RegExp
  readonly question: string
  readonly passage: string
}

const wordings: readonly Wording[] = [
  { model: /nomic-embed-text/i, question: 'search_query: ', passage: 'search_document: ' },
  { model: /(^|[/_-])(multilingual-)?e5-(small|base|large)/i, question: 'query: ', passage: 'passage: ' },
  {
    model: /mxbai-embed|bge-(small|base|large)-en/i,
    question: 'Represent this sentence for searching relevant passages: ',
    passage: '',
  },
]

const of = (model: string): Wording | undefined => wordings.find((wording) => wording.model.test(model))

export const withQueryPrefix = (model: string, text: string): string => (of(model)?.question ?? '') + text
export const withPassagePrefix = (model: string, text: string): string => (of(model)?.passage ?? '') + text
