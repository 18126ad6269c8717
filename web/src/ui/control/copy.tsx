import { translate, useTranslation } from '../../i18n/use-translation.ts'
import { toClipboard } from './clipboard.ts'
import { Icon } from '../picture/icon.tsx'
import { showToast } from '../overlay/toast.tsx'

/** Copies a text and shows that it was copied, or that the browser forbids it. */
export async function copyText(text: string): Promise<void> {
  if (await toClipboard(text)) showToast('done', translate('ui.copied'))
  else showToast('error', translate('ui.copyFailed'))
}

export function CopyButton({ text, what }: { text: string; what: string }) {
  const { t } = useTranslation()
  return (
    <button
      type="button"
      className="icon-button"
      aria-label={t('ui.copyWhat', { what })}
      onClick={() => void copyText(text)}
    >
      <Icon name="copy" size={20} />
    </button>
  )
}
