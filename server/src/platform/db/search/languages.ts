/** Languages by their most frequent words: which one a text is in, which words say nothing, and what words are kin. Pure. */
import { type Cache, createCache } from '../../cache/cache.ts'
import { loadPackage } from '../../load-package.ts'
import { foldWord, type Word, wordsOf } from './words.ts'

/** ISO 639-1. */
export type Language = string

/** The words that stand everywhere and mean little; they tell the language, too. Not every language has a stemmer. */
const frequent: Readonly<Record<Language, readonly [stemmer: string | null, words: string]>> = {
  en: [
    'english',
    `a about above after again all also am an and any are aren't as at be because been before being below between both but
    by can can't could did didn't do does doesn't doing don't down during each few for from further had has have having he
    her here hers him his how i i'm if in into is isn't it it's its just me more most my no nor not now of off on once only
    or other our out over own same she should so some such than that that's the their them then there these they this those
    through to too under until up upon us very was wasn't we were what when where which while who whom why will with would
    you your`,
  ],
  de: [
    'german',
    `aber alle allem allen aller alles als also am an andere anderen auch auf aus bei beim bin bis bist da damit dann das
    dass dein dem den denn der des dessen deren die dies diese diesem diesen dieser dieses doch dort du durch ein eine
    einem einen einer eines er es etwas euch für gegen hab habe haben hat hatte hatten hier ich ihm ihn ihnen ihr ihre
    ihrem ihren ihrer im in ins ist ja jede jedem jeden jeder jedes kann kein keine keinen können könnte man mehr mein mich
    mir mit nach nicht noch nun nur ob oder ohne sehr sein seine seinem seinen seiner seit sich sie sind so solche soll
    sondern über um und uns unser unter vom von vor war waren warum was weil welche welchem welchen welcher welches wenn
    wer werden wie wieder wir wird wo wurde wurden zu zum zur zwischen`,
  ],
  fr: [
    'french',
    `a à ai au aucun aussi autre aux avait avec avoir c'est ce cela ces cet cette comme comment d'un d'une dans de des donc
    dont du elle elles en encore entre est et était été être eu fait il ils j'ai je l'on la le les leur leurs lui ma mais
    me même mes moi mon n'a n'est ne nos notre nous on ont ou où par pas peut plus pour pourquoi qu'il que quel quelle
    quels qui sa sans se sera ses si son sont sous sur ta te tes toi ton tous tout toute très tu un une vos votre vous y`,
  ],
  es: [
    'spanish',
    `a al algo ante antes como con contra cual cuál cuando cuándo cómo de del desde donde dónde durante e el él ella ellas
    ellos en entre era es esa ese eso esta está estaba están este esto estos fue fueron ha había han hasta hay la las le les lo
    los más me mi mientras muy nada ni no nos o os otra otro para pero poco por porque que qué quien quién se sea según ser
    si sí sin sobre son su sus también tan tanto te tiene tienen todo todos tu un una uno unos y ya yo`,
  ],
  it: [
    'italian',
    `a ad agli ai al alla alle allo anche c'è che chi ci come con contro cosa cui da dagli dai dal dalla dalle degli dei del
    dell' della delle dello di dove due e è ed era erano essere fra gli ha hanno ho i il in io l' la le lei li lo loro lui
    ma mi mia mio molto ne negli nei nel nella nelle noi non o ogni per perché più poi quale quando quanto quella quello
    questa queste questi questo se si sia sono sta su sua sue sugli sui sul sulla suo suoi tra tu tutti tutto un un' una
    uno vi voi`,
  ],
  pt: [
    'portuguese',
    `a ao aos as às até com como da das de dela dele deles depois do dos e é ela elas ele eles em entre era essa esse esta
    está estão este eu foi foram há isso isto já lhe mais mas me mesmo meu minha muito na não nas nem no nos nós nossa o os
    ou para pela pelas pelo pelos por porque qual quando que quem são se seja sem ser será seu seus só sobre sua suas
    também te tem têm ter um uma umas uns você vocês`,
  ],
  nl: [
    'dutch',
    `aan al alles als ben bij daar dan dat de der deze die dit doch doen door dus een eens en er ge geen haar had heb hebben
    heeft hem het hier hij hoe hun iemand iets ik in is ja je kan kon kunnen maar me meer men met mij mijn moet na naar
    niet nog nu of om omdat ons ook op over reeds te tegen toch toen tot u uit uw van veel voor waar waren was wat we wel
    werd wezen wie wij wil worden wordt ze zei zelf zich zij zijn zo zonder zou`,
  ],
  sv: [
    'swedish',
    `alla allt att av blev bli blir de dem den denna deras dess det detta dig din dock där då efter ej eller en ett från för
    ha hade han hans har henne hennes hon hur här i icke ingen inte jag ju kan kunde man med mellan men mig min mot mycket
    ni nu när någon något några och om oss på samma sedan sig sin sina sitta själv skulle som så till under upp ut utan vad
    var vara varför vem vi vid vilken är över`,
  ],
  da: [
    'danish',
    `af alle alt anden at blev blive bliver da de dem den denne der deres det dette dig din disse dog du efter eller en end
    er et for fra få ham han hans har havde hende hendes her hos hun hvad hvis hvor hvorfor i ikke ind jeg jer jo kunne man
    mange med meget men mig min mine mod ned noget nogle nu når og også om op os over på selv sig sin sine skal skulle som
    sådan thi til ud under var vi vil ville vor være været`,
  ],
  no: [
    'norwegian',
    `alle at av bare begge ble blir både da de deg dem den denne der dere deres det dette din disse du då eg ein eit eller
    en er et etter for fordi fra før ha hadde han hans har henne hennes her hun hva hvem hver hvilken hvis hvor hvordan
    hvorfor i ikke ikkje inn ingen jeg kan kom kun kunne man mange med meg mellom men mer min mot mye nå når noe noen og
    også om opp oss over på samme seg selv si siden sin sine skal skulle slik som så til um ut uten var vi vil ville være
    vært vår`,
  ],
  fi: [
    'finnish',
    `ei eivät en että he heidän hän hänen ja jos jotka joka jossa jonka kanssa koska kuin kun kuka me mikä mikään mitä
    minkä minun minä missä miten miksi mukaan mutta myös ne niiden niin noin nyt ole oli olivat olla on ovat se sekä sen
    siinä sillä sitä sinä tai te tämä tämän vaan vai vaikka voi`,
  ],
  ro: [
    'romanian',
    `a acea această acest aceasta acesta acestea acestor ai al ale am ar are asupra au avea ca când care cărei cărui că ce
    cea cei cele cel cine cu cum dacă dar de deci decât din doar după ea ei el ele era este eu fi fie fost iar în încă
    înainte între îi îl îşi își la le lor lui mai mult nu o ori pe pentru peste poate prin printre sa să sau se și şi sub
    sunt ta te toate tot tuturor un una unde unei unele unor unui va vor`,
  ],
  ru: [
    'russian',
    `а без более бы был была были было быть в вам вас весь во вот все всего всех вы где да даже для до его ее если есть еще
    же за здесь и из или им их к как ко когда кто которые который ли либо мне может мы на над нам не него нее нет ни них но
    ну о об однако он она они оно от очень по под при с со так также такой там те тем то того тоже той только том ты у уже
    хотя чего чей чем что чтобы чье эта эти это этого этом этот я`,
  ],
  tr: [
    'turkish',
    `acaba ama ancak bazı belki ben beni benim bir biri birkaç biz bu buna bunda bunlar bunu bunun çok çünkü da daha de
    değil diye en gibi hem hep her hiç için ile ise kadar ki kim mı mi mu mü nasıl ne neden nedir nerede niçin o olan olarak
    oldu olduğu onlar onu onun sen siz şey şu tüm ve veya ya yani`,
  ],
  el: [
    null,
    `ο η το οι τα του της των τον την τους τις στο στη στην στον στα στις στους και να θα που με για από σε ότι είναι ήταν
    δεν μη μην ως ή αν αλλά όπως ένα ένας μια μία ενός μιας έναν αυτό αυτή αυτός αυτές αυτά κατά προς μετά πριν μέχρι όταν
    ενώ επίσης έχει έχουν είχε είχαν μπορεί πολύ πιο ποιος ποια ποιο ποιοι ποιες ποιον τι πώς πότε πού γιατί πόσο πόσα
    πόσοι πόσες οποία οποίο οποίος κάθε`,
  ],
  vi: [
    null,
    `ai anh bà bạn bao bằng bị bởi các cái cho chỉ chúng có con còn của cùng cũng do dưới đã đang đâu đến để điều đó được gì
    giữa hay hoặc họ hơn khác khi không là lại lên mà mỗi một này nào nên nếu ngoài người nhất nhiều như nhưng những nó ông
    ở phải qua ra rất rằng sao sau sẽ sự tại thế theo thì thường tôi tới trên trong trước từ từng và vào vẫn về vì việc
    với`,
  ],
  ar: [
    'arabic',
    `في من على إلى الى عن أن ان إن كان كانت هذا هذه ذلك تلك التي الذي الذين ما لا لم لن قد هو هي هم كما أو او ثم و مع بعد قبل
    بين كل أي اي غير حتى عند حيث متى كيف أين لماذا هل ماذا كم بعض إذا اذا لكن أكثر منذ خلال عليه فيه فيها به بها له لها`,
  ],
}

