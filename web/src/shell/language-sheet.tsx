import { useId } from 'react'
import { type Language, languageName, languages, languageTag } from '@candela/protocol/language'
import { chooseLanguage } from '../i18n/language.ts'
import { translate, useTranslation } from '../i18n/use-translation.ts'
import { Flag } from '../ui/picture/flag.tsx'
import { Icon } from '../ui/picture/icon.tsx'
import { Sheet } from '../ui/overlay/sheet.tsx'
import { useStore } from '../lib/store.ts'
import { showToast } from '../ui/overlay/toast.tsx'
import { languageSheet } from './dialogs.ts'

const close = () => languageSheet.set(null)
const choose = (wanted: Language) => {
  chooseLanguage(wanted).catch(() => showToast('error', translate('http.connect')))
}

export default function LanguageSheet() {
  const { t, language } = useTranslation()
  const open = useStore(languageSheet) !== null
  const group = useId()
  return (
    <Sheet open={open} title={t('language.title')} onClose={close}>
      <fieldset className="options">
        <legend className="visually-hidden">{t('language.title')}</legend>
        {languages.map((each) => (
          <label key={each} className="option" data-chosen={each === language || undefined}>
            <input
              type="radio"
              name={group}
              checked={each === language}
              onChange={() => choose(each)}
              // A tap is a decision; the arrow keys only move through the choices (they click without a count).
              onClick={(event) => event.detail > 0 && close()}
            />
            <Flag language={each} />
            <span lang={languageTag[each]}>{languageName[each]}</span>
            {each === language && <Icon name="check" />}
          </label>
        ))}
      </fieldset>
    </Sheet>
  )
}
