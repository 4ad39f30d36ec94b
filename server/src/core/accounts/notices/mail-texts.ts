/** What the mails about accounts say, in the language of who reads them. A line that is only a link stands alone. */

export type Language = 'en' | 'ar'

/** What a letter is about. */
export type AccountMail =
  | { readonly kind: 'invite'; readonly link: string; readonly by: string; readonly days: number }
  | { readonly kind: 'reset'; readonly link: string }
  | { readonly kind: 'verify'; readonly link: string; readonly username: string }
  | {
      readonly kind:
        | ('password-changed' | 'password-and-tokens' | 'password-reset')
        | ('password-link' | 'password-guessed' | 'codes-reset' | 'address-in-use')
      readonly username: string
    }
  | { readonly kind: 'email-changed'; readonly username: string; readonly address: string }
  | { readonly kind: 'removal-set'; readonly username: string; readonly at: string }
  | { readonly kind: 'removal-off' | 'removed'; readonly username: string }
  | ({ readonly kind: 'support-access'; readonly username: string } & SupportAccess)

/** An administrator may read what an account has. */
export interface SupportAccess {
  readonly administrator: string
  readonly reason: string
  readonly expiresAt: string
}

/** Subject and body as plain text. */
export const write = (letter: AccountMail, language: Language): { subject: string; text: string } => {
  const { subject, lines } = language === 'ar' ? arabic(letter) : english(letter)
  return { subject, text: lines.join('\n\n') }
}

/** On one line, so that nothing of it can look like a part of the letter. */
const oneLine = (text: string): string => text.replace(/[\s\p{Cc}]+/gu, ' ').trim()
const quoted = (text: string): string => `“${oneLine(text)}”`

const untilOf = (time: string, language: Language): string =>
  `${new Intl.DateTimeFormat(language, { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC', hourCycle: 'h23' }).format(new Date(time))} UTC`

interface Written {
  readonly subject: string
  readonly lines: readonly string[]
}

const english = (letter: AccountMail): Written => {
  switch (letter.kind) {
    case 'invite': {
      const days = letter.days === 1 ? 'one day' : `${letter.days} days`
      return {
        subject: 'You are invited to Atrium',
        lines: [
          `${oneLine(letter.by)} invites you to Atrium. Open this link to choose a user name and a password:`,
          letter.link,
          `The link works once, and for ${days}. If you did not expect this mail, you need do nothing.`,
        ],
      }
    }
    case 'reset':
      return {
        subject: 'Set a new password for Atrium',
        lines: [
          'Somebody asked for a new password for your account. Open this link to set one:',
          letter.link,
          'The link works once, and for one hour. If that was not you, you need do nothing: your password stays as it is.',
        ],
      }
    case 'verify':
      return {
        subject: 'Confirm your e-mail address',
        lines: [
          `The account ${letter.username} wants to use this address. Open this link to confirm it:`,
          letter.link,
          'The link works once, and for one day. If that was not you, you need do nothing.',
        ],
      }
    case 'password-changed':
      return {
        subject: 'Your password was changed',
        lines: [
          `The password of the account ${letter.username} was changed. Other devices were signed out. API tokens go on working: look through them in the settings.`,
          'If that was not you, ask an administrator for help at once.',
        ],
      }
    case 'password-and-tokens':
      return {
        subject: 'Your password was changed',
        lines: [
          `The password of the account ${letter.username} was changed. Other devices were signed out, and every API token was revoked.`,
          'If that was not you, ask an administrator for help at once.',
        ],
      }
    case 'password-reset':
      return {
        subject: 'A new password was set',
        lines: [
          `A new password was set for the account ${letter.username} with a link. Every device was signed out, and every API token was revoked.`,
          'If that was not you, ask an administrator for help at once.',
        ],
      }
    case 'password-link':
      return {
        subject: 'An administrator made a link for a new password',
        lines: [
          `An administrator made a link that sets a new password for the account ${letter.username}. Whoever has it can use it once, within a day.`,
          'If you did not ask for it, ask another administrator for help.',
        ],
      }
    case 'password-guessed':
      return {
        subject: 'Somebody tries passwords for your account',
        lines: [
          `Twenty wrong passwords were tried within a quarter of an hour for the account ${letter.username}. For a while no password is taken from devices that never signed in to it. KnownDevices that did, passkeys and sign-ins elsewhere still let you in.`,
          'If that was you, wait a quarter of an hour, or ask for a link for a new password. If it was not, you need do nothing; a second factor keeps the account safe even when a password is found.',
        ],
      }
    case 'address-in-use':
      return {
        subject: 'You have an account already',
        lines: [
          `Somebody asked for an account with this e-mail address. You have one already: ${letter.username}.`,
          'If that was you, sign in to it; you can ask for a link for a new password at the sign-in page. If it was not, you need do nothing: nobody gets your address.',
        ],
      }
    case 'codes-reset':
      return {
        subject: 'Your one-time codes were taken away',
        lines: [
          `An administrator took the one-time codes of the account ${letter.username} away. Set up a second factor again in the settings, under security.`,
          'If you did not ask for it, ask another administrator for help.',
        ],
      }
    case 'email-changed':
      return {
        subject: 'Your e-mail address was changed',
        lines: [
          letter.address
            ? `The account ${letter.username} now has the address ${letter.address}. This address gets no more mail about it.`
            : `The account ${letter.username} has no e-mail address any more. This address gets no more mail about it.`,
          'If that was not you, ask an administrator for help at once.',
        ],
      }
    case 'removal-set':
      return {
        subject: 'Your account is going to be deleted',
        lines: [
          `An administrator set a day on which the account ${letter.username} is deleted with everything in it: ${untilOf(letter.at, 'en')}. Until then it works as before.`,
          'In the settings, under your data, you can take along what you have. If you did not expect this, ask an administrator.',
        ],
      }
    case 'removal-off':
      return {
        subject: 'Your account stays',
        lines: [`The account ${letter.username} is not going to be deleted: an administrator took the day back.`],
      }
    case 'removed':
      return {
        subject: 'Your account was deleted',
        lines: [
          `The account ${letter.username} was deleted with everything in it. This address gets no more mail about it.`,
          'If you did not expect this, ask an administrator.',
        ],
      }
    case 'support-access':
      return {
        subject: 'An administrator may read what you have in Atrium',
        lines: [
          `${oneLine(letter.administrator)} began support access to the account ${letter.username}. Until ${untilOf(letter.expiresAt, 'en')} they may read what it has, and change nothing. Each thing that they open is listed in your settings, under security.`,
          `The reason that was given: ${quoted(letter.reason)}`,
          'If you did not expect this, ask another administrator for help.',
        ],
      }
  }
}