const stops: Readonly<Record<Language, ReadonlySet<string>>> = Object.fromEntries(
  Object.entries(frequent).map(([language, [, words]]) => [
    language,
    new Set(words.split(/\s+/).flatMap((word) => [foldWord(word), ...wordsOf(word).map(({ whole }) => whole)])),
  ]),
)

/** In which languages a word is frequent. */
const languagesOf = new Map<string, Language[]>()
for (const [language, words] of Object.entries(stops))
  for (const word of words) languagesOf.set(word, [...(languagesOf.get(word) ?? []), language])

export const isStop = (language: Language, word: string): boolean => stops[language]?.has(word) === true

/** In so many of its words a text shows its language. */
const sample = 400

/** The languages whose frequent words are most among some words; none when there are none. */
export const likelyLanguages = (words: readonly Word[], among: readonly Language[]): Language[] => {
  const counts = countStops(words, among)
  const [most] = counts.values()
  return [...counts].filter(([, count]) => count === most).map(([language]) => language)
}

/** The language of a text, when its frequent words leave no doubt. */
export const languageOf = (words: readonly Word[]): Language | null => {
  const [[language, most] = [null, 0], [, second] = [null, 0]] = countStops(words, null)
  return most >= fewest && most >= second * ahead ? language : null
}

const fewest = 3
const ahead = 1.5

