import { useState } from 'react'
import { useTranslation } from '../i18n/use-translation.ts'

type FileFieldProps = {
  label: string
  isDisabled?: boolean
  /** At least one. */
  onFiles: (files: readonly File[]) => void
  multiple?: boolean
}

/**
 * Opens files, of any type: phones grey out files whose type they do not know, and some know no JSON. Browsers write their own words on
 * such an input, in their own language, so ours are over it.
 */
export function FileField({ label, isDisabled = false, onFiles, multiple = false }: FileFieldProps) {
  const { t } = useTranslation()
  const [names, setNames] = useState<readonly string[]>([])
  const chosen = names.length > 1 ? t('exit.chosen', { count: String(names.length) }) : names[0]
  return (
    <label className="exit-file">
      <span>{label}</span>
      <span className="file-field">
        <span className="file-field-button">{t('exit.choose')}</span>
        <span className="file-field-name">{chosen ?? t('exit.chosenNone')}</span>
        <input
          type="file"
          aria-label={label}
          multiple={multiple}
          disabled={isDisabled}
          onChange={(event) => {
            const files = [...(event.target.files ?? [])]
            // The same file can be chosen again after it was mended.
            event.target.value = ''
            if (files.length === 0) return
            setNames(files.map(({ name }) => name))
            onFiles(files)
          }}
        />
      </span>
    </label>
  )
}