const arabicDays = (days: number): string =>
  days === 1 ? 'يوماً واحداً' : days === 2 ? 'يومين' : days <= 10 ? `${days} أيام` : `${days} يوماً`

const arabic = (letter: AccountMail): Written => {
  const alarm = 'إن لم تكن أنت من فعل ذلك فاطلب المساعدة من مسؤول فوراً.'
  switch (letter.kind) {
    case 'invite':
      return {
        subject: 'دعوة إلى Atrium',
        lines: [
          `يدعوك ${oneLine(letter.by)} إلى Atrium. افتح هذا الرابط لاختيار اسم مستخدم وكلمة مرور:`,
          letter.link,
          `يعمل الرابط مرة واحدة، ولمدة ${arabicDays(letter.days)}. إن لم تكن تنتظر هذه الرسالة فلا حاجة إلى أن تفعل شيئاً.`,
        ],
      }
    case 'reset':
      return {
        subject: 'تعيين كلمة مرور جديدة في Atrium',
        lines: [
          'طلب أحدهم كلمة مرور جديدة لحسابك. افتح هذا الرابط لتعيينها:',
          letter.link,
          'يعمل الرابط مرة واحدة، ولمدة ساعة. إن لم تكن أنت من طلب ذلك فلا حاجة إلى أن تفعل شيئاً: تبقى كلمة مرورك كما هي.',
        ],
      }
    case 'verify':
      return {
        subject: 'تأكيد عنوان بريدك',
        lines: [
          `يريد الحساب ${letter.username} استخدام هذا العنوان. افتح هذا الرابط لتأكيده:`,
          letter.link,
          'يعمل الرابط مرة واحدة، ولمدة يوم. إن لم تكن أنت من طلب ذلك فلا حاجة إلى أن تفعل شيئاً.',
        ],
      }
    case 'password-changed':
      return {
        subject: 'تغيّرت كلمة مرورك',
        lines: [
          `تغيّرت كلمة مرور الحساب ${letter.username}، وسُجّل الخروج من الأجهزة الأخرى. تبقى رموز الواجهة البرمجية عاملة: راجعها في الإعدادات.`,
          alarm,
        ],
      }
    case 'password-and-tokens':
      return {
        subject: 'تغيّرت كلمة مرورك',
        lines: [
          `تغيّرت كلمة مرور الحساب ${letter.username}، وسُجّل الخروج من الأجهزة الأخرى، وأُلغيت كل رموز الواجهة البرمجية.`,
          alarm,
        ],
      }
    case 'password-reset':
      return {
        subject: 'عُيّنت كلمة مرور جديدة',
        lines: [
          `عُيّنت كلمة مرور جديدة للحساب ${letter.username} برابط، وسُجّل الخروج من كل الأجهزة، وأُلغيت كل رموز الواجهة البرمجية.`,
          alarm,
        ],
      }
    case 'password-link':
      return {
        subject: 'أنشأ مسؤول رابطاً لكلمة مرور جديدة',
        lines: [
          `أنشأ مسؤول رابطاً يعيّن كلمة مرور جديدة للحساب ${letter.username}. يستطيع من يملكه استخدامه مرة واحدة خلال يوم.`,
          'إن لم تطلب ذلك فاطلب المساعدة من مسؤول آخر.',
        ],
      }
    case 'password-guessed':
      return {
        subject: 'أحدهم يجرّب كلمات مرور لحسابك',
        lines: [
          `جُرّبت عشرون كلمة مرور خاطئة خلال ربع ساعة للحساب ${letter.username}. لن تُقبل كلمة المرور لبعض الوقت من أجهزة لم تدخل إليه من قبل. تبقى الأجهزة التي دخلت ومفاتيح المرور والدخول عبر جهات أخرى عاملة.`,
          'إن كنت أنت من فعل ذلك فانتظر ربع ساعة، أو اطلب رابطاً لكلمة مرور جديدة. وإلا فلا حاجة إلى أن تفعل شيئاً؛ والعامل الثاني يحفظ الحساب حتى لو عُرفت كلمة المرور.',
        ],
      }
    case 'address-in-use':
      return {
        subject: 'لديك حساب بالفعل',
        lines: [
          `طلب أحدهم حساباً بعنوان البريد هذا. لديك حساب بالفعل: ${letter.username}.`,
          'إن كنت أنت من فعل ذلك فسجّل الدخول إليه؛ يمكنك طلب رابط لكلمة مرور جديدة من صفحة الدخول. وإلا فلا حاجة إلى أن تفعل شيئاً، فلن يحصل أحد على عنوانك.',
        ],
      }
    case 'codes-reset':
      return {
        subject: 'أُزيلت رموزك لمرة واحدة',
        lines: [
          `أزال مسؤول الرموز لمرة واحدة للحساب ${letter.username}. أعد إعداد عامل ثانٍ في الإعدادات، تحت الأمان.`,
          'إن لم تطلب ذلك فاطلب المساعدة من مسؤول آخر.',
        ],
      }
    case 'email-changed':
      return {
        subject: 'تغيّر عنوان بريدك',
        lines: [
          letter.address
            ? `صار عنوان الحساب ${letter.username} هو ${letter.address}. لن تصل رسائل عنه إلى هذا العنوان بعد الآن.`
            : `لم يعد للحساب ${letter.username} عنوان بريد. لن تصل رسائل عنه إلى هذا العنوان بعد الآن.`,
          alarm,
        ],
      }
    case 'removal-set':
      return {
        subject: 'سيُحذف حسابك',
        lines: [
          `حدّد مسؤول موعداً يُحذف فيه الحساب ${letter.username} بكل ما فيه: ${untilOf(letter.at, 'ar')}. يبقى عاملاً كما هو حتى ذلك الحين.`,
          'يمكنك أن تأخذ ما لديك من الإعدادات، تحت بياناتك. إن لم تكن تتوقع ذلك فاسأل أحد المسؤولين.',
        ],
      }
    case 'removal-off':
      return {
        subject: 'حسابك باقٍ',
        lines: [`لن يُحذف الحساب ${letter.username}: ألغى مسؤول الموعد.`],
      }
    case 'removed':
      return {
        subject: 'حُذف حسابك',
        lines: [
          `حُذف الحساب ${letter.username} بكل ما فيه. لن تصل رسائل عنه إلى هذا العنوان بعد الآن.`,
          'إن لم تكن تتوقع ذلك فاسأل أحد المسؤولين.',
        ],
      }
    case 'support-access':
      return {
        subject: 'يمكن لمسؤول أن يقرأ ما لديك في Atrium',
        lines: [
          `بدأ ${oneLine(letter.administrator)} وصول الدعم إلى الحساب ${letter.username}. حتى ${untilOf(letter.expiresAt, 'ar')} يمكنه قراءة ما فيه دون تغيير شيء. كل ما يفتحه مدرج في إعداداتك ضمن الأمان.`,
          `السبب المذكور: ${quoted(letter.reason)}`,
          'إن لم تكن تتوقع ذلك فاطلب المساعدة من مسؤول آخر.',
        ],
      }
  }
}