/** Most first. */
const countStops = (words: readonly Word[], among: readonly Language[] | null): Map<Language, number> => {
  const counts = new Map<Language, number>()
  for (const { whole } of words.slice(0, sample))
    for (const language of languagesOf.get(whole) ?? [])
      if (among?.includes(language) !== false) counts.set(language, (counts.get(language) ?? 0) + 1)
  return new Map([...counts].sort(([, a], [, b]) => b - a))
}

/** Languages that put spaces between syllables: a word is two of them more often than one. */
const syllabic: ReadonlySet<Language> = new Set(['vi'])
export const isSyllabic = (language: Language): boolean => syllabic.has(language)

/** Forms of nouns, adjectives and verbs differ in what stands behind the last consonant, and in ν and σ. */
const greekEnding = /(?<=.{3})[αεηιουωνσ]{1,4}$/u

const made = new Map<Language, { stem(word: string): string; known: Cache<string> }>()

/** What a word has in common with its kin: its stem. */
export const stemOf = (language: Language, word: string): string => {
  if (language === 'el') return word.replace(greekEnding, '')
  const name = frequent[language]?.[0]
  if (!name) return word
  let stemmer = made.get(language)
  if (!stemmer) {
    const fresh = loadPackage('snowball-stemmers').newStemmer(name)
    stemmer = { stem: (plain) => fresh.stem(plain), known: createCache({ max: 50_000 }) }
    made.set(language, stemmer)
  }
  const known = stemmer.known.get(word)
  if (known !== undefined) return known
  const stem = stemmer.stem(word)
  stemmer.known.set(word, stem)
  return stem
}
