import { languages } from '@candela/protocol/language'
import type { Language } from '@candela/protocol/language'
import { chooseLanguage } from '../i18n/language.ts'
import { say, useTranslation } from '../i18n/use-translation.ts'
import { Flag } from '../ui/flag.tsx'
import { Icon } from '../ui/icon.tsx'
import { Sheet } from '../ui/sheet.tsx'
import { useStore } from '../ui/store.ts'
import { showToast } from '../ui/toast.tsx'
import { languageSheet } from './dialogs.ts'

/** Each in its own words, whatever the language around it. */
const names: Record<Language, { name: string; lang: string }> = {
  zh: { name: '简体中文', lang: 'zh-Hans' },
  tw: { name: '繁體中文', lang: 'zh-Hant' },
  en: { name: 'English', lang: 'en' },
}

export function LanguageSheet() {
  const { t, language } = useTranslation()
  const open = useStore(languageSheet)
  const choose = (wanted: Language) => {
    languageSheet.set(false)
    chooseLanguage(wanted).catch(() => showToast('error', say('http.connect')))
  }
  return (
    <Sheet open={open} title={t('language.title')} onClose={() => languageSheet.set(false)}>
      <div role="radiogroup" aria-label={t('language.title')} className="options">
        {languages.map((each) => (
          <button
            key={each}
            type="button"
            role="radio"
            aria-checked={each === language}
            className="option"
            onClick={() => choose(each)}
          >
            <Flag language={each} />
            <span lang={names[each].lang}>{names[each].name}</span>
            {each === language && <Icon name="check" />}
          </button>
        ))}
      </div>
    </Sheet>
  )
}
